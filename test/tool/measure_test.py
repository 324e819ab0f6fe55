#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch measure writes what its schema says, keeps what came before an early end, and gives away no names."""

import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import types

from page import Page, shown
from support import ROOT, TOOL, Setup

sys.path.insert(0, str(ROOT / "scripts/tool"))
sys.path.insert(0, str(ROOT / "scripts/benchmarks"))
import gauge  # noqa: E402  the path has to be known first
from hopscotch_tool.measuring import figures, model, osu, page, parts, text, verdict  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

setup = Setup()
check = setup.check
two = setup.launcher(2)
CROWD = setup.crowd(2)
SCHEMA = json.loads((ROOT / "docs/measure.schema.json").read_text(encoding="utf-8"))
FILES = ["measure.html", "measure.json", "measure.tar.gz", "measure.txt"]
# Kills a rank of the job that measures cases, after the first of them.
KILLER = """#!{python}
import os, pathlib, subprocess, sys
job = subprocess.Popen([*{launcher!r}, *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
def rank_below(parent):
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = path.read_text().rpartition(")")[::2]
            if int(rest.split()[1]) == parent:
                found = path.parent.name if name.endswith("(measure") else rank_below(int(path.parent.name))
                if found:
                    return found
        except (OSError, ValueError):
            pass
for line in job.stdout:
    print(line, end="", flush=True)
    victim = rank_below(job.pid) if '"case"' in line else None
    if victim:
        os.kill(int(victim), 9)
sys.exit(job.wait() % 256)
"""


# Stands for one of OSU's programs; natively it fails.
OSU = """#!/bin/sh
[ "$WAY" = auto ] || { echo "no grid" >&2; exit 1; }
echo "# Size  Avg Latency(us)"
echo "8   1.50"
echo "16  2.25"
echo "# $*" >"$0.arguments"
"""


