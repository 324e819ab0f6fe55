# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tool makes text and page of a JSON report as the run itself does; compare's table is that of its JSON reports."""

import argparse
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from support import check, setup
from hopscotch_tool import compare, documents, load, report_pair, reported, units

RANKS = 4
program = [*setup.launcher(RANKS), setup.paths.stencil, "-d", "2", "-i", "20"]


class Run:
    """A run with a time in calls."""

    def __init__(self, algorithm, seconds, carried=None):
        operations = [{"function": "MPI_Neighbor_alltoall", "algorithm": name, "calls": calls}
                      for name, calls in (carried if carried is not None else {algorithm: 1}).items()]
        self.report = {"ranks": 1, "nodes": 1, "totals": {}, "graphs": [{"operations": operations}]}
        self.wall_seconds = self.seconds = seconds

    def call_seconds(self):
        return self.seconds


def in_seconds(cells):
    """A time in two cells of a table."""
    return float(cells[0]) * {"us": 1e-6, "ms": 1e-3, "s": 1.0}[cells[1]]


def check_speed_ups(native, cells):
    """The two of a row of the table are those of its times."""
    for time, ratio in ((6, 12), (13, 15)): # in calls, and of the job
        wanted = in_seconds(native[time:time + 2]) / in_seconds(cells[time:time + 2])
        check(abs(float(cells[ratio]) - wanted) <= 0.006 + 0.02 * wanted, "compare: speed-ups", f"{native} {cells}")


def made_report(number, **changed):
    """A report in which no two figures are equal, nor equal to one with another number."""
    spread = {"max": number + 0.1, "mean": number + 0.2, "min": number + 0.3, "total": number + 0.4}
    operations = [{"function": "MPI_Neighbor_alltoall", "algorithm": "merged", "calls": number}]
    graph = {"created_by": "MPI_Cart_create", "stencil": None, "neighbors": {"min": 1, "max": 4},
             "operations": operations}
    return {"schema": 1, "version": f"v{number}", "command": "./program", "ranks": 8, "nodes": 2, "launcher": "srun",
            "mpi_library": "MPICH", "date": f"day {number}", "elapsed_s": number + 0.5,
            "settings": {"HOPSCOTCH_REPORT": "x.json", "HOPSCOTCH_LOG": f"l{number}"},
            "totals": {"calls": number + 6, "accelerated": number + 7, "native": number + 8, "failed": number + 9,
                       "messages": number + 10, "bytes_text": f"{number} B", "payload_bytes_text": f"{number} KiB",
                       "bytes": number + 11, "payload_bytes": number + 12, "time_by_rank_s": spread,
                       "setup_by_rank_s": {name: value + 0.05 for name, value in spread.items()}},
            "graphs": [graph, {**graph, "operations": [{**operations[0], "algorithm": "shared"}]}], **changed}


