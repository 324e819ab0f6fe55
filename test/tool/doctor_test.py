# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch doctor names the reason in every case."""

import contextlib
import io
import os
import pathlib
import shutil
import struct
import sys
import tempfile
import types

from support import ROOT, check, setup
from hopscotch_tool import doctor, elf, launched, reported

two = setup.launcher(2)


def expect(name, words, text, status, environment=None):
    shown = setup.tool("doctor", *words, environment=environment)
    check(text in shown.stdout and shown.returncode == status, f"doctor: {name}, status {shown.returncode}",
          shown.stdout + shown.stderr)


class Notes(list):
    """Notes of doctor."""

    note = list.append
    problem = list.append
    ok = list.append


with tempfile.TemporaryDirectory() as place:
    scope = pathlib.Path(place) / "ptrace_scope"
    for text, notes in ((None, 0), ("0\n", 0), ("1\n", 1)):
        if text is not None:
            scope.write_text(text, encoding="ascii")
        found = Notes()
        doctor.check_reading(found, scope)
        check(len(found) == notes, f"doctor: Yama says {text}", str(found))

found = Notes()
native = {"algorithm": "native", "reason": "a reason"}
doctor.say_reasons(found, {"totals": {"accelerated": 0, "calls": 9},
                           "graphs": [{"operations": [{**native, "calls": 2}, {**native, "calls": 3}]},
                                      {"operations": [{**native, "calls": 4}]}]})
check(found == ["9 of 9 calls ran natively: a reason"], "doctor: one reason of several operations", str(found))

report = {"ranks": 2, "nodes": 1, "mpi_library": "MPICH", "graphs": [], "lines": [], "bottom_line": "", "totals":
          {"calls": 0, "accelerated": 0, "staged_calls": 3}}
for member, text in (("stood_down", "Hopscotch did nothing in this job: why"), ("partial", "is partial: why"),
                     ("devices", "of devices: why; 3 calls of processes")):
    found = Notes()
    doctor.read_report(found, {**report, member: "why"})
    check(any(text in line for line in found), f"doctor: {member}", str(found))


def findings_of(function, *arguments):
    """Kinds and texts of what a part of doctor finds, and its answer."""
    found = []
    told = types.SimpleNamespace(problems=0, **{kind: lambda text, kind=kind: found.append((kind, text))
                                                for kind in ("ok", "note", "problem")})
    with contextlib.redirect_stdout(io.StringIO()):
        answer = function(told, *arguments)
    return found, answer


def check_words(what, found, wanted):
    """Findings of the wanted kinds, each with its words, and no others."""
    check([kind for kind, _ in found] == [kind for kind, _ in wanted] and
          all(words in text for (_, text), (_, words) in zip(found, wanted)), f"doctor: {what}", found)


def graph_of(calls, algorithm, declined=None):
    operations = [{"algorithm": algorithm, "reason": None, "calls": calls}] if calls else []
    return {"id": calls, "created_by": "MPI_Cart_create", "declined": declined, "operations": operations}


def report_of(*graphs, **members):
    """Calls by native are not accelerated."""
    calls = [(one["calls"], one["algorithm"]) for graph in graphs for one in graph["operations"]]
    fast = sum(number for number, algorithm in calls if algorithm != "native")
    totals = {"calls": sum(number for number, _ in calls), "accelerated": fast, "staged_calls": 3, "messages": 50,
              "messages_trivial": 60}
    return {**report, "graphs": list(graphs), "totals": totals, **members}