def read(folder, what, complete):
    """The measurement in a folder, which fits the schema."""
    path = pathlib.Path(folder, "measure.json")
    check(path.is_file(), f"{what}: there is a measure.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    if jsonschema is None:
        print("skipped: jsonschema is not installed")
    else:
        errors = [error.message for error in jsonschema.Draft7Validator(SCHEMA).iter_errors(document)]
        check(not errors, f"{what}: the schema", errors[:5])
    check(document["complete"] == complete, f"{what}: complete is {complete}", document["why_partial"])
    return document


def check_ratios(document):
    """Figures that follow from others do."""
    for case in document["cases"]:
        for way in case["ways"]:
            check(way["low_us"] <= way["median_us"] <= way["high_us"] and way["samples"] > 0, "quartiles", str(way))
            check(way["way"] != "native" or way["ratio_median"] == 1, "native over native", str(way))
        check({"native", "auto"} <= {way["way"] for way in case["ways"]}, "ways of a case", str(case))
    names = {case["function"] for case in document["cases"]}
    check("alltoall" in names, "alltoall is measured first", names)
    check(any(entry["what"].startswith("cases: ") for entry in document["left_out"]), "cases are left out by name")


def check_page(folder, document):
    html = pathlib.Path(folder, "measure.html").read_text(encoding="utf-8")
    page = Page(html)
    check(page.problem is None, "page: tags match", page.problem)
    check("http" not in html.replace("http://www.w3.org", ""), "page: nothing is loaded")
    check(document["verdict"] in "".join(page.texts["pre"]), "page: the text without a script")
    if made := shown(pathlib.Path(folder, "measure.html")):
        texts = [piece.text() for piece in made["pieces"]]
        check(made["hidden"] and made["sorts"], "page: its script runs", made["hidden"])
        check(document["verdict"] in texts, "page: the verdict", texts[:9])
        names = {piece.name for piece in made["pieces"]}
        check({"gains by size", "algorithm by size"} <= names, "page: drawings", sorted(names))


def case_of(auto, best):
    """A case in which `auto` and another algorithm take these seconds, with their spread."""
    return figures.case_of({"dimensions": 3, "values": 3, "neighbors": 26, "function": "alltoall", "ints": 100,
                            "mode": "together", "on": "all", "processes": 8, "payload_bytes": 1,
                            "ways": [{"way": name, "calls": 9, "times_s": [time * part for part in (1, 2, 8, 4, 3)]}
                                     for name, time in (("native", 8e-6), ("auto", auto), ("merged", best))]})


def check_figures():
    """Ratios, quartiles, comparisons and verdicts of known times."""
    case = case_of(auto=2e-6, best=1e-6)
    auto = figures.way_in(case, "auto")
    check([auto[name] for name in ("median_us", "low_us", "high_us", "samples")] == [6, 4, 8, 5], "quartiles", auto)
    check([auto[f"ratio_{name}"] for name in ("median", "low", "high")] == [4, 4, 4], "native over auto", auto)
    best, lead = figures.best_other(case)
    check(best["way"] == "merged" and lead == 2, "the fastest algorithm", f"{best} {lead}")
    check([(one["best"], one["times"]) for one in verdict.not_best([case])] == [("merged", 2)], "where auto is behind")
    check(verdict.not_best([case_of(auto=2e-6, best=1.95e-6)]) == [], "where auto is not behind")
    machine = {"nodes": 2, "ranks_per_node_least": 3, "ranks_per_node_most": 4}
    said = verdict.sentence({"machine": machine, "cases": [case]})
    check(said == "26 neighbors, 100 ints, 2 nodes of 3 to 4: auto 4.0 (4.0-4.0) times native; never below 4.00",
          "the verdict of known times", said)
    one, other = ({"machine": {}, "version": "1", "verdict": "", "complete": True, "cases": [case_of(seconds, 1e-6)]}
                  for seconds in (4e-6, 1e-6))
    lines = list(text.comparison(one, other, ["a", "b"]))
    check("the second is 4.00 times as fast on geometric average" in lines[-1] and " 4.00*" in lines[-2],
          "the faster of two measurements", lines)
    check(figures.in_order((1, 2), "ab") == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]
          and figures.in_order("ab", "cd", "ef")[:4] == [(*"ace",), (*"acf",), (*"ade",), (*"bce",)],
          "what is early in the lists comes first", figures.in_order("ab", "cd", "ef"))
    check(parts.typical_spread([case]) == 1 / 3, "the spread of known times", parts.typical_spread([case]))
    found = {}
    for nodes, least, most in ((4, 2, 2), (2, 3, 4), (1, 8, 8), (3, 1, 1)):
        machine = {"nodes": nodes, "ranks_per_node_least": least, "ranks_per_node_most": most, "ranks": nodes * most}
        found[nodes] = parts.Measurement.subsets(types.SimpleNamespace(document={"machine": machine}))
    check(found == {4: [("nodes:1", 2), ("nodes:2", 4), ("half", 4), ("one", 4)],
                    2: [("nodes:1", 3), ("half", 4), ("one", 2)], 1: [("half", 4)], 3: [("nodes:2", 2)]},
          "parts of a job", found)
    message = {"where": "between nodes", "send_overhead_s": 1e-6, "receive_overhead_s": 2e-6,
               "half_round_trip_s": {"median": 7e-6}, "half_round_trip_of_1_mib_s": {"median": 7e-6 + (1 << 20) * 1e-9}}
    used = model.parameters([message, {**message, "where": "within a node", "copy_s_per_byte": 3e-10}])
    check({name: float(f"{used[name]:.6g}") for name in used} ==
          {**model.ASSUMED, "latency": 4e-6, "send_overhead": 1e-6, "receive_overhead": 2e-6, "gap_per_byte": 1e-9,
           "copy_per_byte": 3e-10, "library_latency": 4e-6, "library_overhead": 1.5e-6}, "what the model uses", used)
    auto["predicted_us"], judged = 12.0, {"model": {}, "cases": [case]}
    model.judge(judged)
    check((judged["model"]["factor"], judged["model"]["predictions"], judged["model"]["worst"]["way"]) ==
          (2, 1, "auto"), "the factor by which the model is off", judged["model"])
    quiet = {"ranks_per_core_most": 1, "lost_share_most": 0.05, "cores_of_others_most": 0.1, "unpinned_ranks": 0,
             "ranks": 4, "virtual": False}
    for member, value, words in ((None, None, None), ("ranks_per_core_most", 2, "2 processes share a core"),
                                 ("lost_share_most", 0.06, "for 6 % of the time"), ("virtual", True, "a virtual"),
                                 ("cores_of_others_most", 0.2, "others used 0.2 cores"),
                                 ("unpinned_ranks", 1, "1 of 4 ranks are not pinned")):
        told = list(verdict.warnings({"machine": {**quiet, **({member: value} if member else {})}, "cases": [],
                                      "selftest": {"status": 0}}))
        check(not told if words is None else len(told) == 1 and words in told[0], f"warnings: {member}", told)
    for others, owns, outcome in (([9, 9, 9], [10, 11, 12], (True, False)), ([9, 9, 9], [10, 11, 8], (False, False)),
                                  ([12, 11, 10], [9, 9, 9], (False, True)), ([12, 11, 8], [9, 9, 9], (False, False)),
                                  ([10, 10, 10], [10.2, 10.3, 10.1], (False, False))):
        cell = gauge.Cell("", others, owns)
        check((cell.lost(), cell.won()) == outcome, "the gauge", f"{others} {owns}")


