# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the simulation programs, each case once, and keeps their output."""

import json
import re
import subprocess
import sys
import time
import xml.etree.ElementTree

WAYS = ("direct", "trivial", "merged", "combining", "aggregated")
SMPI_OPTIONS = ("smpi/privatization:no", "smpi/simulate-computation:no", "network/model:CM02", "network/TCP-gamma:0",
                "network/crosstraffic:no", "contexts/stack-size:256")
UNITS = {"GBps": 1e9, "TBps": 1e12, "us": 1e-6}


def number(text):
    """The value of an attribute of a platform file: "12.33GBps" -> 12.33e9."""
    for unit, factor in UNITS.items():
        if text.endswith(unit):
            return float(text[:-len(unit)]) * factor
    return float(text)


class Platform:
    """A platform file's description of its machine."""

    def __init__(self, path):
        cluster = xml.etree.ElementTree.parse(path).getroot().find("cluster")
        self.path = path
        self.numbers = {prop.get("id"): float(prop.get("value")) for prop in cluster.findall("prop")}
        self.numbers["latency"] = 2 * number(cluster.get("lat"))  # up to the network and down again
        self.numbers["gap_per_byte"] = 1 / number(cluster.get("bw"))
        self.numbers["node_latency"] = number(cluster.get("loopback_lat"))
        self.per_node = int(self.numbers["processes_per_node"])

    def text(self, changes=None):
        """In the form for the programs."""
        return ",".join(f"{name}={value:g}" for name, value in sorted({**self.numbers, **(changes or {})}.items()))