# A report has these findings alone: a good run, calls that nobody made, a graph that was declined with and without
# calls.
for what, made, wanted, status in (
        ("a good run", report_of(graph_of(7, "merged")),
         [("ok", "7 of 7 calls were accelerated, with 50 messages instead of 60")], 0),
        ("no call", report_of(graph_of(0, "")), [("problem", "no neighborhood collective was called")], 1),
        ("no graph", report_of(), [("problem", "made no communicator with a topology")], 1),
        ("declined graphs", report_of(graph_of(0, "", "why"), graph_of(5, "merged", "why")),
         [("note", "graph 5, MPI_Cart_create: why"), ("ok", "5 of 5 calls")], 0),
        ("native calls", report_of(graph_of(4, "native")), [("problem", "4 of 4 calls ran natively: no reason")], 1),
        ("both", report_of(graph_of(4, "native"), graph_of(5, "shared")),
         [("problem", "4 of 9 calls ran natively"), ("ok", "5 of 9 calls were accelerated")], 0),
        ("a doubt", report_of(graph_of(7, "merged"), lines=[["doubtful", "odd"], ["other", "even"]]),
         [("ok", "7 of 7"), ("note", "odd")], 0),
        ("a loss", report_of(graph_of(7, "merged"), gain={"verdict": "slower"}, bottom_line="1 s lost"),
         [("ok", "7 of 7"), ("problem", "the run lost time: 1 s lost")], 0),
        *((verdict, report_of(graph_of(7, "merged"), gain={"verdict": verdict}, bottom_line="1 s lost"),
           [("ok", "7 of 7")], 0) for verdict in ("faster", "no difference", "not compared"))):
    found, answer = findings_of(doctor.read_report, made)
    check_words(what, found, wanted)
    check(answer == status, f"doctor: status of {what}", answer)
found, answer = findings_of(doctor.read_report, report_of(graph_of(7, "merged")), "each is alone")
check_words("processes alone", found, [("problem", "each is alone")])
check(answer == 1, "doctor: status of processes alone", answer)

# Without a report the words of the library, as they stand in its sources, tell why.
SAID = (("hopscotch warning: built for MPICH, but the program uses Other MPI; all calls pass straight through",
         ("; all calls pass straight through", "built for "), "another MPI library"),
        ("hopscotch warning: MPI was used, but not through Hopscotch: the program", ("MPI was used, but not through "
         "Hopscotch",), "looks its functions up"),
        ("hopscotch[2] warning: Hopscotch is not preloaded on all processes, for instance", ("Hopscotch is not "
         "preloaded on all processes",), "some processes of the job do not preload"),
        ("ERROR: ld.so: object 'x.so' from LD_PRELOAD cannot be preloaded (no such file): ignored.", (),
         "could not preload the library: ERROR: ld.so"),
        ("", (), "the library did not reach the processes"))
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "shim/interpose").glob("*.cpp"))
for said, words, told in SAID:
    check(all(word in SOURCES for word in words), f"doctor: the library says {words}")
    outcome = reported.Outcome(0, "", "program: hello\n" + said + "\n" if "ERROR" not in said else said, [], 1.0)
    real, reported.run = reported.run, lambda *_, outcome=outcome: outcome
    found, answer = findings_of(doctor.run, ["sh"], None, elf.MPICH)
    reported.run = real
    warned = [("note", said)] if said.startswith("hopscotch") else []
    check_words(said or "no words", found, [*warned, ("problem", told)])
    check(answer == 1, "doctor: status without a report", answer)
for returncode, reports, status in ((None, [], 124), (-9, [], 137), (5, [report_of(graph_of(7, "merged"))], 5),
                                    (0, [report_of(graph_of(7, "merged"))], 0)):
    outcome = reported.Outcome(returncode, "", "\n--\nwrong\nhopscotch[1] error: bad\n", reports, 1.0)
    real, reported.run = reported.run, lambda *_, outcome=outcome: outcome
    found, answer = findings_of(doctor.run, ["sh"], 3.0, elf.MPICH)
    reported.run = real
    why = "not done after 3 s" if returncode is None else f"status {status}"
    failed = [("problem", why)] if returncode != 0 else []
    check_words(f"a program that ends with {returncode}", found,
                [("note", "hopscotch[1] error: bad"), *failed,
                 ("ok", "7 of 7") if reports else ("problem", "there was no report")])
    check(answer == status, "doctor: status of the program", answer)

for words in ("-n 4", "-np 4", "--n 4", "--np=4", "-n=4", "--ntasks 4", "--ntasks=4", "-n4", "--bind-to core -n 4"):
    asked = launched.asked_for(["srun", *words.split(), "sh", "-n", "9"])
    check(asked == 4, f"launched: {words}", str(asked))
for words, known in (("mpiexec mpirun mpiexec.mpich mpirun_rsh orterun srun hydra prun jsrun aprun flux", True),
                     ("env timeout nice numactl taskset xvfb-run hopscotch mpicc stencil sruns", False)):
    odd = [word for word in words.split() if launched.is_launcher("/usr/bin/" + word) != known]
    check(not odd, f"launched: launchers {known}", odd)