def check_environment():
    """`measure` leaves out settings that would measure something else, keeps others, and has a native way without."""
    given = {**dict.fromkeys(parts.NOT_MEASURED, "off"), "HOPSCOTCH_CUTOFF": "7", "HOPSCOTCH_REPORT": "x.json"}
    os.environ.update(given)
    seen = []
    library = pathlib.Path(setup.paths.library)
    measurement = parts.Measurement(two, library, parts.Effort(1.0), {"failures": []}, None, None)
    real, parts.process_group.run_by_line = parts.process_group.run_by_line, \
        lambda *_, env: seen.append(env) or (0, "")
    for native in (False, True):
        measurement.run("what", [], 1, None, native=native)
    parts.process_group.run_by_line = real
    for name in given:
        del os.environ[name]
    ours, native = ({name: value for name, value in env.items() if name.startswith("HOPSCOTCH")} for env in seen)
    check({name: ours[name] for name in ours if name not in ("HOPSCOTCH_TOOL", "HOPSCOTCH_LIBRARY",
                                                            "HOPSCOTCH_EXPLAIN")} ==
          {"HOPSCOTCH_CUTOFF": "7", "HOPSCOTCH_REPORT": "off", "HOPSCOTCH_LOG": "error"}, "measure: settings", ours)
    check(seen[0]["LD_PRELOAD"].split(":")[0] == os.path.realpath(setup.paths.library) and not native
          and seen[1].get("LD_PRELOAD") == os.environ.get("LD_PRELOAD"), "measure: the native way", native)


def made_document():
    """A measurement in which all figures differ."""
    def times(number):
        return {"median": number / 1e3, "low": (number + 1) / 1e3, "high": (number + 2) / 1e3, "samples": number + 3}

    machine = {"mpi_name": "MPICH 4", "mpi_device": "ch4", "ranks": 8.0, "nodes": 3.0, "cores_online": 4.0,
               "numa_nodes": 2.0, "unpinned_ranks": 5.0, "processor": "P", "kernel": "K", "clock_source": "tsc",
               "yama_ptrace_scope": "1", "virtual": True}
    network = {"where": "within a node", "half_round_trip_s": times(10), "send_overhead_s": 1e-6,
               "receive_overhead_s": 2e-6, "half_round_trip_of_1_mib_s": {"median": 1e-3}}
    one, other = case_of(auto=2e-6, best=1e-6), {**case_of(auto=4e-6, best=1e-6), "ints": 16, "block_bytes": 64}
    return {"verdict": "V", "complete": True, "warnings": ["W"], "machine": machine, "networks": [network],
                "cases": [one, other], "not_best": verdict.not_best([one, other]),
                "model": {"factor": 1.5, "predictions": 7, "assumed": {"latency": 11.0, "copy": 12.0},
                          "used": {"latency": 13.0, "copy": 14.0},
                          "worst": {"way": "auto", "function": "alltoall", "stencil": "(3,3)", "block_bytes": 2048,
                                    "predicted_us": 21.0, "measured_us": 22.0}},
                "creation": [{"neighbors": 26, "way": "auto", "graph_s": times(20), "first_call_s": times(30)}],
                "start": [{"way": "native", "init_s": times(40), "job_s": times(50)}],
                "selftest": {"status": 0, "verdict": "S"},
                "osu": [{"program": "osu", "neighborhood": "cart:2:1", "way": "auto", "bytes_and_us": [[8.0, 1.5]]}],
                "left_out": [{"what": f"L{i}", "why": "no time"} for i in range(14)],
                "failures": [{"part": "F", "text": "failed"}]}


