# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch advise names grid, stencil, share of time and call site of programs in the styles of public codes, and
invents no grid for others. What it writes is as its schema says."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path[:0] = [*(str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("tool", "preload")),
                str(pathlib.Path(__file__).resolve().parents[2] / "scripts/tool")]
from hopscotch_tool import advice_lines, advice_text, locate  # noqa: E402  the path has to be known first
import schema  # noqa: E402  the path has to be known first
from support import ROOT, check, setup

if schema.library() is None:
    print("skipped: the advice is not compared with its schema (apt-get install python3-fastjsonschema)")

PROGRAMS = pathlib.Path(setup.paths.programs[0])
SHAPE = ROOT / "docs/advice.schema.json"
SCHEMA = json.loads(SHAPE.read_text(encoding="utf-8"))

# program: processes, grid, stencil, times, messages of the process with most peers, function, a call, where it is
HALOS = {
    "by_dimension": (12, "3x2x2", "von Neumann", 20, 4, "exchange_faces", "MPI_Sendrecv"),
    "all_neighbors": (27, "3x3x3", "moore", 10, 26, "exchange_halo", "MPI_Waitall"),
    "persistent": (12, "4x3p", "von Neumann", 25, 4, "make_requests", "MPI_Startall"),
    "packing": (12, "3x4", "moore", 15, 8, "pack_and_exchange", "MPI_Send"),
    "staggered": (12, "3px4p", "von Neumann", 20, 4, "post_velocity", "MPI_Waitall"),
    "red_black": (12, "2?x2?x3p", "von Neumann", 20, 4, "exchange_color", "MPI_Waitany"),
    "phases": (12, "4x3", "von Neumann", 12, 4, "exchange_chunks", "MPI_Waitall"),
    "skipping": (12, "3px4p", "moore", 30, 8, "link_borders", "MPI_Waitall"),
    "torus": (8, "2?x2?x2?", "von Neumann", 20, 3, "exchange_faces", "MPI_Waitall"),
}
NOTES = {"by_dimension": {"by dimension"}, "packing": set(), "red_black": {"periodic or not"},
         "phases": {"in phases"}, "skipping": {"leaves out peers"}, "torus": {"periodic or not"}}
NO_HALOS = {"workers": (5, "star"), "pipeline": (9, "one way"), "unstructured": (12, "irregular"),
            "unstructured 5": (16, "irregular"), "adaptive": (12, "changing")}


def advise(folder, name, ranks, *options):
    """(advice, what was printed) of a program with its arguments."""
    program, *words = name.split()
    file = folder / f"{name}.json"
    shown = setup.tool("advise", "-o", file, *options, "--", *setup.launcher(ranks), PROGRAMS / program, *words,
                       environment=setup.crowd(ranks))
    check(file.is_file(), f"{name}: advice is written", shown.stdout + shown.stderr)
    if not file.is_file():
        return None, shown.stdout
    advice = json.loads(file.read_text(encoding="utf-8"))
    errors = schema.shape_errors(advice, SHAPE)
    check(not errors, f"{name}: as the schema says", "\n".join(errors))
    wanted = 0 if any(exchange["prediction"] for exchange in advice["exchanges"]) else 1
    check(shown.returncode == wanted, f"{name}: status {shown.returncode}, not {wanted}", shown.stdout + shown.stderr)
    return advice, shown.stdout


def line_of(name, function):
    """The lines of a program's function."""
    lines = (pathlib.Path(__file__).with_name(f"{name}.c")).read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines, 1) if re.match(rf"static .*\b{function}\(", line))
    last = next(i for i, line in enumerate(lines, 1) if i > first and line == "}")
    return first, last


