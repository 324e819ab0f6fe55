# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Why was nothing accelerated? Looks at library, settings and program, runs it, and reads the report."""

import pathlib
import re

from hopscotch_tool import documents, elf, launched, locate, reported, say, show, status
from hopscotch_tool.arguments import WrongUsage, problem_of_command

POINT_TO_POINT = ("Halos that are exchanged with MPI_Isend and MPI_Irecv are not accelerated: hopscotch advise, before "
                  "the same command line, says which neighborhood collective can take their place; MPI_Alltoallv with "
                  "few blocks is accelerated with HOPSCOTCH_ALLTOALLV=on")
LINES_OF_STDERR = 10  # of a failed program: the first ones mostly give the reason, the last ones are the launcher's


class Findings:
    """Lines for the user; remembers whether one of them explains that nothing was accelerated."""

    def __init__(self):
        self.problems = 0

    def ok(self, text):
        say.line("ok       " + text)

    def note(self, text):
        say.line("note     " + text)

    def problem(self, text):
        self.problems += 1
        say.line("PROBLEM  " + text)


def check_library(findings, words):
    """The MPI family of the library; None if there is none for the program. Raises locate.Missing."""
    try:
        path = locate.library(words)
        elf.read(path)
    except locate.NoLibrary as error:
        findings.problem(str(error))
        return None
    except (elf.NotElf, OSError) as error:
        raise locate.Missing(f"the library: {error}") from None
    family = locate.family_of_library(path)
    findings.ok(f"the library is {path}, for {family}")
    return family


def check_settings(findings):
    _, changed, errors, warnings = show.known_settings()
    for text in errors:
        findings.problem(f"a setting is not allowed, so programs end in MPI_Init: {text}")
    for text in warnings:
        findings.note(text)
    if changed.get("HOPSCOTCH") == "off":
        findings.problem("HOPSCOTCH=off: every call passes straight through, and there is no report")
    if "native" in changed.get("HOPSCOTCH_ALGORITHM", ""):
        findings.problem(f"HOPSCOTCH_ALGORITHM={changed['HOPSCOTCH_ALGORITHM']} asks for native calls")
    if changed.get("HOPSCOTCH_REPORT") == "off":
        findings.note("HOPSCOTCH_REPORT=off: calls are accelerated, but nothing is said")
    if changed.get("HOPSCOTCH_PTRACER") != "on":
        check_reading(findings)


def check_reading(findings, scope=pathlib.Path("/proc/sys/kernel/yama/ptrace_scope")):
    """True if processes of one user may read each other's memory."""
    allowed = scope.read_text(encoding="ascii").strip() if scope.exists() else "0"
    if allowed != "0":
        findings.note(f"large blocks are copied twice on a node: Yama (kernel.yama.ptrace_scope={allowed}) lets only "
                      "ancestors read the memory of a process; HOPSCOTCH_PTRACER=on lets the others, too")


def check_program(findings, path, family):
    """False if the program cannot be preloaded at all."""
    try:
        static = elf.read(path).static
    except elf.NotElf:
        findings.note(f"{path} is a script; the program it starts was not looked at")
        return True
    if static or elf.is_privileged(path):
        findings.problem(elf.why_not(path))
        return False
    libraries = elf.libraries(path)
    mpi = [name for name in libraries if elf.mpi_family([name])]
    used = elf.mpi_family(libraries)
    if family and used and used != family:
        findings.problem(f"{path} uses {used} ({', '.join(mpi)}); this library is built for {family}. "
                         f"{locate.how_to_get(used)}")
        return False
    if not mpi:
        findings.note(f"{path} is not linked to an MPI library that can be seen; it may load one later")
    else:
        findings.ok(f"{path} is dynamically linked to {', '.join(mpi)}")
    return True


def read_report(findings, report, alone=None):
    """Examines a report; `alone` is the fault of its processes. 0 if calls were accelerated."""
    totals = report["totals"]
    say.line("job      " + launched.job_line(report))
    if alone is not None:
        findings.problem(alone)
        return status.NO
    if report.get("stood_down"):
        findings.problem(f"Hopscotch did nothing in this job: {report['stood_down']}")
    if report.get("partial"):
        findings.note(f"the report is partial: {report['partial']}")
    if report.get("devices"):
        findings.note(f"run-time libraries of devices: {report['devices']}; {totals['staged_calls']} calls of "
                      "processes had a buffer in their memory that was copied")
    if not report["graphs"]:
        findings.problem("the program made no communicator with a topology (MPI_Cart_create, MPI_Dist_graph_create "
                         f"...): there is no neighborhood collective to accelerate. {POINT_TO_POINT}")
    elif totals["calls"] == 0:
        findings.problem(f"no neighborhood collective was called (MPI_Neighbor_alltoall ...). {POINT_TO_POINT}")
    for graph in report["graphs"]:
        if graph["declined"] and graph["operations"]:
            findings.note(f"graph {graph['id']}, {graph['created_by']}: {graph['declined']}")
    say_reasons(findings, report)
    if totals["accelerated"] > 0:
        findings.ok(f"{totals['accelerated']} of {totals['calls']} calls were accelerated, "
                    f"with {totals['messages']} messages instead of {totals['messages_trivial']}")
    for label, text in report["lines"]:
        if label == "doubtful":
            findings.note(text)
    say_gain(findings, report)
    return status.DONE if totals["accelerated"] > 0 else status.NO


