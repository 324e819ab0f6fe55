# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes simulated records beside those that were measured: records.py BUILD_DIRECTORY, which has hopscotch-model.

Each machine is a platform file of this folder, each time what the cost model says; `native` is one message for every
neighbor, all at once, as MPI libraries send them. `auto` is not simulated.
"""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tool"), str(HERE)]
from experiments import Platform  # noqa: E402  the path has to be known first
from hopscotch_tool import measure  # noqa: E402
from hopscotch_tool.measuring import figures, parts  # noqa: E402

MACHINES = {"omnipath": (1152, "Hydra"), "gemini": (16384, "Titan")}
WAYS = {"direct": "native", "trivial": "trivial", "merged": "merged", "combining": "combining",
        "aggregated": "aggregated"}
STENCILS = ((3, 3), (3, 5))
DATE = "2026-11-26"


def times(program, platform, processes, stencil, function):
    """{ints: {way: microseconds}}"""
    words = [str(program), platform.text(), str(processes), *map(str, stencil), function,
             ",".join(map(str, parts.INTS)), ",".join(WAYS), "consecutive"]
    lines = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    found = {ints: {} for ints in parts.INTS}
    for way, ints, seconds in (line.split(",")[1:] for line in lines if line.startswith("seconds,")):
        found[int(ints)][WAYS[way]] = 1e6 * float(seconds)
    return found


def case(processes, stencil, function, ints, found):
    neighbors = stencil[1] ** stencil[0] - 1
    spread = ("median", "low", "high")
    ways = []
    for way, time in found.items():
        times, ratio = figures.digits(time), figures.digits(found["native"] / time)
        ways.append({"way": way, "calls": 0, "samples": 0, **{f"{name}_us": times for name in spread},
                     **{f"ratio_{name}": ratio for name in spread}})
    return {"stencil": f"({stencil[0]},{stencil[1]})", "dimensions": stencil[0], "values": stencil[1],
            "neighbors": neighbors, "function": function, "ints": ints, "mode": "together", "on": "all",
            "processes": processes, "payload_bytes": 4 * ints * neighbors, "block_bytes": 4 * ints, "ways": ways}


def simulated(program, name):
    """The record of a platform."""
    processes, title = MACHINES[name]
    platform = Platform(HERE / f"{name}.xml")
    document = measure.new_document([], 0.0, quick=False, version=own_version())
    document.update(simulated=True, date=DATE, complete=True, why_partial=None)
    document["machine"] = {"processor": title, "mpi_name": "", "mpi_library": "cost model",
                           "nodes": processes // platform.per_node, "ranks": processes}
    for stencil in STENCILS:
        for function in ("alltoall", "allgather"):
            for ints, found in times(program, platform, processes, stencil, function).items():
                document["cases"].append(case(processes, stencil, function, ints, found))
    one = document["cases"][0]
    way, ratio = figures.best_gain(one)
    place = f"{document['machine']['nodes']} nodes of {platform.per_node}"
    document["verdict"] = (f"SIMULATED: {one['neighbors']} neighbors, {one['ints']} ints, {place}: {way} is "
                           f"{ratio:.1f} times as fast as native")
    return document


def own_version():
    root = HERE.parents[1]
    return re.search(r"version: '([^']*)'", (root / "meson.build").read_text(encoding="utf-8"))[1]


def main():
    program = pathlib.Path(sys.argv[1]).resolve() / "scripts/simulation/hopscotch-model"
    for name in MACHINES:
        target = HERE.parents[1] / "docs/records" / f"simulated-{name}.json"
        target.write_text(figures.as_json(simulated(program, name)), encoding="utf-8")
        print(target)


if __name__ == "__main__":
    main()