def check_halo(folder, name):
    ranks, grid, stencil, times, peers, function, call = HALOS[name]
    advice, shown = advise(folder, name, ranks)
    if not advice:
        return
    found = [one for one in advice["exchanges"] if one["function"] == function]
    check(len(found) == 1, f"{name}: an exchange of {function}", shown)
    if len(found) != 1:
        return
    exchange = found[0]
    check(exchange["kind"] == "grid" and f"process grid {grid} (" in shown, f"{name}: grid {grid}", shown)
    of_shape = {"by dimension", "in phases", "leaves out peers", "periodic or not"}
    check(set(exchange["notes"]) & of_shape == NOTES.get(name, set()), f"{name}: notes", exchange["notes"])
    check(exchange["grid"] and exchange["grid"]["stencil"] == stencil, f"{name}: stencil {stencil}", shown)
    seen = (exchange["times"], exchange["peers"]["most"])
    check(seen == (times, peers), f"{name}: {times} times, {peers} peers", shown)
    sizes = exchange["message_bytes"]
    check(0 < sizes["least"] <= sizes["most"], f"{name}: sizes", sizes)
    check(call in exchange["functions"], f"{name}: {call} among the functions", exchange["functions"])
    first, last = line_of(name, function)
    for index in exchange["sites"]:
        at = advice["sites"][index]["at"][0]
        line = re.fullmatch(rf"{function} \({name}\.c:(\d+)\)", at)
        check(line and first <= int(line[1]) <= last, f"{name}: call site", at)
    check(0 < exchange["share"] < 1 and 0 <= exchange["share_waiting"] <= 1, f"{name}: shares", shown)
    check(name == "staggered" or not exchange["overlaps"], f"{name}: nothing overlaps", shown)
    if name == "staggered":
        overlaps = [other["overlaps"] for other in advice["exchanges"]]
        check(len(overlaps) == 2 and any(overlaps), f"{name}: the exchanges overlap", shown)
        check(all(other["share_waiting"] > 0 for other in advice["exchanges"]), f"{name}: both wait", shown)
    check_share(name, advice, exchange)


def check_spread(folder):
    """Exchanges spread over functions that two of them share: each has its peers, its callers and its waits."""
    advice, shown = advise(folder, "spread", 27)
    if not advice:
        return
    found = {exchange["grid"] and exchange["grid"]["stencil"]: exchange for exchange in advice["exchanges"]}
    check(len(advice["exchanges"]) == 2 and set(found) == {"moore", "von Neumann"}, "spread: two exchanges", shown)
    if set(found) != {"moore", "von Neumann"}:
        return
    for stencil, peers, least, caller in (("moore", 26, 384, "sum_forces"), ("von Neumann", 6, 128, "share_gradients")):
        exchange = found[stencil]
        check((exchange["function"], exchange["times"], exchange["peers"]["most"], exchange["message_bytes"]["least"],
               exchange["grid"]["dims"]) == ("send_blocks, post_receives", 15, peers, least, [3, 3, 3]),
              f"spread: {stencil}", exchange)
        callers = {advice["sites"][index]["at"][1].partition(" (")[0] for index in exchange["sites"]}
        check(callers == {caller}, f"spread: callers of {stencil}", callers)
        check(exchange["functions"] == ["MPI_Irecv", "MPI_Isend", "MPI_Wait", "MPI_Waitall"],
              f"spread: functions of {stencil}", exchange["functions"])
        check(not exchange["notes"] and exchange["share_waiting"] > 0, f"spread: notes of {stencil}", exchange)
    sums = sum(row["share"] for row in advice["functions"] if row["function"] != "MPI_Finalize")
    shares = sum(exchange["share"] for exchange in found.values())
    check(abs(sums - shares) <= 0.01 + 0.05 * sums, "spread: all time is that of the two", f"{sums} {shares}\n{shown}")


def check_callers(folder):
    """Two callers of a function with blocking messages make two exchanges."""
    advice = json.loads((folder / "torus.json").read_text(encoding="utf-8"))
    found = [(one["times"], one["messages"], one["peers"]["most"]) for one in advice["exchanges"]
             if one["function"] == "shift_faces"]
    check(found == [(40, 6.0, 3)], "torus: blocking messages of two callers", found)


def check_share(name, advice, exchange):
    """The time of the exchange is that of the functions that only it calls, as the table of functions has it."""
    only = [set(other["functions"]) for other in advice["exchanges"] if other is not exchange]
    if any(set(exchange["functions"]) & others for others in only):
        return
    sums = sum(row["share"] for row in advice["functions"] if row["function"] in exchange["functions"])
    check(abs(sums - exchange["share"]) <= 0.01 + 0.05 * sums, f"{name}: share {exchange['share']}, functions {sums}")