class Store:
    """Results by case; those of earlier runs are read from results.jsonl of the build directory."""

    def __init__(self, build, platforms, only_kept, smpi_seconds):
        self.build = build
        self.platforms = {path.stem: Platform(path) for path in platforms.glob("*.xml")}
        self.only_kept = only_kept
        self.smpi_seconds = smpi_seconds
        self.file = build / "results.jsonl"
        self.results = {}
        if self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                entry = json.loads(line)
                self.results[entry["case"]] = entry["lines"]

    def resized(self, name, nodes, per_node):
        """The name of a platform like one there is, with this many nodes and processes on each."""
        new_name = f"{name}-{nodes}x{per_node}"
        text = self.platforms[name].path.read_text(encoding="utf-8")
        text = re.sub(r'radical="[^"]*"', f'radical="0-{nodes - 1}"', text)
        text = re.sub(r'(id="processes_per_node" value)="[^"]*"', rf'\1="{per_node}"', text)
        path = self.build / f"{new_name}.xml"
        path.write_text(text, encoding="utf-8")
        self.platforms[new_name] = Platform(path)
        return new_name

    def model(self, platform, processes, stencil, operation, ints, way, variants=({},), ranks="consecutive"):
        """{"seconds": {ints: [seconds]}, "messages": ...} by the cost model, for each variant of the machine; None if
        the way is not possible."""
        machines = " ".join(self.platforms[platform].text(changes) for changes in variants)
        case = [machines, str(processes), str(stencil[0]), str(stencil[1]), operation,
                ",".join(f"{value:g}" for value in ints), way, ranks]
        return parse(self.run("model", [str(self.build / "model"), *case], case, None))

    def loaded(self, platform, nodes, per_node, stencil, ints, ways, ranks, placements):
        """{placement: {ints: {way: (seconds, member or choice)}}} with the shared links of networks."""
        numbers = self.platforms[platform].text({"processes_per_node": per_node})
        case = [numbers, str(nodes * per_node), str(stencil[0]), str(stencil[1]), "alltoall",
                ",".join(f"{value:g}" for value in ints), ",".join(ways), ranks, *placements]
        result = {placement: {value: {} for value in ints} for placement in placements}
        for line in self.run("model", [str(self.build / "model"), *case], case, None):
            _, placement, way, size, seconds, chosen = line.split(",")
            result[placement][int(size)][way] = (float(seconds), chosen)
        return result

    def choices(self, platform, processes, stencil, changes):
        """[(bytes of the largest block, algorithm)] that `auto` chooses with these numbers of the network."""
        case = [self.platforms[platform].text(changes), str(processes), str(stencil[0]), str(stencil[1]), "choice", "0",
                "auto", "consecutive"]
        lines = self.run("model", [str(self.build / "model"), *case], case, None)
        return [(int(line.split(",")[1]), line.split(",")[2]) for line in lines]

    def late(self, platform, nodes, per_node, stencil, ints, ways, share):
        """{(ints, compute seconds, probability of a delay): {way: seconds}}, for processes that lose a share of their
        time."""
        numbers = self.platforms[platform].text({"processes_per_node": per_node})
        case = [numbers, str(nodes * per_node), str(stencil[0]), str(stencil[1]), "late",
                ",".join(f"{value:g}" for value in ints), ",".join(ways), "consecutive", f"{share:g}"]
        result = {}
        for line in self.run("model", [str(self.build / "model"), *case], case, None):
            _, way, size, compute, probability, seconds = line.split(",")
            result.setdefault((int(size), float(compute), float(probability)), {})[way] = float(seconds)
        return result

    def flows(self, nodes, per_node, stencil, ways, network, allocation):
        """{way: (seconds by busiest links, seconds by the flows of SimGrid)}"""
        case = [str(nodes), str(per_node), str(stencil[0]), str(stencil[1]), ",".join(ways), network, allocation]
        lines = self.run("flows", [str(self.build / "flows"), *case, "--log=root.thresh:error"], case,
                         self.smpi_seconds)
        return {line.split(",")[1]: tuple(map(float, line.split(",")[2:])) for line in lines}

    def smpi(self, platform, processes, stencil, operation, ints, way, ranks="consecutive"):
        """The same by SMPI, without messages and variants; None if it took too long."""
        machine = self.platforms[platform]
        case = [machine.text(), str(processes), str(stencil[0]), str(stencil[1]), operation,
                ",".join(f"{value:g}" for value in ints), way, ranks]
        hosts = self.build / f"hosts-{platform}"
        placed = subprocess.run([str(self.build / "model"), *case[:4], "nodes", "", "", ranks], check=True, text=True,
                                stdout=subprocess.PIPE).stdout.split() if not self.only_kept else []
        hosts.write_text("".join(f"node{node}\n" for node in placed), encoding="utf-8")
        command = ["smpirun", "-np", str(processes), "-platform", str(machine.path), "-hostfile", str(hosts),
                   *(f"--cfg={option}" for option in SMPI_OPTIONS), "--log=root.thresh:error", str(self.build / "smpi"),
                   *case]
        return parse(self.run("smpi", command, case, self.smpi_seconds))

    def run(self, program, command, case, limit):
        key = " ".join([program, *case])
        if key not in self.results and not self.only_kept:
            begin = time.monotonic()
            try:
                done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True,
                                      timeout=limit, cwd=self.build)
                lines = done.stdout.splitlines()
            except subprocess.TimeoutExpired:
                lines = []
            print(f"{time.monotonic() - begin:6.1f} s  {program} {' '.join([*case[1:5], *case[6:8]])}"
                  f"{'' if lines else ': nothing'}", file=sys.stderr, flush=True)
            self.results[key] = lines
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"case": key, "lines": lines}) + "\n")
        return self.results.get(key, [])


def parse(lines):
    result = {"seconds": {}}
    for line in lines:
        kind, *values = line.split(",")
        if kind == "messages":
            result.update(messages=float(values[1]), leaving=int(values[2]), neighbor_nodes=int(values[3]),
                          edges=int(values[4]), most_edges=int(values[5]))
        elif kind == "seconds":
            result["seconds"][float(values[1])] = [float(value) for value in values[2:]]
        elif kind == "member":
            result.setdefault("members", {})[float(values[0]), int(values[1])] = (values[2], *map(float, values[3:]))
    return result if result["seconds"] or "members" in result else None