def check_text():
    """Every figure of a measurement stands in its text beside its own name."""
    def shown(number):
        return f"{number:.1f} ms ({number + 1:.1f} ms-{number + 2:.1f} ms, {number + 3} samples)"

    document = made_document()
    lines = [" ".join(line.split()) for line in text.lines(document)]
    for line in ("V", "warning: W", "MPI library MPICH 4 ch4",
                 "processes 8 on 3 node(s) of 4 cores and 2 NUMA node(s); 5 ranks not pinned",
                 "machine P, K, clock tsc, Yama 1, virtual",
                 f"within a node 8 B: {shown(10)}; overheads 1.00 us and 2.00 us; 1 MiB: 1.0 GB/s",
                 "native over auto, back to back: medians (quartiles) of 5 samples",
                 "function, stencil 64 B 400 B", "alltoall (3,3) 2.00 (2.00-2.00) 4.00 (4.00-4.00)",
                 "alltoall (3,3) 64 B, back to back 12.0 us merged 3.00 us 4.00",
                 "alltoall (3,3) 400 B, back to back 6.00 us merged 3.00 us 2.00",
                 "the model is off by a factor of 1.50 (geometric mean of 7 figures); most for auto, alltoall (3,3), "
                 "2 KiB: 21.0 us predicted, 22.0 us measured", "latency 13 11", "copy 14 12",
                 f"a graph of 26 neighbors, auto: {shown(20)}",
                 f"MPI_Init, native: {shown(40)}; whole job: {shown(50)}", "selftest: S",
                 "osu -N cart:2:1, auto: 8 B 1.5 us", "left out: L0: no time", "left out: L11: no time",
                 "left out: 2 more, all in measure.json", "failed: F: failed"):
        check(line in lines, f"text: {line}", "\n".join(lines))
    check("left out: L12: no time" not in lines, "text: a long list", lines)
    check([entry["block_bytes"] for entry in document["not_best"]] == [64, 400], "the worst case comes first",
          document["not_best"])
    partial = list(text.lines({**document, "complete": False, "why_partial": "why", "machine": {}}))
    check(partial[:3] == ["V", "PARTIAL: why", "warning: W"], "text: a partial measurement", partial)
    row = text.progress_line(document["cases"][0], 12.4).split()
    check(row == "12s (3,3) alltoall 400 B 24.0 us 6.00 us 4.00 merged 3.00 us".split(), "a row while it measures", row)