def check_no_halo(folder, name):
    ranks, kind = NO_HALOS[name]
    advice, shown = advise(folder, name, ranks)
    if not advice:
        return
    kinds = {exchange["kind"] for exchange in advice["exchanges"]}
    check(kinds == {kind}, f"{name}: {kind}", f"{kinds}\n{shown}")
    check(not any(exchange["grid"] for exchange in advice["exchanges"]), f"{name}: no grid is invented", shown)


def check_rest(folder):
    """Ends of other kinds, and what must only survive."""
    for way, text in (("abort", "MPI_Abort was called"), ("exit", "without MPI_Finalize")):
        file = folder / f"{way}.json"
        ended = setup.tool("advise", "-o", file, "--", *setup.launcher(2), PROGRAMS / "endings", way,
                           environment=setup.crowd(2))
        check(not file.exists() and ended.returncode not in (0, 124), f"{way}: no advice, status {ended.returncode}",
              ended.stdout + ended.stderr)
        check(text in ended.stderr or way == "abort", f"{way}: says why", ended.stderr)
    advice, shown = advise(folder, "endings", 4)
    check(advice and advice["exchanges"] and advice["exchanges"][0]["kind"] in ("one way", "pair", "everyone"),
          "communicators that come and go", shown)
    check(advice and advice["left_out"] == 0, "none of 300 communicators is left out", shown)
    advice, shown = advise(folder, "endings many", 2)
    # Each of 2 processes has room for 64 windows, 768 places, 20 before the last 1024, and 6144 kinds of messages: one
    # Sendrecv and 16 on each of 300 communicators have two each. MPI_Finalize finds no room, either.
    left_out = 2 * (70 - 64 + 300 * 16 * 2 + 2 - 6144 + 1024 - 748 + 1)
    check(advice and (len(advice["sites"]), advice["left_out"]) == (768, left_out), "what finds no room is counted",
          f"{advice and len(advice['sites'])} {advice and advice['left_out']}")
    again = setup.tool("advise", "--language", "fortran", folder / "packing.json")
    check("module halo_exchange" in again.stdout, "advice from a file", again.stdout + again.stderr)


# On 6 processes: function, topology, direction, messages.
STRAYS = {("MPI_Isend", "distributed graph", "out", 24), ("MPI_Irecv", "distributed graph", "in", 24),
          ("MPI_Sendrecv", "distributed graph", "out", 24), ("MPI_Sendrecv", "distributed graph", "in", 24),
          ("MPI_Issend", "distributed graph", "out", 12),
          ("MPI_Ssend_init", "Cartesian", "out", 24), ("MPI_Recv_init", "Cartesian", "in", 24),
          ("MPI_Get", "distributed graph", "out", 6), ("MPI_Accumulate", "distributed graph", "out", 6)}


def check_strict(folder):
    """Messages that leave the topology of their communicator are listed, and no others."""
    for arguments, wanted in ((["strays"], STRAYS), ([], set())):
        file = folder / f"strict{len(arguments)}.json"
        shown = setup.tool("advise", "--strict", "-o", file, "--", *setup.launcher(6), PROGRAMS / "off_topology",
                           *arguments, environment=setup.crowd(6))
        check(file.is_file() and shown.returncode == (1 if wanted else 0), f"strict: status {shown.returncode}",
              shown.stdout + shown.stderr)
        if not file.is_file():
            continue
        advice = json.loads(file.read_text(encoding="utf-8"))
        found = [(advice["sites"][each["site"]]["function"], each["topology"], each["direction"], each["messages"])
                 for each in advice["off_topology"]]
        check(sorted(found) == sorted(wanted), "strict: what leaves the topology", f"{found}\n{shown.stdout}")
        check(all(each["processes"] == 6 for each in advice["off_topology"]), "strict: all processes", shown.stdout)
        check(len(shown.stdout.splitlines()) == max(len(wanted), 1), "strict: a line each", shown.stdout)
        plain = setup.tool("advise", file).stdout
        check(("--strict lists them" in plain) == bool(wanted), "strict: the note without it", plain)
    again = setup.tool("advise", "--strict", folder / "strict1.json").stdout
    check("MPI_Get in access_window (off_topology.c:" in again, "strict: the place, from a file", again)


