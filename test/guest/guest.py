# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares a program without and with the library as its user would: exit status, output, files left, time.

guest.py list --mpi mpich --version 4.0.2 --persistent true cases/SUBJECT.py ...
    prints for Meson: NAME [blank] PROGRAM, or "skipped: NAME: WHY", a line for each row

guest.py run --library libhopscotch.so --programs DIRECTORY --mpi ... NAME cases/SUBJECT.py
    runs one row; exit status 1 and the differences if the two runs differ

The rows stand in cases/*.py, the programs beside this file.
"""

import argparse
import collections
import dataclasses
import importlib
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Sequence

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "preload"), str(HERE.parents[1] / "scripts/tool")]

# pylint: disable=wrong-import-position
import compare
import schema
from case import Facts
from hopscotch_tool.interruption import catch_signals

MOST_TIMES = 2      # a preloaded run may take so many times as long as the native one,
MORE_SECONDS = 3.0  # and so much longer
TRIES = 4           # where what differs may be chance
MOST_TRIES = 16     # where lines of stderr are missing in one of the runs
BOTTOM_LINE = "hopscotch: " # the one line of a report that goes to a file, or the first one of a report on stderr
LAST_LINE = "hopscotch: end of report"


@dataclasses.dataclass(frozen=True)
class Guest:
    """A program that must end with the library as it ends without it."""
    name: str               # of the test, behind "guest_"
    program: str            # its source is test/guest/PROGRAM.c or .cpp; or a script, PROGRAM with its ending
    ranks: int = 2
    arguments: str = ""     # of the program, separated by blanks
    settings: Sequence = () # the environment of both runs: "NAME=value"
    prefix: Sequence = ()   # words in front of the program
    also: int = 0           # ranks of the same program in the same job that are never preloaded
    says: str = ""          # regular expression: lines that the library may write to stderr
    status: int = None      # with which both runs end; None: any, but the same
    by_chance: str = ""     # regular expression: lines that come or not by chance, also without the library
    expect: Sequence = ()   # facts of the report, as compare.py reads them
    reports: int = 1        # the most that the library may write: one more by MPI_Pcontrol(2), or a late MPI_Finalize
    seconds: float = 60     # limit of a run on an idle machine
    waits: float = 0        # seconds for which the library may wait for others
    only_preloaded: bool = False # there is nothing native to compare with
    preload: bool = True    # False: the program or its prefix brings the library in by itself
    yields: bool = True     # False: the program has a UCX of its own, which the preload that yields would replace
    lacking: str = ""       # why this MPI library cannot run it; it is skipped


@dataclasses.dataclass
class Outcome:
    """The visible parts of a run."""
    status: int    # None: it did not end
    out: Sequence  # lines of stdout, in an order of their own
    err: Sequence  # the same on stderr
    files: Sequence
    seconds: float
    shown: str     # for a person who looks into a failure


def source_of(program):
    """The one source of a program. Raises LookupError."""
    places = (HERE / program, HERE / f"{program}.c", HERE / f"{program}.cpp", HERE / program / f"{program}.c")
    found = [path for path in places if path.is_file()]
    if len(found) != 1:
        raise LookupError(f"{program} has {len(found)} sources in {HERE}")
    return found[0]


def rows(file, facts):
    return list(importlib.import_module(f"cases.{pathlib.Path(file).stem}").guests(facts))


def without_launcher(text):
    """Without the text that Open MPI's launcher adds: some of its notices get lost, and processes are named by
    numbers."""
    text = re.sub(r"^-{60,}\n.*?^-{60,}\n", "", text, flags=re.MULTILINE | re.DOTALL)
    noise = r"ORTE_ERROR_LOG|\d+ more process|Set MCA parameter|\*\*\* (reported by|on communicator)"
    kept = [line for line in text.splitlines(keepends=True)
            if not re.search(rf"\] ({noise})|\[0x[0-9a-f]+\]$|noticed that process rank", line.rstrip())]
    return "".join(kept)


def comparable(text):
    """Sorted lines, without parts that differ from run to run: addresses, times and process numbers of UCX, ports.
    Numbers of communicators depend on how many there are; only the number of MPI_COMM_WORLD, which is 0, stays."""
    text = re.sub(r"0x[0-9a-f]+", "0x", without_launcher(text))
    text = re.sub(r"^Abort\(\d+\)", "Abort()", text, flags=re.MULTILINE) # MPICH's codes tell errors apart
    text = re.sub(r"\[\d+\.\d+\] \[[^]]*\]", "[]", text)
    text = re.sub(r"PID \d+|\[[\w.-]+:\d+\]", "PID", text) # launchers, of a process that died
    text = re.sub(r"Abort\(\d{4,}\)", "Abort()", text) # MPICH, the number of an error message
    text = re.sub(r"in comm [1-9]\d*", "in comm N", text)
    return sorted(line for line in text.splitlines() if line.strip())


def command_of(row, options, environment, preloads):
    """The mpiexec command line: some ranks with the preloads, some perhaps without the library."""
    source = source_of(row.program)
    program = [sys.executable, str(source)] if source.suffix == ".py" else [str(options.programs / row.program)]
    program = [*row.prefix, *program, *row.arguments.split()]

    def part(ranks, libraries):
        settings = {"LD_PRELOAD": ":".join(libraries)} if libraries else {}
        words = [f"{name}={value}" for name, value in {**settings, **environment}.items()]
        return ["-n", str(ranks), "env", *words, *program]
    command = [options.mpiexec, *part(row.ranks, preloads)]
    if row.also:
        command += [":", *part(row.also, [one for one in preloads if one != str(options.library)])]
    return command


def outcome_of(row, options, report):
    """Runs the program in an empty directory; with the library if `report` is a path for its report."""
    environment = {"GUEST_LIBRARY": str(options.library)} if report else {}
    if report:
        environment["HOPSCOTCH_REPORT"] = str(report)
    environment.update(setting.split("=", 1) for setting in row.settings)
    shared = row.yields and row.ranks + row.also > 1 # other tests run, too
    preloads = [str(options.yielding)] if shared and options.yielding else []
    if report and row.preload:
        preloads.append(str(options.library))
    with tempfile.TemporaryDirectory() as directory:
        command = command_of(row, options, environment, preloads)
        begin = time.monotonic()
        status, out, err = compare.run_limited(command, row.seconds, row.ranks + row.also, cwd=directory)
        seconds = time.monotonic() - begin
        files = sorted(str(path.relative_to(directory)) for path in pathlib.Path(directory).rglob("*"))
    shown = f"$ {shlex.join(command)}\n--- status {status}, {seconds:.2f} s\n--- stdout\n{out}--- stderr\n{err}---"
    lines = [line for line in comparable(out) if not row.by_chance or not re.search(row.by_chance, line)]
    return Outcome(status, lines, comparable(err), files, seconds, shown)


def more_than(lines, others):
    return list((collections.Counter(lines) - collections.Counter(others)).elements())


def report_errors(row, report):
    if not row.expect:
        return []
    if not report.exists():
        return ["there is no report"]
    read = json.loads(report.read_text(encoding="utf-8"))
    errors = schema.check(read)
    return errors + [error for fact in row.expect if (error := compare.expectation_error(read, fact))]


def differences(row, preloaded, native):
    """Sentences about differences that a user would notice."""
    errors = []
    if preloaded.status is None:
        errors.append("preloaded: not done in time")
    elif row.status is not None and preloaded.status != row.status:
        errors.append(f"preloaded: exit status {preloaded.status}, not {row.status}")
    said = more_than(preloaded.err, native.err if native else [])
    ours = [line for line in said if line.startswith(BOTTOM_LINE)]
    said = [line for line in said if line not in ours]
    reports = len(ours) - ours.count(LAST_LINE)
    if reports > row.reports:
        errors.append(f"preloaded: {reports} reports were written")
    errors += [f"preloaded, on stderr: {line}" for line in said if not row.says or not re.search(row.says, line)]
    if native is None:
        return errors
    if preloaded.status != native.status:
        errors.append(f"exit status {preloaded.status} preloaded, {native.status} natively")
    for name, ours, theirs in ("stdout", preloaded.out, native.out), ("files", preloaded.files, native.files):
        errors += [f"{name}, only preloaded: {line}" for line in more_than(ours, theirs)]
        errors += [f"{name}, only natively: {line}" for line in more_than(theirs, ours)]
    errors += [f"stderr, only natively: {line}" for line in more_than(native.err, preloaded.err)]
    if preloaded.seconds > MOST_TIMES * native.seconds + MORE_SECONDS + row.waits:
        errors.append(f"{preloaded.seconds:.1f} s preloaded, {native.seconds:.1f} s natively")
    return errors


def compare_once(row, options):
    """(difference, its details for a person)"""
    with tempfile.TemporaryDirectory() as directory:
        report = pathlib.Path(directory, "report.json")
        preloaded = outcome_of(row, options, report)
        native = None if row.only_preloaded else outcome_of(row, options, None)
        errors = differences(row, preloaded, native) + report_errors(row, report)
    return errors, [preloaded.shown, native.shown if native else ""]


def launcher_loses(facts):
    """Hydra of MPICH 4.2 and later loses lines of programs that end, and their exit status, natively as well."""
    return not facts.openmpi and not facts.older_than(4, 1)


def may_be_chance(error, shown):
    """A busy machine takes longer. Launchers lose lines of processes that end a job; Hydra gives status 1 to a process
    whose connection it saw closed before its end; that of Open MPI 4 ends others at the first status that is not 0, and
    crashes if it shows notices."""
    text = "\n".join(shown)
    if "EXIT STRING: Hangup (signal 1)" in text or "ORTE_ERROR_LOG" in text or "with non-zero status" in text:
        return True
    ends = ("Fatal error", "application called MPI_Abort", "BAD TERMINATION", "ERRORS_ARE_FATAL", "Signal: ")
    lost = any(words in text for words in ends)
    return is_slow(error) or (lost and "stderr" in error)


def is_lost(error):
    """Hydra of MPICH 4.0.2 loses the last lines of a process in 2 to 8 of 60 runs, natively as well; busy machines
    lose more. Such a run is short, so it is repeated more often."""
    return error.startswith(("stderr, only natively: ", "preloaded, on stderr: "))


def is_slow(error):
    """Other work that comes and goes slows down one run of two."""
    return " s natively" in error


def run_row(options, facts):
    row = next(row for row in rows(options.files[0], facts) if row.name == options.name)
    loses = launcher_loses(facts)
    for attempt in range(MOST_TRIES):
        errors, shown = compare_once(row, options)
        if not errors or not (loses or all(may_be_chance(error, shown) for error in errors)):
            break
        if attempt + 1 >= (2 * TRIES if loses else TRIES) and not all(is_lost(error) or is_slow(error)
                                                                      for error in errors):
            break
    if errors:
        print("\n".join(shown + [f"FAILED: {error}" for error in errors]))
    return 1 if errors else 0


def list_rows(options, facts):
    names = collections.Counter()
    for file in options.files:
        for row in rows(file, facts):
            names[row.name] += 1
            source_of(row.program)
            print(f"skipped: guest_{row.name}: {row.lacking}" if row.lacking
                  else f"{row.name} {row.program} {pathlib.Path(file).name}")
    twice = [name for name, number in names.items() if number > 1]
    return f"rows of one name: {', '.join(twice)}" if twice else 0


def full_path(text):
    """Programs run in other directories."""
    return pathlib.Path(text).absolute()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("list", "run"))
    parser.add_argument("--mpi", required=True, choices=("mpich", "openmpi", "abi"))
    parser.add_argument("--version", required=True, help="of the MPI library")
    parser.add_argument("--persistent", required=True, choices=("true", "false"))
    parser.add_argument("--library", type=full_path)
    parser.add_argument("--yielding", type=full_path, help="libyielding.so, used with more than one process")
    parser.add_argument("--programs", type=full_path, help="where they were built")
    parser.add_argument("--mpiexec", default="mpiexec.mpich")
    parser.add_argument("--name")
    parser.add_argument("files", nargs="+", metavar="FILE", help="in cases/")
    return parser.parse_args()


def main():
    options = parse_arguments()
    facts = Facts(options.mpi, options.version, options.persistent == "true", ())
    return {"list": list_rows, "run": run_row}[options.action](options, facts)


if __name__ == "__main__":
    catch_signals()
    sys.exit(main())