def check_made_page(scratch):
    """The page shows the same: tiles, facts, tables, and the figures of its drawings."""
    document = {**made_document(), "geometric_mean": 3.25, "launcher": ["srun", "-n", "8"], "date": "D",
                "version": "1.2", "simulated": False, "complete": False, "why_partial": "why"}
    document["cases"][0]["ways"][1]["predicted_us"] = 12.5
    path = scratch / "made.html"
    path.write_text(page.page(document), encoding="utf-8")
    made = shown(path)
    if made is None:
        print("skipped: node is not there; the page of a measurement is not looked at")
        return
    texts = [piece.text() for piece in made["pieces"]]
    for line in ("srun -n 8", "V", "W", "PARTIAL: why", "MPI library", "MPICH 4 ch4", "8 on 3 nodes", "P, 4 cores, K",
                 "10.0 ms for 8 B", "L0 (no time), L1 (no time), L2 (no time) and 11 more (in measure.json)",
                 "alltoall (3,3) | 400 B | back to back | 8 | auto | 6.00 us | 4.00 us - 8.00 us | 4.00 | 12.5 us | 5",
                 "alltoall (3,3) | 64 B | back to back | 8 | merged | 3.00 us | 2.00 us - 4.00 us | 8.00 |  | 5",
                 "alltoall (3,3) | 64 B | back to back | 12.0 us | merged | 3.00 us | 4.00"):
        check(line in texts or line.replace(" |  |", " |") in texts, f"page: {line}", "\n".join(texts))
    tiles = [(piece.name.strip(), piece.texts[0]) for piece in made["pieces"] if piece.name.startswith("tile")]
    check(tiles == [("tile", "3.25 times"), ("tile", "2.00 times"), ("tile unknown", "factor 1.50"), ("tile", "right")],
          "page: tiles", tiles)
    cells = next(piece for piece in made["pieces"] if piece.name == "algorithm by size")
    check([(cell["title"], cell["class"]) for cell in cells.bars] ==
          [("native: 24.0 us", "cell faster"), ("native: 24.0 us", "cell faster"), ("auto: 12.0 us", "cell faster"),
           ("auto: 6.00 us", "cell faster"), ("merged: 3.00 us", "cell faster"), ("merged: 3.00 us", "cell faster")]
          and cells.texts == ["64 B", "400 B", "native", "1.0", "1.0", "auto", "2.0", "4.0", "merged", "8.0", "8.0"],
          "page: algorithm by size", f"{cells.bars} {cells.texts}")
    gains = next(piece for piece in made["pieces"] if piece.name == "gains by size")
    wanted = {f"{what}.0 times native" for what in ("auto, 64 B: 2", "auto, 400 B: 4", "merged, 64 B: 8",
                                                    "merged, 400 B: 8")}
    check({line for line in gains.texts if line.endswith("native")} == wanted, "page: gains by size", gains.texts)
    against = next(piece for piece in made["pieces"] if piece.name == "model and measurement")
    check("auto, alltoall (3,3), 400 B: 12.5 us predicted, 6.00 us measured" in against.texts, "page: the model",
          against.texts)
    for least, answer, worst, right in ((0.94, None, "tile warn", ("tile unknown", "not run")),
                                        (0.95, 1, "tile", ("tile bad", "WRONG")), (1.0, -1, "tile", ("tile bad",
                                                                                                 "not done"))):
        document["cases"][0]["ways"][1]["ratio_median"] = least
        document["selftest"] = None if answer is None else {"status": answer, "verdict": "S"}
        path.write_text(page.page(document), encoding="utf-8")
        found = [(piece.name.strip(), piece.texts[0]) for piece in shown(path)["pieces"]
                 if piece.name.startswith("tile")]
        check(found[1] == (worst, f"{least:.2f} times") and found[3] == right, f"page: tiles of {least} {answer}",
              found)


def check_whole(folder):
    done = setup.tool("measure", "--quick", "-t", "0.4", "-o", folder, "--", *two, environment=CROWD)
    check(done.returncode == 0, "a quick measurement", done.stdout[-3000:] + done.stderr)
    document = read(folder, "a quick measurement", True)
    check(sorted(path.name for path in folder.iterdir()) == FILES, "the files", sorted(folder.iterdir()))
    check(document["elapsed_s"] < 24 + 60, "the time is kept", document["elapsed_s"])
    check("neighbors, 100 ints, one node of 2: auto " in document["verdict"], "the verdict", document["verdict"])
    check(document["verdict"] in done.stdout.splitlines(), "the verdict is printed", done.stdout)
    check(any("(3,3) alltoall 400 B" in line and "s  " in line[:8] for line in done.stdout.splitlines()),
          "rows while it measures", done.stdout)
    with tarfile.open(folder / "measure.tar.gz") as archive:
        check(sorted(archive.getnames()) == ["measure/measure.html", "measure/measure.json", "measure/measure.txt"],
              "the archive", archive.getnames())
    check_ratios(document)
    check_page(folder, document)