SENDS = [*(prefix + kind + "send" for prefix in ("", "I") for kind in ("", "b", "s", "r")),
         *(kind + "send_init" for kind in ("", "b", "s", "r"))]
RECEIVES = ["recv", "Irecv", "recv_init"]
BOTH = ["Sendrecv", "Sendrecv_replace"]
LATER = ["Isendrecv", "Isendrecv_replace"]
ACCESSES = ["Put", "Get", "Accumulate", "Get_accumulate", "Rput", "Rget", "Raccumulate", "Rget_accumulate"]


def check_each_function(folder):
    """A message or an access by each function that the advice looks at leaves the topology."""
    file = folder / "each.json"
    shown = setup.tool("advise", "--strict", "-o", file, "--", *setup.launcher(4), PROGRAMS / "off_topology", "each",
                       environment=setup.crowd(4))
    check(file.is_file(), "each function: advice", shown.stdout + shown.stderr)
    if not file.is_file():
        return
    advice = json.loads(file.read_text(encoding="utf-8"))
    found = {(advice["sites"][each["site"]]["function"], each["direction"], each["messages"])
             for each in advice["off_topology"]}
    large = "openmpi" not in setup.paths.library
    wanted = {(f"MPI_{name[0].upper()}{name[1:]}{suffix}", way, count)
              for names, ways, count in ((SENDS, ["out"], 4), (RECEIVES, ["in"], 4), (BOTH, ["in", "out"], 4),
                                         (LATER if large else [], ["in", "out"], 4), (ACCESSES, ["out"], 8))
              for name in names for way in ways for suffix in (["", "_c"] if large else [""])}
    wanted |= {("MPI_Fetch_and_op", "out", 8), ("MPI_Compare_and_swap", "out", 8)}
    check(advice["left_out"] == 0, "each function: no call is left out", advice["left_out"])
    check(found == wanted, "each function is looked at", f"missing {sorted(wanted - found)}\n"
          f"not wanted {sorted(found - wanted)}")


# Function of `known` on 6 processes: kind, times, messages, bytes, sizes, MPI functions, calls.
KNOWN = {
    "change_types": ("one way", 6, 1.0, 12.0, (8, 16), ["MPI_Sendrecv"], 36),
    "use_large_counts": ("one way", 6, 1.0, 12.0, (12, 12), ["MPI_Sendrecv"], 36),
    "differ_by_rank": ("one way", 6, 1.0, 14.0, (4, 24), ["MPI_Sendrecv"], 36),
    "test_in_between": ("one way", 6, 2.0, 32.0, (16, 16), ["MPI_Irecv", "MPI_Isend", "MPI_Waitall"], 144),
    "use_two_communicators": ("grid", 6, 2.0, 8.0, (4, 4), ["MPI_Sendrecv"], 72),
    "renew_graphs": ("grid", 6, 2.0, 8.0, (4, 4), ["MPI_Sendrecv"], 72),
    "send_beside_thread": ("one way", 6, 1.0, 8.0, (8, 8), ["MPI_Sendrecv"], 36),
}


def check_known(folder):
    """The numbers of known exchanges, by a program that changes its folder and has threads and a child."""
    words = {"HOPSCOTCH_ADVICE": "known.json", **setup.crowd(6)}
    words["LD_PRELOAD"] = ":".join([str(locate.advise_library()), *filter(None, [words.get("LD_PRELOAD")])])
    shown = subprocess.run([*setup.launcher(6), "env", *(f"{name}={value}" for name, value in words.items()),
                            PROGRAMS / "known"], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, check=False)
    file = folder / "known.json"
    check(shown.returncode == 0 and "advice" not in shown.stderr and file.is_file(), "known: advice", shown)
    if not file.is_file():
        return
    advice = json.loads(file.read_text(encoding="utf-8"))
    found = {one["function"]: (one["kind"], one["times"], one["messages"], one["bytes"],
                               (one["message_bytes"]["least"], one["message_bytes"]["most"]), one["functions"],
                               sum(advice["sites"][site]["calls"] for site in one["sites"]))
             for one in advice["exchanges"]}
    large = "openmpi" not in setup.paths.library
    wanted = {function: known for function, known in KNOWN.items() if large or function != "use_large_counts"}
    for function in sorted({*wanted, *found}):
        check(found.get(function) == wanted.get(function), f"known: {function}",
              f"{found.get(function)}, not {wanted.get(function)}")
    check(advice["left_out"] == 0 and not advice["off_topology"], "known: all is seen, on all processes",
          f"{advice['left_out']} left out, {advice['off_topology']}")