def say_reasons(findings, report):
    """Reasons of native calls: a problem only if there is a remedy, or nothing was accelerated."""
    reasons = {}
    for graph in report["graphs"]:
        for operation in graph["operations"]:
            if operation["algorithm"] == "native":
                reason = operation["reason"] or "no reason was recorded"
                reasons[reason] = reasons.get(reason, 0) + operation["calls"]
    right = show.reasons_without_remedy() if report["totals"]["accelerated"] > 0 else ()
    for reason, calls in sorted(reasons.items(), key=lambda entry: -entry[1]):
        tell = findings.note if reason.startswith(right) else findings.problem
        tell(f"{calls} of {report['totals']['calls']} calls ran natively: {reason}")


def say_gain(findings, report):
    """Tells if time was lost, and the next step."""
    if (report.get("gain") or {}).get("verdict") == "slower":
        findings.problem("the run lost time: " + report["bottom_line"])
    say.line("try      " + report.get("next_step", ""))


def run(findings, words, timeout, family):
    """Runs the program under Hopscotch and reads its report. The exit status."""
    say.line("running  " + " ".join(words))
    try:
        library = locate.library(words)
        outcome = reported.run(locate.command(words, library), locate.environment(words, path=library), timeout)
    except OSError as error:
        findings.problem(f"{words[0]}: {error.strerror}")
        return status.of_start(error)
    for line in outcome.err.splitlines():
        if re.match(r"hopscotch(\[\d+\])? (warning|error):", line):
            findings.note(line)
    if outcome.returncode is None:
        findings.problem(f"the program was not done after {timeout:g} s")
    elif outcome.returncode != 0:
        findings.problem(f"the program ended with status {outcome.status()}")
        for line in [line for line in outcome.err.splitlines() if re.search(r"\w", line)][:LINES_OF_STDERR]:
            say.line("         " + line)
    answer = status.NO
    if outcome.reports:
        answer = read_report(findings, outcome.reports[0], launched.alone(outcome.reports, words, family))
    else:
        say_why_no_report(findings, words, outcome)
    return outcome.status() or answer


def say_why_no_report(findings, words, outcome):
    if re.search(r"hopscotch warning: built for .*pass straight through", outcome.err):
        findings.problem("the program uses another MPI library than this Hopscotch was built for")
    elif "MPI was used, but not through Hopscotch" in outcome.err:
        findings.problem("the program looks its functions up in the MPI library itself (dlopen, Python's ctypes and "
                         f"cffi, Julia's ccall): let it open {locate.front_library(words)} instead")
    elif "is not preloaded on all processes" in outcome.err:
        findings.problem("some processes of the job do not preload the library, so that all calls pass straight "
                         "through: let the launcher give LD_PRELOAD to all, and link none of them statically")
    elif "cannot be preloaded" in outcome.err:
        findings.problem("the system could not preload the library: " + outcome.err.strip().splitlines()[0])
    elif not findings.problems:
        findings.problem("there was no report: the library did not reach the processes, MPI_Init was not called, or "
                         "the program was killed. Does the launcher pass LD_PRELOAD on? mpiexec -genv LD_PRELOAD ..., "
                         "srun --export=ALL, mpirun -x LD_PRELOAD (Open MPI)")


def family_of_report(report):
    return elf.OPEN_MPI if report["mpi_library"].startswith("Open MPI") else elf.MPICH


def doctor(arguments, words):
    """Raises WrongUsage for a report that cannot be read."""
    findings = Findings()
    if len(words) == 1 and words[0].endswith(".json"):
        report = documents.report(words[0])
        try:
            return read_report(findings, report, launched.alone([report], [], family_of_report(report)))
        except (LookupError, TypeError):
            raise WrongUsage(f"{words[0]} is no JSON report of Hopscotch") from None
    family = check_library(findings, words)
    check_settings(findings)
    if not words:
        findings.note("no program was given: hopscotch doctor -- mpiexec -n 4 ./program")
        return status.NO if findings.problems else status.DONE
    if wrong := problem_of_command(words[0]):
        findings.problem(wrong[0])
        return wrong[1]
    path = elf.program_in(words)
    if path is None:
        findings.note(f"no program was found in the command line; {words[0]} is run as it is")
    usable = path is None or check_program(findings, path, family)
    if not usable or arguments.no_run or findings.problems:
        return status.NO if findings.problems else status.DONE
    return run(findings, words, arguments.timeout, family)