def check_nodes(scratch):
    """Two nodes on one machine, as MPICH can have them: what there is between nodes, and on parts of the job."""
    if "openmpi" in setup.paths.library:
        print("skipped: only MPICH makes several nodes of one machine")
        return
    done = setup.tool("measure", "--quick", "-t", "0.5", "-o", scratch / "nodes", "--", *setup.launcher(4),
                      environment={**setup.crowd(99), "MPIR_CVAR_NUM_CLIQUES": "2"})
    check(done.returncode == 0, "two nodes", done.stdout[-3000:] + done.stderr)
    document = read(scratch / "nodes", "two nodes", True)
    check("2 nodes of 2: auto" in document["verdict"] and document["machine"]["nodes"] == 2, "two nodes: the verdict",
          document["verdict"])
    check([one["where"] for one in document["networks"]] == ["within a node", "between nodes"], "two nodes: messages",
          document["networks"])
    ways = {way["way"] for case in document["cases"] for way in case["ways"]}
    check({"aggregated", "mapped"} <= ways, "two nodes: ways", ways)
    parts = {case["on"] for case in document["cases"]} | {word for entry in document["left_out"]
                                                          for word in entry["what"].split()}
    check({"nodes:1", "half", "one"} <= parts, "two nodes: parts of the job are measured or left out by name", parts)


def check_comparison(folder):
    file = folder / "measure.json"
    done = setup.tool("measure", "--compare", file, file)
    check(done.returncode == 0 and "the second is 1.00 times as fast on geometric average" in done.stdout,
          "two measurements side by side", done.stdout + done.stderr)


def check_record(folder, scratch):
    """What is shown is what is written, and no name is in it."""
    target, named = scratch / "record.json", scratch / "named.json"
    document = json.loads((folder / "measure.json").read_text(encoding="utf-8"))
    document["machine"]["mpi_library"] += ", package: Open MPI jane@login7 Distribution"
    document["launcher"] += ["--host", "login7", "--wdir=/home/jane"]
    document["settings"]["HOPSCOTCH_CONFIG"] = "/home/jane/site.conf"
    document["left_out"].append({"what": "selftest", "why": "not installed with /home/jane/lib"})
    named.write_text(json.dumps(document), encoding="utf-8")
    words = [sys.executable, str(TOOL), "measure", "--record", "-o", str(target), str(named)]
    for answer, status in (("no\n", 1), ("yes\n", 0)):
        done = subprocess.run(words, input=answer, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False, timeout=100)
        check(done.returncode == status and target.is_file() == (status == 0), f"a record, after {answer!r}",
              done.stderr)
    check(target.read_text(encoding="utf-8") == done.stdout, "a record is what was shown")
    places = json.loads(done.stdout)["machine"]["places"]
    check([place.split()[0] for place in places] == ["node1", "node1"], "hosts are numbered", places)
    # A host may be called "vm", and that stand in a word.
    check(f'"{platform.node()}' not in done.stdout and not any(name in done.stdout for name in (
        str(ROOT), "jane", "login7")), "no names in a record", done.stdout[:3000])


def check_dead_rank(scratch):
    launcher = scratch / "killing"
    launcher.write_text(KILLER.format(python=sys.executable, launcher=two), encoding="utf-8")
    launcher.chmod(0o755)
    done = setup.tool("measure", "--quick", "-t", "0.4", "-o", scratch / "dead", "--", launcher, environment=CROWD)
    document = read(scratch / "dead", "a rank dies", False)
    check(done.returncode == 1 and "PARTIAL: " in done.stdout and document["failures"], "a rank dies", done.stdout)
    check(len(document["cases"]) > 0, "a rank dies: what came before is kept", document["failures"])


class OsuMeasurement:
    """As much of a measurement as OSU's part needs."""

    def __init__(self, ranks):
        self.document = {"machine": {"ranks": ranks}, "osu": []}
        self.command = []
        self.environment = {**os.environ, "WAY": "auto"}
        self.left_out = []

    def left(self):
        return 100.0

    def leave_out(self, what, why="no time"):
        self.left_out.append((what, why))