def check_compiles(folder):
    """The lines in each language."""
    for name in ("all_neighbors", "persistent", "packing", "unstructured"):
        for language, ending, compiler in (("c", "c", ["mpicc.mpich", "-Wall", "-Wextra", "-Werror", "-c"]),
                                           ("fortran", "f90", ["mpifort.mpich", "-Wall", "-c", "-J", str(folder)]),
                                           ("mpi4py", "py", [sys.executable, "-m", "py_compile"])):
            shown = setup.tool("advise", "--language", language, folder / f"{name}.json").stdout
            code = "\n".join(line[4:] for line in shown.partition("lines for ")[2].splitlines()[2:])
            file = folder / f"{name}.{ending}"
            file.write_text(code + "\n", encoding="utf-8")
            try:
                done = subprocess.run([*compiler, str(file)], cwd=folder, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, check=False)
            except FileNotFoundError:
                print(f"skipped: there is no {compiler[0]} (apt-get install gfortran g++)")
                continue
            check(done.returncode == 0, f"{name}: {language} compiles", done.stdout + code)


def check_words():
    """Every note and kind of the schema has its words, and the lines of MPI have the numbers of the exchange."""
    properties = SCHEMA["definitions"]["exchange"]["properties"]
    check(set(properties["notes"]["items"]["enum"]) == set(advice_text.NOTES), "words for notes", advice_text.NOTES)
    check(set(properties["kind"]["enum"]) == set(advice_text.WORDS), "words for kinds", advice_text.WORDS)
    sent = [{"peer": peer, "count": count, "type": "MPI_DOUBLE"} for peer, count in ((3, 2), (1, 8), (3, 2), (5, 99))]
    known = advice_lines.values({"example": {"rank": 5, "sent": sent}, "peers": {"most": 2}, "grid": None,
                                 "kind": "irregular", "processes": 6, "function": "halo<int, long>::swap"})
    check((known["SEEN"], known["PEERS"], known["RANK"], known["FUNCTION"], known["FORTRAN_TYPE"], known["PYTHON_TYPE"])
          == ("4 or 8 MPI_DOUBLE for each neighbor", "1, 3", 5, "halo<int, long>::swap", "MPI_DOUBLE_PRECISION",
              "DOUBLE"),
          "the lines of MPI", known)
    found = "\n".join(advice_text.remarks({"left_out": 3, "off_topology": [{"messages": 4}, {"messages": 5}],
                                           "functions": [{"function": name, "calls": calls} for name, calls in
                                                         (("MPI_Iprobe", 1), ("MPI_Mprobe", 2), ("MPI_Put", 5),
                                                          ("MPI_Get", 6))]}))
    for text in ("3 probes", "11 one-sided transfers", "9 messages between", "3 calls found no room"):
        check(text in found, f"remarks: {text}", found)