def output_of(function, *arguments):
    """What a function of the tool prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        function(*arguments)
    return printed.getvalue()


def check_pair(folder):
    """Every fact of two reports stands beside its own name, and choices that only one of them has are shown."""
    paths = [str(folder / name) for name in ("before.json", "after.json")]
    one, other = made_report(100), made_report(200)
    other["graphs"] = [one["graphs"][0], {**other["graphs"][1], "created_by": "MPI_Graph_create"}]
    for path, report in zip(paths, (one, other)):
        pathlib.Path(path).write_text(json.dumps(report), encoding="utf-8")
    found = json.loads(output_of(report_pair.compare, paths, True))
    check({fact["name"]: fact["values"] for fact in found["facts"]} ==
          {"version": ["v100", "v200"], "command": ["./program"] * 2, "date": ["day 100", "day 200"],
           "job": ["8 ranks on 2 nodes, MPICH, started by srun"] * 2,
           "settings": ["HOPSCOTCH_LOG=l100", "HOPSCOTCH_LOG=l200"], "calls": ["106", "206"],
           "accelerated": ["107", "207"], "native": ["108", "208"], "failed": ["109", "209"],
           "messages": ["110", "210"], "sent": ["100 B", "200 B"], "payload": ["100 KiB", "200 KiB"],
           "time in calls": ["100 s", "200 s"], "set-up": ["100 s", "200 s"],
           "job time": ["100 s", "200 s"]}, "two reports: facts", found["facts"])
    check([fact["name"] for fact in found["facts"] if not fact["changed"]] == ["command", "job"],
          "two reports: changes", found["facts"])
    check(found["warnings"] == ["the reports have different values of 'calls': times say little"],
          "two reports: other calls", found["warnings"])
    for paths_of, calls_line in ((paths, False), ([paths[0]] * 2, True)):
        text = output_of(report_pair.compare, paths_of, False)
        check(("The same algorithms carried the same calls." in text) == calls_line and
              ("times say little" in text) != calls_line, "two reports: equal choices", text)
    name = "MPI_Cart_create without a stencil, 4 neighbors: MPI_Neighbor_alltoall"
    check(found["choices"] == [
        {"name": name.replace(":", " (2):"), "values": ["shared 100", "-"]},
        {"name": name.replace("MPI_Cart", "MPI_Graph"), "values": ["-", "shared 200"]}], "two reports: choices",
          found["choices"])
    small = made_report(0)
    small["totals"]["time_by_rank_s"] = {**small["totals"]["time_by_rank_s"], "max": 1e-3}
    check(dict(report_pair.facts(small))["time in calls"] == "1.00 ms" and
          dict(report_pair.facts(small))["set-up"] == "150 ms" and
          dict(report_pair.facts(small))["job time"] == "500 ms", "two reports: times", report_pair.facts(small))
    for name, value in (("command", "./other"), ("ranks", 4), ("nodes", 3)):
        pathlib.Path(paths[1]).write_text(json.dumps(made_report(100, **{name: value})), encoding="utf-8")
        warnings = json.loads(output_of(report_pair.compare, paths, True))["warnings"]
        check(len(warnings) == 1 and f"'{name}'" in warnings[0], f"two reports: another {name}", warnings)


def check_rounds(folder):
    """Algorithms take turns, every report is kept under the number of its round, and JSON has all of each."""
    numbers = iter(range(1, 100))
    asked = []

    def one_run(_command, algorithm, _arguments, first):
        asked.append((algorithm, first))
        number = next(numbers)
        return compare.Run(made_report(number), 1000 + number)

    arguments = argparse.Namespace(repeat=3, keep=str(folder), json=True)
    runs = {"native": [], "merged": []}
    real, compare.one_run = compare.one_run, one_run
    with contextlib.redirect_stderr(io.StringIO()):
        compare.run_all(arguments, list(runs), ["./program"], runs)
    compare.one_run = real
    check(asked == [("native", True)] + [("merged", False), ("native", False)] * 2 + [("merged", False)],
          "compare: algorithms take turns", asked)
    kept = {path.name: json.loads(path.read_text(encoding="utf-8"))["version"] for path in folder.iterdir()}
    check(kept == {f"{name}.{number}.json": f"v{2 * number - (name == 'native')}" for name in runs
                   for number in (1, 2, 3)}, "compare -k: a report for each run", kept)
    found = json.loads(output_of(compare.print_runs, arguments, runs, ["./program"]))
    check((found["command"], found["baseline"], found["job"]) ==
          (["./program"], "native", {"ranks": 8, "nodes": 2, "mpi_library": "MPICH", "launcher": "srun"}),
          "compare --json: the job", found)
    for row, first in zip(found["algorithms"], (1, 2)):
        last = first + 4
        check((row["time_s"], row["job_s"]) ==
              ([number + 0.1 for number in (first, first + 2, last)],
               [1000 + number for number in (first, first + 2, last)]), "compare --json: times", row)
        check([row[name] for name in compare.COUNTS] == [last + part for part in (6, 7, 10, 11, 12)],
              "compare --json: counts of the last run", row)


def check_others():
    """Other programs that use the machine during the runs make a warning, if the job has run on it."""
    for others, nodes, warns in ((0.5, 1, True), (0.05, 1, False), (None, 1, False), (0.5, 2, False)):
        found = list(compare.warnings({"ranks": 1, "nodes": nodes}, others))
        check(found == (["other programs used 50% of the cores of this machine: repeat the comparison when it is idle, "
                         "or take the ratios with care"] if warns else []), f"compare: {others} of {nodes}", found)
    hertz = os.sysconf("SC_CLK_TCK")
    line = " ".join(["cpu ", *(str(number * hertz) for number in (1, 2, 4, 1000, 1000, 8, 16, 32, 0, 0))])
    check(load.busy_seconds(line + "\ncpu0 1 2 3 4 5 6 7 8 9 10\n") == 63, "load: steal and interrupts count", line)
    check([load.share(busy, 2.0, 4.0, 2) for busy in (1.0, 2.0, 6.0, 20.0)] == [0.0, 0.0, 0.5, 1.0], "load: share")
    before = load.Others()
    subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.5: pass"], check=True)
    own = load.own_seconds() - before.begin[1]
    check(own > 0.5, "load: a program that was waited for is the tool's own", own)
    check(0.0 <= before.share() <= 1.0, "load: others")
    real, load.STAT = load.STAT, pathlib.Path("/nowhere")
    check(load.Others().share() is None, "load: unknown")
    load.STAT = real


check_others()
shown = io.StringIO()
with contextlib.redirect_stdout(shown):
    compare.print_json({name: [Run(name, seconds), Run(name, seconds)] for name, seconds in
                        (("native", 2.0), ("merged", 1.0), ("shared", 4.0))}, [])
check([row["verdict"] for row in json.loads(shown.getvalue())["algorithms"]] == [None, "faster", "slower"],
      "compare --json: the faster one", shown.getvalue())
# Of runs of `merged`, whose baseline `native` has taken these times: the calls that algorithms have carried, its times,
# its word for programs, and its sentence. An algorithm that has carried no call has no verdict.
FASTER = "merged is faster than native: 2.00 times as fast, median of 2 rounds (2.00-2.00, worst quartile 2.00)"
for base_calls, calls, own, word, line in (
        ({"native": 5}, {"merged": 5}, (1.0, 1.0), "faster", FASTER),
        ({"native": 5}, {"merged": 3, "native": 2}, (1.0, 1.0), "faster", FASTER + "; native carried 2 of its 5 calls"),
        ({"native": 5}, {"shared": 5}, (1.0, 1.0), "not tried", "merged: not tried: shared carried 5 of its 5 calls"),
        ({"native": 5}, {"shared": 4, "native": 1, "merged": 0}, (1.0, 1.0), "not tried",
         "merged: not tried: native carried 1 and shared carried 4 of its 5 calls"),
        ({"native": 5}, {}, (1.0, 1.0), "not tried", "merged: not tried: it carried no call"),
        ({"shared": 5}, {"merged": 5}, (1.0, 1.0), "unknown",
         "merged: there is nothing to compare with: native was not tried"),
        ({"native": 5}, {"merged": 5}, (0.0, 0.0), "unknown", "merged and native: nothing was timed")):
    made = {name: [Run(name, seconds, carried) for seconds in times]
            for name, times, carried in (("native", (2.0, 2.0), base_calls), ("merged", own, calls))}
    found = compare.verdict.of_runs("native", made["native"], "merged", made["merged"])
    check(found == (word, line), f"compare: the verdict on {calls}", found)
    shown = output_of(compare.print_json, made, [])
    check([row["verdict"] for row in json.loads(shown)["algorithms"]][1] == word, "compare --json: the verdict", shown)
one = [Run("merged", 1.0, {"merged": 5}), Run("merged", 1.0, {"shared": 5})]
check(compare.verdict.of_runs("native", [Run("native", 2.0)] * 2, "merged", one)[0] == "not tried",
      "compare: an algorithm that has carried calls in one of two runs")
found = compare.verdict.of_runs("native", [Run("native", 2.0)] * 2, "native", [Run("native", 2.0)] * 2)
check(found == (None, None), "compare: the baseline has no verdict", found)
found = compare.verdict.of_runs("native", [Run("native", 2.0)] * 2, "auto",
                                [Run("auto", 1.0, {"merged": 3, "shared": 1, "native": 1})] * 2)
check(found == ("faster", FASTER.replace("merged", "auto") + "; native carried 1 of its 5 calls"),
      "compare: auto is all that Hopscotch carries", found)
made = [Run("merged", seconds) for seconds in (6.0, 1.0, 2.0)]
made[-1].report["totals"] = {"calls": 7, "accelerated": 6, "messages": 5, "bytes_text": "4 B"}
check(compare.row("merged", made, [Run("native", 4.0)] * 3) ==
      ["merged", "7", "6", "5", "4 B", "2.00 s", "1.00 s", "6.00 s", "2.00", "2.00 s", "2.00"],
      "compare: median, shortest and longest time", compare.row("merged", made, [Run("native", 4.0)] * 3))
cores = os.cpu_count()
found = [len(list(compare.warnings({"ranks": ranks, "nodes": nodes}))) for ranks, nodes in
         ((cores, 1), (cores + 1, 1), (2 * cores, 2), (2 * cores + 1, 2))]
check(found == [0, 1, 0, 1], "compare warns of more processes than cores", found)
rows = [{"function": "MPI_Neighbor_alltoall", "algorithm": "merged", "calls": calls} for calls in (2, 3)]
graph = {"created_by": "MPI_Cart_create", "stencil": None, "neighbors": {"max": 4}, "operations": rows}
check(list(report_pair.choices({"graphs": [graph]}).values()) == ["merged 5"], "all calls of an algorithm count")

seconds = [{"totals": {"time_by_rank_s": {"max": time}}} for time in (1.0, 4.0, 0.0)]
for before, after, words in ((0, 1, "were 0.25 times as fast as those of the first"),
                             (1, 0, "were 4.00 times as fast as those of the first"), (0, 2, "no time was spent")):
    found = report_pair.ratio(seconds[before], seconds[after])
    check(words in found and (after == 2) == ("times as fast" not in found), "two reports: the faster one", found)


def check_kinds(folder):
    """Each JSON file of Hopscotch is read as what it is, and as nothing else: the error names it."""
    path = folder / "file.json"
    members = {kind: {**dict.fromkeys(kind.members), **kind.marks} for kind in documents.KINDS}
    check(len({kind.what for kind in members}) == len(members) == 8, "kinds of files")
    for kind, written in [*members.items(), (None, {"colour": "blue"}), (None, [1]), (None, {"schema": 1})]:
        path.write_text(json.dumps(written), encoding="utf-8")
        for wanted in documents.KINDS:
            plain = wanted.what.removeprefix("a ")
            try:
                read = documents.read(path, wanted)
                check(kind is wanted and read == written, f"{written} is read as {plain}")
            except documents.WrongUsage as error:
                words = f"is no {plain}" if kind is None else f"is {kind.what}, no {plain}; shown by: "
                check(kind is not wanted and words in str(error), f"{written} is not read as {plain}", error)


for time, text in ((0, "0 s"), (9.994e-6, "9.99 us"), (9.996e-6, "10.0 us"), (999.4e-6, "999 us"),
                   (999.6e-6, "1.00 ms"), (0.9996, "1.00 s"), (1234, "1234 s")):
    check(units.seconds_text(time) == text, "times of the tool", units.seconds_text(time))

with tempfile.TemporaryDirectory() as directory:
    check_kinds(pathlib.Path(directory))
with tempfile.TemporaryDirectory() as directory:
    check_pair(pathlib.Path(directory))
with tempfile.TemporaryDirectory() as directory:
    check_rounds(pathlib.Path(directory))
with tempfile.TemporaryDirectory() as directory:
    for number in (1, 2):
        written = pathlib.Path(directory, f"{number}.json")
        written.write_text(str(number), encoding="utf-8")
        os.utime(written, (number, number))
    check(reported.read_reports(directory) == [2, 1], "the report of the last job comes first")

with tempfile.TemporaryDirectory() as directory:
    base = pathlib.Path(directory, "run")
    shown = setup.tool("run", "-r", f"{base}.txt,{base}.json,{base}.html", "-s", "HOPSCOTCH_CALLSITES=call", "-s",
                       "HOPSCOTCH_VERIFY=on", *program,
                       environment=setup.crowd(RANKS))
    check(shown.returncode == 0, "the run", shown.stderr)
    text = pathlib.Path(f"{base}.txt").read_text(encoding="utf-8")
    page = pathlib.Path(f"{base}.html").read_text(encoding="utf-8")
    for kind, written in (("--text", text), ("--html", page)):
        again = setup.tool("report", kind, f"{base}.json")
        check(again.stdout == written, f"report {kind} writes what the run wrote", again.stdout + again.stderr)
    made = setup.tool("report", f"{base}.json", "--output", f"{base}.again.html")
    check(made.returncode == 0 and pathlib.Path(f"{base}.again.html").read_text(encoding="utf-8") == page,
          "report --output", made.stderr)

    report = json.loads(pathlib.Path(f"{base}.json").read_text(encoding="utf-8"))
    totals = report["totals"]
    check(totals["compared"] == totals["accelerated"] > 0, "all calls were compared", str(totals))
    check("called in" in text and any(operation["call_sites"] for graph in report["graphs"]
                                      for operation in graph["operations"]),
          "call sites of calls", text)
    check("http:" not in page and "https:" not in page and "src=" not in page, "the page loads nothing")
    older = {name: value for name, value in report.items() if name not in ("groups", "lines")}
    pathlib.Path(directory, "older.json").write_text(json.dumps(older), encoding="utf-8")
    again = setup.tool("report", "--html", f"{directory}/older.json")
    check('"groups": [' in again.stdout, "the page of an older version's report", again.stderr)
    pathlib.Path(directory, "bad.json").write_text("{", encoding="utf-8")
    check(setup.tool("report", f"{directory}/bad.json").returncode == 2, "a report that is none")

    kept = pathlib.Path(directory, "kept")
    shown = setup.tool("compare", "-n", "1", "--keep", kept, "--", *program, environment=setup.crowd(RANKS))
    check(shown.returncode == 0, "compare", shown.stderr)
    check("run 7 of 7, auto; about" in shown.stderr, "compare shows progress", shown.stderr)
    table, _, below = shown.stdout.partition("\n\n")
    check("auto and native: one run says nothing of the spread" in below, "compare: no verdict from one run", below)
    carried = {name: any(operation["algorithm"] == name and operation["calls"] for graph in
                         json.loads((kept / f"{name}.1.json").read_text(encoding="utf-8"))["graphs"]
                         for operation in graph["operations"]) for name in ("combining", "aggregated", "shared")}
    check(all((f"{name}: not tried: " in below) != carried[name] for name in carried), "compare: what was not tried",
          f"{carried} {below}")
    check(("processes share" in below) == (RANKS > (os.cpu_count() or RANKS)), "compare warns of too few cores", below)
    rows = {line.split()[0]: line for line in table.splitlines()}
    for algorithm in ("native", "trivial", "merged", "combining", "shared", "aggregated", "auto"):
        report = json.loads((kept / f"{algorithm}.1.json").read_text(encoding="utf-8"))
        totals = report["totals"]
        cells = rows.get(algorithm, "").split()
        check(cells[1:4] == [str(totals["calls"]), str(totals["accelerated"]), str(totals["messages"])],
              f"compare: the figures of {algorithm}", shown.stdout)
        time = totals["time_by_rank_s"]["max"]
        check(abs(in_seconds(cells[6:8]) - time) <= 0.006 * time, f"compare: the time of {algorithm}",
              f"{cells} {time}")
        job = in_seconds(cells[13:15])
        check(job > 0.99 * report["elapsed_s"], f"compare: the job of {algorithm} is all of it",
              f"{cells} {report['elapsed_s']}")
        check_speed_ups(rows["native"].split(), cells)
    check(rows["native"].split()[12::3] == ["1.00", "1.00"], "compare: all is compared with the first", shown.stdout)
    check(rows["native"].split()[2] == "0" and rows["combining"].split()[2] != "0", "what was accelerated",
          shown.stdout)
    requests = [*setup.launcher(2), setup.paths.lifetimes, "requests"]
    shown = setup.tool("compare", "--repeat", "1", "--algorithms", "native,merged", "--show", "--", *requests)
    native, merged = (line.split() for line in shown.stdout.partition("\n\n")[0].splitlines()
                      if line.startswith(("native ", "merged ")))
    check_speed_ups(native, merged)
    check(shown.stdout.count("lifetimes: ok") == 2, "compare --show", shown.stdout)
    shown = setup.tool("compare", "-n", "2", "-a", "native,merged,native", "--json", "--", *requests)
    made = json.loads(shown.stdout)
    check([row["algorithm"] for row in made["algorithms"]] == ["native", "merged"] and made["baseline"] == "native"
          and all(len(row["time_s"]) == len(row["job_s"]) == 2 for row in made["algorithms"])
          and made["algorithms"][1]["verdict"] in ("faster", "slower", "no difference"), "compare --json", shown.stdout)
    shown = setup.tool("compare", "--", *setup.launcher(2), setup.paths.plain)
    check(shown.returncode == 0 and "Nothing to compare" in shown.stdout and "run 2 of" not in shown.stderr,
          "compare ends where nothing is called", shown.stdout + shown.stderr)
setup.finish()