def check_osu(scratch):
    """Their times are kept; a program that gives none is left out with its words."""
    found = {ranks: osu.neighborhood(ranks) for ranks in (2, 3, 8, 9, 16, 27, 36, 64)}
    check(found == {2: None, 3: "cart:1:1", 8: "cart:1:1", 9: "cart:2:1", 16: "cart:2:1", 27: "cart:3:1",
                    36: "cart:3:1", 64: "cart:3:1"}, "OSU: the grid of most dimensions", found)
    program = scratch / "osu_neighbor_alltoall"
    program.write_text(OSU, encoding="utf-8")
    program.chmod(0o755)
    os.environ["PATH"] = f"{scratch}:{os.environ['PATH']}"
    several, few = OsuMeasurement(9), OsuMeasurement(2)
    osu.measure(several, 3.0)
    osu.measure(few, 3.0)
    check(several.document["osu"][:1] == [{"program": program.name, "neighborhood": "cart:2:1", "way": "auto",
                                           "bytes_and_us": [[8.0, 1.5], [16.0, 2.25]]}], "OSU: times", several.document)
    check((scratch / (program.name + ".arguments")).read_text(encoding="utf-8") == "# -N cart:2:1 -m 8:65536\n",
          "OSU: arguments")
    check((f"{program.name}, native", "no grid") in several.left_out, "OSU: a program that fails", several.left_out)
    check(few.left_out and not few.document["osu"], "OSU: too few ranks", few.left_out)


def check_failing_launcher(scratch):
    launcher = scratch / "failing"
    launcher.write_text("#!/bin/sh\necho no such queue >&2\nexit 5\n", encoding="utf-8")
    launcher.chmod(0o755)
    done = setup.tool("measure", "--minutes", "1", "--output", scratch / "failed", "--", launcher)
    document = read(scratch / "failed", "a launcher fails", False)
    check(done.returncode == 1 and "no such queue" in done.stderr and "status 5" in document["failures"][0]["text"],
          "a launcher fails", done.stdout + done.stderr)


def check_interruption(scratch):
    """The file is written again while cases come, for an end that nobody hears of; and at Ctrl-C."""
    command = [sys.executable, str(TOOL), "measure", "--quick", "-t", "1.5", "-o", str(scratch / "ended"), "--", *two]
    file = scratch / "ended" / "measure.json"
    kept = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, env={**os.environ, **CROWD}) as process:
        for line in process.stdout:
            kept = json.loads(file.read_text(encoding="utf-8"))["cases"] if "alltoall" in line else []
            if kept:
                process.send_signal(signal.SIGINT)
                break
        rest = process.stdout.read()
        status = process.wait(100)
    check(kept, "cases are kept before their part is over")
    document = read(scratch / "ended", "Ctrl-C", False)
    check(status == 130 and "PARTIAL: interrupted by SIGINT" in rest and len(document["cases"]) >= len(kept),
          "Ctrl-C: what came before is kept", f"{status} {rest}")


def check_full_disk(scratch):
    """The files that were whole before stay, and the text is printed."""
    place = scratch / "full"
    place.mkdir()
    words = " ".join(map(str, [sys.executable, TOOL, "measure", "--quick", "-t", "0.3", "-o", place / "m", "--", *two]))
    script = (f"mount -t tmpfs -o size=16k none {place} && {words}; echo status $?; "
              f"ls {place}/m; cat {place}/m/measure.json")
    done = subprocess.run(["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "sh", "-c", script],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, timeout=200, env={**os.environ, **CROWD})
    if "mount" in done.stderr or "unshare" in done.stderr:
        print("skipped: no file system may be mounted here")
        return
    check("status 3" in done.stdout and "No space left on device" in done.stderr and "PARTIAL: " in done.stdout
          and "unfinished" not in done.stdout, "a full disk", done.stdout + done.stderr)
    kept = json.loads(done.stdout[done.stdout.rindex("\n{\n") + 1:])
    check(not kept["complete"], "a full disk: the last file that had room", kept["why_partial"])


with tempfile.TemporaryDirectory(prefix="measure_") as directory:
    here = pathlib.Path(directory)
    for name, part in (("figures", check_figures), ("text", check_text), ("environment", check_environment),
                       ("page", lambda: check_made_page(here)),
                       ("whole", lambda: check_whole(here / "whole")),
                       ("nodes", lambda: check_nodes(here)),
                       ("osu", lambda: check_osu(here)),
                       ("comparison", lambda: check_comparison(here / "whole")),
                       ("record", lambda: check_record(here / "whole", here)),
                       ("dead rank", lambda: check_dead_rank(here)),
                       ("failing launcher", lambda: check_failing_launcher(here)),
                       ("interruption", lambda: check_interruption(here)),
                       ("full disk", lambda: check_full_disk(here))):
        begin = time.monotonic()
        part()
        print(f"{time.monotonic() - begin:.0f} s: {name}", flush=True)
setup.finish()