for libraries, family in (("libmpi_abi.so.0", elf.STANDARD_ABI), ("libmpi.so.40", elf.OPEN_MPI),
                          ("libmpi.so.20", elf.OPEN_MPI), ("libopen-rte.so.40", elf.OPEN_MPI),
                          ("libmpi.so.12", elf.MPICH), ("libpmpi.so.12", elf.MPICH), ("libmpich.so.12", elf.MPICH),
                          ("libmpi_gnu_91.so.12", elf.MPICH), ("libmpifort.so.12", elf.MPICH),
                          ("libmpi_mpifh.so.40 libmpi.so.40", elf.OPEN_MPI), ("libc.so.6 libmpg123.so.0", None)):
    found = elf.mpi_family(libraries.split())
    check(found == family, f"elf: {libraries}", found)
with tempfile.TemporaryDirectory() as place:
    for wide in (True, False):
        for order in "<>":
            for kinds in ((1, 2), (1, 3)):  # without and with an interpreter
                head = bytearray(64)
                head[:6] = b"\x7fELF" + bytes([1 + wide, 1 if order == "<" else 2])
                struct.pack_into(order + ("Q" if wide else "I"), head, 32 if wide else 28, 64)
                struct.pack_into(order + "HH", head, 54 if wide else 42, 56 if wide else 32, len(kinds))
                program = pathlib.Path(place, "program")
                program.write_bytes(bytes(head) + b"".join(
                    struct.pack(order + "I", kind).ljust(56 if wide else 32, b"\0") for kind in kinds))
                check(elf.read(program).static == (3 not in kinds), f"elf: {wide} {order} {kinds}")
    for name, family in (("mpiexec.hydra", elf.MPICH), ("mpirun.mpich", elf.MPICH), ("orterun", elf.OPEN_MPI),
                         ("prterun", elf.OPEN_MPI), ("mpiexec.openmpi", elf.OPEN_MPI), ("jsrun", None)):
        pathlib.Path(place, name).write_text("", encoding="ascii")
        pathlib.Path(place, name).chmod(0o755)
        link = pathlib.Path(place, "mpiexec")
        link.unlink(missing_ok=True)
        link.symlink_to(name)
        found = launched.family_of_launcher(["env", str(link), "-n", "2"])
        check(found == family, f"launched: the family of {name}", found)
    # Without ldd the names in the file stand for the libraries.
    path_before = os.environ["PATH"]
    os.environ["PATH"] = place
    elf.libraries.cache_clear()
    pathlib.Path(place, "bytes").write_bytes(b"\x7fELF\0libmpich.so.12\0libc.so.6\0x")
    check(elf.libraries(pathlib.Path(place, "bytes")) == ["libc.so.6", "libmpich.so.12"] and
          elf.libraries("/nowhere/program") == [], "elf: without ldd", elf.libraries(pathlib.Path(place, "bytes")))
    os.environ["PATH"] = path_before
    elf.libraries.cache_clear()
    # Interpreters may start an MPI program; other programs without MPI run as they are.
    for name, silent in ((name, True) for name in "python3 bash dash sh zsh ksh busybox perl ruby julia java Rscript R "
                         "node lua5.4 octave env".split()):
        pathlib.Path(place, name).unlink(missing_ok=True)
        shutil.copy("/bin/true", pathlib.Path(place, name))
        check((elf.why_not(pathlib.Path(place, name)) is None) == silent, f"elf: {name} may start another program")
    for name in ("sort", "shred", "Rule", "jar"):
        shutil.copy("/bin/true", pathlib.Path(place, name))
        check("is not linked to an MPI library" in (elf.why_not(pathlib.Path(place, name)) or ""), f"elf: {name}")
    # Why processes that were started together do not know each other, and a remedy.
    for words, family, seen, told in (
            (["/x/srun", "-n", "2"], elf.MPICH, "srun", "srun does not speak to MPICH: try --mpi=pmi2 ("),
            (["/x/srun", "-n", "2"], elf.OPEN_MPI, None, "srun does not speak to Open MPI: try --mpi=pmix ("),
            (["program"], elf.MPICH, "mpirun (Open MPI)", "is no launcher for MPICH: take mpiexec.mpich or"),
            ([f"{place}/mpiexec.hydra"], elf.OPEN_MPI, None, "is the launcher of MPICH, but the program uses Open MPI: "
             "take mpiexec.openmpi"),
            (["/x/jsrun"], elf.OPEN_MPI, "jsrun", "Open MPI wants mpiexec.openmpi")):
        check(told in launched.cause(words, family, seen), f"launched: the cause of {words}",
              launched.cause(words, family, seen))