def check_text():
    """Every figure of an exchange stands beside its own name, and the order is that of the time."""
    grid = {"dims": [4, 3], "periodic": [False, True], "stencil": "star", "offsets": [[0, 1], [1, 0], [0, -1]],
            "explained": 0.75}
    exchange = {"function": "swap", "kind": "partly grid", "grid": grid, "messages": 3.25, "times": 20, "processes": 6,
                "peers": {"least": 2, "most": 5}, "message_bytes": {"least": 8, "most": 4000}, "seconds": 3e-3,
                "share": 0.125, "share_waiting": 0.5, "functions": ["MPI_Isend", "MPI_Wait"], "sites": [1],
                "finished_at": [1, 0], "notes": ["datatypes"], "overlaps": [2, 4],
                "prediction": {"algorithm": "merged", "messages": 2.0, "seconds": 2e-3, "least": 1e-3, "most": 4e-3}}
    sites = [{"function": f"MPI_{i}", "at": [f"at{i}"] * i, "calls": i + 1, "seconds": 1.0 + i, "share": 0.01 * (1 + i)}
             for i in range(3)]
    advice = {"ranks": 6, "nodes": 2, "elapsed_seconds": 2.5, "mpi_share": 0.4, "sites": sites, "exchanges": [exchange],
              "functions": [{"function": "MPI_Isend", "calls": 7, "seconds": 1.5, "share": 0.25}], "left_out": 0}
    lines = [" ".join(line.split()) for line in advice_text.lines(advice)]
    wanted = ["6 ranks on 2 nodes, 2.5 s, 40.0% of it in MPI", "MPI_Isend 7 1.5 25.0%", "at2 MPI_2 3 3.0%",
              "at1 MPI_1 2 2.0%", "?? MPI_0 1 1.0%", "exchange 1: swap",
              "grid process grid 4x3p (p: periodic), stencil star of 3 neighbors, for 75% of the messages",
              "messages 3.25 a process and exchange, to 2 to 5 peers, 8 bytes to 4 kB each, 20 times, 6 processes",
              "time 3 ms an exchange, 12.5% of the run, 50% of it in waits; by MPI_Isend, MPI_Wait",
              "where at1: MPI_1", "where ??: MPI_0",
              "note its messages overlap those of exchange 3, 5: nonblocking collectives keep that",
              "advice one neighborhood collective; Hopscotch carries it with 2 messages (merged)",
              "predicted 2 ms an exchange (1 ms to 4 ms) instead of 3 ms"]
    places = [lines.index(line) if line in lines else -1 for line in wanted]
    check(-1 not in places and places == sorted(places), "the text of an exchange", "\n".join(
        [line for line, place in zip(wanted, places) if place < 0] + ["in:"] + lines))
    for changed, line in (({"algorithm": "shared"}, "advice one neighborhood collective; Hopscotch carries it through "
                           "shared memory, without messages"),
                          ({"seconds": None}, "predicted no time: processes share cores, and mostly wait for one")):
        other = {**exchange, "prediction": {**exchange["prediction"], **changed}}
        found = [" ".join(one.split()) for one in advice_text.exchange_lines(advice, 1, other)]
        check(line in found, f"the text of {changed}", found)
    for seconds, words in ((2.0, "2 s"), (2e-3, "2 ms"), (2e-6, "2 us"), (2e-9, "2 ns"), (1e-3, "1 ms")):
        check(advice_text.duration(seconds) == words, "durations", advice_text.duration(seconds))
    for count, words in ((999, "999 bytes"), (1000, "1 kB"), (2.5e6, "2.5 MB")):
        check(advice_text.size(count) == words, "sizes", advice_text.size(count))
    stray = {"site": 2, "direction": "in", "messages": 3, "topology": "Cartesian", "processes": 1,
             "example": {"rank": 4, "peer": 5}}
    found = list(advice_text.strays({**advice, "off_topology": [stray, {**stray, "direction": "out", "messages": 9}]}))
    check(found == [f"MPI_2 in at2, called by at2: {number} times {way} a process that is no neighbor on a Cartesian "
                    f"communicator, by 1 process; rank 4 {way} rank 5, say"
                    for number, way in ((9, "to"), (3, "from"))],
          "the text of strays", found)


with tempfile.TemporaryDirectory(prefix="advice_") as directory:
    check_words()
    check_text()
    for each in HALOS:
        check_halo(pathlib.Path(directory), each)
    for each in NO_HALOS:
        check_no_halo(pathlib.Path(directory), each)
    check_spread(pathlib.Path(directory))
    check_callers(pathlib.Path(directory))
    check_rest(pathlib.Path(directory))
    check_strict(pathlib.Path(directory))
    check_each_function(pathlib.Path(directory))
    check_known(pathlib.Path(directory))
    if "openmpi" not in setup.paths.library:
        check_compiles(pathlib.Path(directory))
setup.finish()
