# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures, parts, text and page of measurements that are made up: `hopscotch measure` without a run."""

import json
import os
import pathlib
import tempfile
import time
import types

from page import shown
from support import check, setup
import gauge
from hopscotch_tool import process_group
from hopscotch_tool.measuring import figures, model, page, parts, text, verdict

two = setup.launcher(2)


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
    typical = ("26 neighbors, 100 ints, 2 nodes of 3 to 4: auto is {} times as fast as native (median of 5 samples, "
               "worst ")
    check(said == typical.format("4.00") + "quartile 4.00); 1 case: medians 4.00-4.00, worst quartile 4.00",
          "the verdict of known times", said)
    # A case in which the MPI library's function is faster, and one whose samples differ.
    slow, uneven = case_of(auto=16e-6, best=1e-6), case_of(auto=2e-6, best=1e-6)
    figures.way_in(uneven, "auto").update(ratio_low=0.09, ratio_high=13510.0)
    said = verdict.sentence({"machine": machine, "cases": [slow, case, uneven]})
    check(said == typical.format("0.50") + "quartile 0.50); 3 cases: medians 0.50-4.00, worst quartile 0.09",
          "the verdict on a gain that is none", said)
    check(verdict.sentence({"machine": machine, "cases": []}) == "nothing was measured", "the verdict on nothing")
    one, other = ({"machine": {}, "version": "1", "verdict": "", "complete": True, "cases": [case_of(seconds, 1e-6)]}
                  for seconds in (4e-6, 1e-6))
    gain = ("the second: {0} times as fast, median of 1 cases in both ({0}-{0}, worst quartile {0}); on geometric "
            "average {0}")
    for pair, ratio in (((one, other), "4.00"), ((other, one), "0.25"), ((one, one), "1.00")):
        lines = list(text.comparison(*pair, ["a", "b"]))
        check(gain.format(ratio) in lines[-1] and (f" {ratio}*" in lines[-3]) == (ratio != "1.00"),
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
    steady = figures.case_of({"dimensions": 3, "values": 3, "neighbors": 26, "function": "alltoall", "ints": 100,
                              "mode": "together", "on": "all", "processes": 8, "payload_bytes": 1,
                              "ways": [{"way": way, "calls": 1, "times_s": [1e-6] * 5} for way in ("native", "auto")]})
    for changed, cases, doubtful in (({}, [steady], False), ({"virtual": True, "unpinned_ranks": 1}, [steady], False),
                                     ({"lost_share_most": 0.06}, [steady], True), ({}, [case], True),
                                     ({"ranks_per_core_most": 2}, [steady], True),
                                     ({"lost_share_most": 1}, [], False)):
        document = {"machine": {**machine, **quiet, **changed}, "cases": cases, "selftest": None}
        verdict.judge(document)
        check(document["verdict"].endswith("; doubtful, see the warnings") == doubtful,
              f"a doubtful verdict: {changed}", document["verdict"])
    told = list(verdict.warnings({"machine": quiet, "cases": [case], "selftest": {"status": 1, "verdict": "wrong"}}))
    check(len(told) == 2 and "differ by 33 %" in told[0] and told[1] == "selftest: wrong", "warnings of samples", told)
    lines = list(text.comparison(one, {**other, "cases": [{**case_of(1e-6, 1e-6), "ints": 7}]}, ["a", "b"]))
    check(lines[-1] == "no case is in both", "measurements of other cases", lines)
    bare = {**case, "on": "nodes:2", "ways": [way for way in case["ways"] if way["way"] != "auto"]}
    check(text.progress_line(bare, -1.0).split() == "0s (3,3) alltoall 400 B, 2 nodes".split() and
          figures.best_other(bare) == (None, 0.0), "a case without auto", text.progress_line(bare, -1.0))
    check(list(text.model_lines({"factor": None, "not_predicted": "why"})) == ["the model was not compared: why"] and
          "nothing that it predicts" in next(text.model_lines(None)), "no model")
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


class MadeJobs:
    """Stands for jobs of the measuring program: answers at once what each part and case asks for."""

    def __init__(self, ranks, nodes, version="MPICH Version:  4.2 MPICH Device: ch4:ucx", most_cases=9):
        self.machine = {"kind": "machine", "ranks": ranks, "nodes": nodes, "ranks_per_node_least": ranks // nodes,
                        "ranks_per_node_most": ranks // nodes, "mpi_library": version}
        self.most_cases = most_cases
        self.asked = []
        self.failing = None
        self.not_defined = ()  # stencil and function of cases that cannot be measured

    def __call__(self, command, _seconds, take, env):
        words = dict(word.split("=", 1) for word in command if "=" in word)
        if "selftest" in command:
            self.asked.append("selftest")
            for name, result in (("one copy", "equal"), ("merged", "2 FAILED"), ("shared", "not reached"),
                                 ("trivial", "not tried"), ("combining", "not done in time")):
                take(f"{name:12} {3:5} {12:8} {8:8} {1:8.1f}  {result}\n")
            take("verdict: right\n")
            return 0, ""
        what = words.get("part") or words["on"] + " " + words["cases"].split(",")[0]
        native = words.get("part") == "start" and setup.paths.library not in env.get("LD_PRELOAD", "")
        self.asked.append(what + " native" * native)
        if what == self.failing:
            return 6, "no such queue"
        spread = [3e-6, 1e-6, 2e-6]
        network = {"kind": "network", "where": "within a node", "half_round_trip_s": spread}
        answers = {"machine": [self.machine, network],
                   "start": [{"kind": "start", "init_s": 0.25}],
                   "create": [{"kind": "creation", "way": "auto", "neighbors": 26, "graph_s": spread}]}
        for case in words["cases"].split(",")[:self.most_cases] if "cases" in words else ():
            stencil, function, ints, mode = case.split(":")
            record = {"kind": "case", "function": function, "ints": int(ints), "mode": mode, "on": words["on"],
                      "dimensions": int(stencil.split("x")[0]), "values": int(stencil.split("x")[1]), "neighbors": 26,
                      "processes": 2, "payload_bytes": 1, "ways": [{"way": way, "calls": 2, "times_s": spread}
                                                                   for way in words["ways"].split(",")]}
            if (stencil, function) == self.not_defined:
                record = {**record, "kind": "left_out", "why": "another order"}
            answers.setdefault(what, []).append(record)
        for answer in answers.get(what, []):
            take("[0] " + figures.MARK + json.dumps(answer) + "\n")
        return 0, ""


def measured_by(jobs, ranks, seconds=600.0):
    """The document of a measurement with such jobs."""
    document = {name: [] for name in ("cases", "networks", "creation", "start", "osu", "left_out", "failures")}
    document.update(machine={}, selftest=None)
    measurement = parts.Measurement(setup.launcher(ranks), pathlib.Path(setup.paths.library), parts.Effort(seconds),
                                    document, lambda *_: None, lambda: None)
    real = parts.process_group.run_by_line, parts.osu.measure
    parts.process_group.run_by_line, parts.osu.measure = jobs, lambda *_: None
    try:
        parts.measure_all(measurement)
    finally:
        parts.process_group.run_by_line, parts.osu.measure = real
    return document


def check_parts():
    """All parts are measured in order, each on its processes; what has no time is left out by name."""
    jobs = MadeJobs(8, 2)
    document = measured_by(jobs, 8)
    first = "3x3:alltoall:100:together"
    check(jobs.asked[:2] == ["machine", f"all {first}"] and jobs.asked[2:9] ==
          ["create", *["start native", "start"] * 3] and jobs.asked[9:14] ==
          ["all 3x3:global_allgather:1:together", f"nodes:1 {first}", f"half {first}", f"one {first}", "selftest"],
          "parts of a measurement", jobs.asked[:16])
    everything = parts.all_cases()
    known = {figures.identity(case) for case in document["cases"]}
    check({(*case, "all") for case in everything} <= known and len(document["cases"]) ==
          len(everything) + 4 + 3 * 3 and not document["left_out"], "all cases are measured", len(document["cases"]))
    check({way["way"] for way in document["cases"][0]["ways"]} == set(parts.WAYS), "ways on several nodes")
    check([(one["way"], one["init_s"]["median"], one["init_s"]["samples"]) for one in document["start"]] ==
          [("native", 0.25, 3), ("auto", 0.25, 3)] and all(one["job_s"]["samples"] == 3 for one in document["start"]),
          "the start of a job", document["start"])
    check(document["creation"][0]["graph_s"] == {"median": 2e-6, "low": 1e-6, "high": 3e-6, "samples": 3} and
          document["networks"][0]["half_round_trip_s"]["median"] == 2e-6, "spreads", document["creation"])
    check(document["selftest"] == {"status": 0, "verdict": "right", "equal": ["one copy"], "failed": ["merged"],
                                   "not_tried": ["shared", "trivial"]}, "selftest", document["selftest"])

    few = measured_by(MadeJobs(4, 1, most_cases=0), 4)
    words = {"cases: " + parts.case_words(*case) for case in everything}
    check(words <= {entry["what"] for entry in few["left_out"]} and not few["cases"], "what is missing is named")
    check({way["way"] for case in measured_by(MadeJobs(4, 1, most_cases=1), 4)["cases"] for way in case["ways"]} ==
          set(parts.WAYS) - set(parts.OF_SEVERAL_NODES), "ways on one node")
    other = MadeJobs(4, 1)
    other.not_defined = ("3x5", "alltoallv")
    document = measured_by(other, 4)
    words = {"cases: " + parts.case_words(*case) for case in everything if case[:3] == (3, 5, "alltoallv")}
    check(words and words == {entry["what"] for entry in document["left_out"] if entry["why"] == "another order"} and
          len(document["left_out"]) == len(words), "cases that the library gives no meaning", document["left_out"])
    late = measured_by(MadeJobs(4, 1), 4, 2.0)
    check(not late["cases"] and {"creation", "start", "selftest"} <= {entry["what"] for entry in late["left_out"]},
          "no time", late["left_out"][:9])
    failing = MadeJobs(8, 2)
    failing.failing = f"nodes:1 {first}"
    document = measured_by(failing, 8)
    check([(failure["part"], failure["text"], failure["stderr"]) for failure in document["failures"]] ==
          [("on nodes:1", "the job ended with status 6", "no such queue")] and document["selftest"]
          and f"on nodes:1 (4 processes): {first}" in [entry["what"] for entry in document["left_out"]],
          "a part fails", document["failures"])
    for jobs, words in ((MadeJobs(1, 1), "each process is alone, a job of 1 rank; the launcher"),):
        try:
            check(False, "a job of one rank", measured_by(jobs, 4))
        except parts.Failed as error:
            check(words in str(error) and error.status == 1, "a job of one rank", error)
    for version, name, device in (("MPICH Version:  4.2.1 MPICH Device: ch4:ofi x", "MPICH 4.2.1", "ch4:ofi"),
                                  ("Open MPI v4.1.4, package: Debian", "Open MPI v4.1.4", ""),
                                  ("Intel(R) MPI Library 2021.5\nfor Linux, a",
                                   "Intel(R) MPI Library 2021.5 for Linux", "")):
        machine = measured_by(MadeJobs(2, 1, version, 0), 2)["machine"]
        check((machine["mpi_name"], machine["mpi_device"]) == (name, device) and "kind" not in machine,
              f"the name of {version}", machine)


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
                "selftest": {"status": 0, "verdict": "S", "equal": ["auto"], "failed": [], "not_tried": []},
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
                 "how many times as fast as native auto is, back to back: medians (quartiles) of 5 samples",
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
        print("skipped: the page of a measurement is not looked at (apt-get install nodejs)")
        return
    texts = [piece.text() for piece in made["pieces"]]
    for line in ("srun -n 8", "V", "W", "PARTIAL: why", "MPI library", "MPICH 4 ch4", "8 on 3 nodes", "P, 4 cores, K",
                 "10.0 ms for 8 B", "L0 (no time), L1 (no time), L2 (no time) and 11 more (in measure.json)",
                 "alltoall (3,3) | 400 B | back to back | 8 | auto | 6.00 us | 4.00 us - 8.00 us | 4.00 | 12.5 us | 5",
                 "alltoall (3,3) | 64 B | back to back | 8 | merged | 3.00 us | 2.00 us - 4.00 us | 8.00 |  | 5",
                 "alltoall (3,3) | 64 B | back to back | 12.0 us | merged | 3.00 us | 4.00"):
        check(line in texts or line.replace(" |  |", " |") in texts, f"page: {line}", "\n".join(texts))
    tiles = [(piece.name.strip(), piece.texts[0]) for piece in made["pieces"] if piece.name.startswith("tile")]
    check(tiles == [("tile", "3.00 times as fast"), ("tile", "2.00 times as fast"), ("tile unknown", "factor 1.50"),
                    ("tile", "right")], "page: tiles", tiles)
    cells = next(piece for piece in made["pieces"] if piece.name == "algorithm by size")
    check([(cell["title"], cell["class"]) for cell in cells.bars] ==
          [("native: 24.0 us", "cell faster"), ("native: 24.0 us", "cell faster"), ("auto: 12.0 us", "cell faster"),
           ("auto: 6.00 us", "cell faster"), ("merged: 3.00 us", "cell faster"), ("merged: 3.00 us", "cell faster")]
          and cells.texts == ["64 B", "400 B", "native", "1.0", "1.0", "auto", "2.0", "4.0", "merged", "8.0", "8.0"],
          "page: algorithm by size", f"{cells.bars} {cells.texts}")
    gains = next(piece for piece in made["pieces"] if piece.name == "gains by size")
    wanted = {f"{what}.0 times as fast as native" for what in ("auto, 64 B: 2", "auto, 400 B: 4", "merged, 64 B: 8",
                                                    "merged, 400 B: 8")}
    check({line for line in gains.texts if line.endswith("native")} == wanted, "page: gains by size", gains.texts)
    for name, words in (("(3,3)", "all offsets with 3 values along each of 3 dimensions: 26 neighbors"),
                        ("merged", "Hopscotch: one message to each process")):
        check((name, words) in list(zip(texts, texts[1:])), f"page: {name} is explained", texts)
    check("plain_init" not in texts, "page: names that are not drawn", texts)
    against = next(piece for piece in made["pieces"] if piece.name == "model and measurement")
    check("auto, alltoall (3,3), 400 B: 12.5 us predicted, 6.00 us measured" in against.texts, "page: the model",
          against.texts)
    check_tiles(document, path)


def check_tiles(document, path):
    """A tile says "faster" by its color, and "right", only where the figures do."""
    auto = document["cases"][0]["ways"][1]

    def tiles():
        path.write_text(page.page(document), encoding="utf-8")
        return [(piece.name.strip(), *piece.texts) for piece in shown(path)["pieces"] if piece.name.startswith("tile")]

    document["cases"][0]["ways"].append({**auto, "way": "plain_init", "ratio_median": 13510.0})
    path.write_text(page.page(document), encoding="utf-8")
    pieces = shown(path)["pieces"]
    axis = [line for line in next(piece for piece in pieces if piece.name == "gains by size").texts
            if line.replace(".", "").isdecimal()]
    check(axis[:2] == ["1", "4"] and len(axis) < 12, "page: labels of an axis lie apart", axis)
    check(any("MPI_Startall" in piece.text() for piece in pieces), "page: plain_init is explained")
    document["cases"][0]["ways"].pop()
    del document["cases"][1:]
    for median, low, levels in ((4.0, 2.0, ("tile", "tile")), (1.04, 1.0, ("tile unknown", "tile unknown")),
                                (0.9, 0.09, ("tile warn", "tile warn")), (1.3, 0.94, ("tile", "tile warn"))):
        auto.update(ratio_median=median, ratio_low=low)
        found = tiles()
        check([one[:2] for one in found[:2]] == [(level, f"{ratio:.2f} times as fast")
                                                 for level, ratio in zip(levels, (median, low))] and
              f"medians {median:.2f} to {median:.2f}" in found[0][2] and "worst quartile" in found[1][2],
              f"page: tiles of {median}", found)
    for answer, equal, failed, untried, level, words, small in (
            (0, "ab", "", "", "tile", "right", "of a, b"), (0, "ab", "", "c", "tile", "2 of 3 right", "not tried: c"),
            (0, "", "", "ab", "tile bad", "not done", "S"), (1, "a", "b", "c", "tile bad", "WRONG", "failed: b; not"),
            (1, "a", "", "b", "tile bad", "not done", "S"), (-1, "ab", "", "", "tile bad", "not done", "S"),
            (None, "", "", "", "tile unknown", "not run", "nothing was compared")):
        document["selftest"] = None if answer is None else {
            "status": answer, "verdict": "S", "equal": list(equal), "failed": list(failed), "not_tried": list(untried)}
        found = tiles()[3]
        check(found[:2] == (level, words) and small in found[2], f"page: the tile of {answer} {equal}", found)
    del document["cases"][0]["ways"][1]
    found = tiles()
    check(found[0][:2] == ("tile unknown", "-"), "page: the tile where auto was not measured", found)


def check_commands():
    """Commands that are run line by line, or as a whole: their lines, statuses and ends; nothing of them is left."""
    def of_line(script, seconds=60.0):
        taken = []
        begin = time.monotonic()
        answer = process_group.run_by_line(["sh", "-c", script, mark], seconds, taken.append)
        return answer, [line.strip() for line in taken], time.monotonic() - begin

    def with_limit(run):
        """What comes of a time limit within which there is a first line: later on a busy machine."""
        for limit in (1.0, 4.0, 16.0):
            answer = run(limit)
            if "one" in str(answer):
                break
        return answer

    mark = f"made_measurements_{os.getpid()}"
    check(of_line("echo one; echo two >&2; printf three; exit 5")[:2] == ((5, "two\n"), ["one", "three"]),
          "line by line: an end")
    check(of_line("kill -9 $$")[0] == (-9, ""), "line by line: killed")
    answer, lines, seconds = with_limit(lambda limit: of_line("echo late >&2; echo one; sleep 60", limit))
    check((answer, lines) == ((None, "late\n"), ["one"]) and seconds < 50, "line by line: too late",
          f"{answer} {lines}")
    answer, lines, seconds = with_limit(lambda limit: of_line("echo one; exec >&-; sleep 60", limit))
    check((answer, lines) == ((None, ""), ["one"]) and seconds < 50, "line by line: output is closed", f"{answer}")
    long = of_line("i=0; while [ $i -lt 300 ]; do echo number $i >&2; i=$((i + 1)); done; exit 1")[0]
    check(long[0] == 1 and len(long[1]) == 2000 and long[1].endswith("number 299\n"), "line by line: a long text", long)
    check(process_group.run(["sh", "-c", "echo one; echo two >&2; exit 3"], None) == (3, "one\n", "two\n"),
          "a command")
    begin = time.monotonic()
    slow = ["sh", "-c", "echo one; (sleep 60; echo two) & wait", mark]
    check(with_limit(lambda limit: process_group.run(slow, limit)) == (None, "one\n", "")
          and time.monotonic() - begin < 50, "a command that takes too long")
    for function in (lambda: process_group.run(["/nowhere/program"], 1),
                     lambda: process_group.run_by_line(["/nowhere/program"], 1, print)):
        try:
            check(False, "a command that is not there", function())
        except FileNotFoundError:
            pass
    left = [path.parent.name for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if readable(path, mark)]
    check(not left, "processes that are left", left)


def readable(path, mark):
    try:
        return mark in path.read_text(errors="replace") and int(path.parent.name) != os.getpid()
    except OSError:
        return False


check_figures()
check_commands()
check_text()
check_environment()
check_parts()
with tempfile.TemporaryDirectory() as directory:
    check_made_page(pathlib.Path(directory))
setup.finish()