for reports, words, only_program, wrong in (
        ([{"ranks": 1}], ["mpiexec", "-n", "4", "p"], False, True), ([{"ranks": 4}], ["mpiexec", "-n", "4", "p"], False,
                                                                     False),
        ([{"ranks": 1, "launched": 3}], ["p"], False, True), ([{"ranks": 1}], ["p"], False, False),
        ([{"ranks": 1}, {"ranks": 1}], ["p"], False, False), ([{"ranks": 1}, {"ranks": 1}], ["p"], True, True),
        ([{"ranks": 2}, {"ranks": 1}], ["mpiexec", "-n", "4", "p"], False, False), ([], ["p"], True, False)):
    found = launched.alone(reports, words, elf.MPICH, only_program)
    check((found is not None) == wrong, f"launched: {reports} of {words}", found)
for report_, line in (({"ranks": 1, "nodes": 1}, "1 rank on 1 node, M, no launcher known"),
                      ({"ranks": 6, "nodes": 2, "launcher": "srun"}, "6 ranks on 2 nodes, M, started by srun"),
                      ({"ranks": 2, "nodes": 0}, "2 ranks, M, no launcher known")):
    check(launched.job_line({"mpi_library": "M", **report_}) == line, "launched: the job", line)
check(launched.asked_for(["sh", "-n", "9"]) is None and launched.asked_for(["srun", "sh", "-n", "9"]) is None,
      "launched: the program's own options")

expect("all is well", ["--", *two, setup.paths.stencil, "-d", "2", "-i", "5"], "calls were accelerated", 0)
expect("nothing given", [], "no program was given", 0)
expect("switched off", ["--", *two, setup.paths.stencil], "HOPSCOTCH=off", 1, {"HOPSCOTCH": "off"})
expect("native asked for", ["--", setup.paths.stencil], "asks for native calls", 1, {"HOPSCOTCH_ALGORITHM": "native"})
expect("a wrong value", ["--", setup.paths.stencil], "not allowed", 1, {"HOPSCOTCH_CUTOFF": "many"})
expect("no neighborhood collective", ["--", *two, setup.paths.plain], "no communicator with a topology", 1)
script = pathlib.Path(__file__).resolve().parent.parent / "guest" / "handle.py"
if "libhopscotch.so" in setup.paths.library:
    expect("a handle", ["--", *two, sys.executable, script, "libmpich.so.12"], "libhopscotch_front.so instead", 1)
if setup.paths.static:
    expect("static", ["--", *two, setup.paths.static], "statically linked", 1)
other, ours = ("MPICH", "Open MPI") if "openmpi" in setup.paths.library else ("Open MPI", "MPICH")
expect("the other family", ["--no-run", "--", setup.paths.other], f"uses {other}", 1)
expect("what it is built for", ["--no-run", "--", setup.paths.other], f"this library is built for {ours}", 1)
for words in ([], [*two, "-genv", "NAME", "test"] if ours == "MPICH" else [*two, "-x", "NAME", "--map-by", "node"]):
    expect("the standard ABI", ["--", *words, setup.paths.standard_abi],
           f"uses the standard MPI ABI (libmpi_abi.so.0); this library is built for {ours}. libhopscotch_abi.so is "
           "needed", 1)
with tempfile.TemporaryDirectory() as directory:
    program = pathlib.Path(directory, "privileged")
    shutil.copy(setup.paths.stencil, program)
    for mode in (0o4755, 0o2755):
        os.chmod(program, mode)
        expect(f"mode {mode:o}", ["--", *two, program], "is setuid or setgid", 1)
    report = pathlib.Path(directory, "run.json")
    setup.tool("run", "-r", report, "-s", "HOPSCOTCH_ALGORITHM=native", *two, setup.paths.stencil, "-i", "5")
    expect("a report", [report], "ran natively: HOPSCOTCH_ALGORITHM=native", 1)
setup.finish()
