# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks Hopscotch on this site: random calls in every form, compared byte for byte, under its launcher and with
settings of its own."""

import argparse
import itertools
import random
import re
import shlex
import shutil
import time

from hopscotch_tool import elf, launched, locate, reported, say, status, verdict
from hopscotch_tool.arguments import WrongUsage, count, number, problem_of_command, seconds
from hopscotch_tool.interruption import Interrupted
from hopscotch_tool.show import algorithms

PROGRAMS = ("varying", "nonblocking", "global")
CASES = {"varying": 3, "nonblocking": 1, "global": 3}  # cases of the first run; others have twice as many
DEFAULT_PROCESSES = 4
# What the comparison programs say of their cases (test/preload/common/runs.c), wherever a launcher puts it.
SAID = re.compile(r"ok, seed (\d+), (\d+) cases: (\d+) (?:calls|operations)")
DIFFERENCE = re.compile(rf"FAILED: (?:{'|'.join(PROGRAMS)}) ")
LAUNCHERS = {elf.MPICH: ("mpiexec.mpich", "mpiexec.hydra", "mpiexec"), elf.STANDARD_ABI: ("mpiexec.mpich", "mpiexec"),
             elf.OPEN_MPI: ("mpiexec.openmpi", "mpiexec")}


def add_arguments(parser):
    parser.add_argument("-n", type=count, metavar="N", help=f"processes (default: {DEFAULT_PROCESSES})")
    parser.add_argument("--seconds", type=seconds, default=60,
                        help="start no run after this time (default: %(default)s)")
    parser.add_argument("--seed", type=number, help="of the random cases (default: another every time)")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="[--] launcher ...",
                        help="launcher of N processes, srun -n 4 say (default: mpiexec -n N)")


def settings():
    """The settings of each row of the table: every algorithm but native. Raises locate.Missing."""
    found = {
        "auto": {"HOPSCOTCH_SET_UP_AFTER": "0"}, # else the library carries calls that are to be compared
        "shared": {"HOPSCOTCH_ALGORITHM": "shared", "HOPSCOTCH_ONE_COPY": "off"},
        "one copy": {"HOPSCOTCH_ALGORITHM": "shared", "HOPSCOTCH_ONE_COPY": "1"},
    }
    for name in algorithms()[1:]:
        found.setdefault(name, {"HOPSCOTCH_ALGORITHM": name})
    return found


class Useless(Exception):
    """No run can say anything: the message, and the exit status."""

    def __init__(self, message, number):
        super().__init__(message)
        self.status = number


class Row:
    """The results of the runs of one setting."""

    def __init__(self):
        self.runs = 0
        self.calls = 0
        self.carried = 0
        self.compared = 0  # results that the programs say they have compared
        self.seconds = 0.0
        self.failures = []
        self.differences = 0  # failures in which a program says that bytes differ
        self.late = []  # runs that were not done in time

    def is_equal(self):
        return self.carried > 0 and self.compared > 0


def compared_by(output, seed, cases):
    """The results that a comparison program says it has compared and found equal; None if none says so."""
    found = [int(number) for *own, number in SAID.findall(output) if own == [str(seed), str(cases)]]
    return sum(found) if found else None


def launcher(words, family, processes):
    """The command before the program; `processes` is None if the user has not given their number. Raises
    locate.Missing, WrongUsage."""
    if words and processes is not None:
        own = launched.asked_for(words)
        if own is not None and own != processes:
            raise WrongUsage(f"-n {processes}, but the launcher is asked for {own}: say it once")
        if launched.launcher_in(words) is None:
            raise WrongUsage(f"-n {processes} goes to a launcher, and {words[0]} is none that is known: say there how "
                             "many")
        return words if own is not None else [*words, "-n", str(processes)]
    if words:
        return words
    found = next((name for name in LAUNCHERS[family] if shutil.which(name)), None)
    if found is None:
        raise locate.Missing("no mpiexec is found; say what starts the processes: hopscotch selftest -- srun -n 4")
    return [found, "-n", str(processes or DEFAULT_PROCESSES)]


class Job:
    """The launcher and the environment of all runs, and the processes of the first report."""

    def __init__(self, command, environment, family):
        self.command = command
        self.environment = environment
        self.family = family
        self.ranks = None

    def alone(self, outcome):
        """Describes the job of the first report. Returns the fault of the processes, or None."""
        if not outcome.reports:
            return None
        if self.ranks is None:
            self.ranks = outcome.reports[0]["ranks"]
            say.line(f"job          {launched.job_line(outcome.reports[0])}")
        wrong = launched.alone(outcome.reports, self.command, self.family, one_program=True)
        return wrong or ("the job has 1 rank, which has nobody to exchange with: ask for several" if self.ranks == 1
                         else None)

    def execute(self, program, seed, cases, settings_of_row, seconds, row):
        """One run of a program with random cases; the outcome goes into the row. Raises Useless."""
        command = [*self.command, str(program), "random", str(seed), str(cases)]
        shown = shlex.join(command)
        try:
            outcome = reported.run(command, self.environment, seconds, settings=settings_of_row)
        except OSError as error:
            raise Useless(f"{command[0]}: {error.strerror}", status.of_start(error)) from None
        row.runs += 1
        row.seconds += outcome.seconds
        if wrong := self.alone(outcome):
            raise Useless(wrong, status.NO)
        compared = compared_by(outcome.out, seed, cases)
        if outcome.returncode is None:
            row.late.append(f"{shown}: not done after {seconds:.0f} s")
        elif outcome.returncode != 0:
            row.failures.append(f"{shown}: status {outcome.status()}\n{(outcome.out + outcome.err)[:2000]}")
            row.differences += DIFFERENCE.search(outcome.out) is not None
        elif compared is None:
            raise Useless("no comparison program of Hopscotch says that it compared anything: after -- comes the "
                          "launcher without a program, and it has to let output through", status.WRONG_USAGE)
        elif not outcome.reports:
            raise Useless("the MPI library was compared with itself, since there is no report of Hopscotch: was it "
                          "loaded? hopscotch doctor says more", status.NO)
        else:
            row.compared += compared
            row.calls += outcome.reports[0]["totals"]["calls"]
            row.carried += verdict.carried_by(outcome.reports[0], settings_of_row.get("HOPSCOTCH_ALGORITHM", "auto"))


def turns(names, programs):
    """(setting, program, number of such runs so far) without end."""
    for number in itertools.count():
        for program in programs:
            for name in names:
                yield name, program, number


def result(row):
    if row.failures:
        return f"{len(row.failures)} FAILED"
    if row.late:
        return "not done in time"
    if row.is_equal():
        return "equal"
    return "not tried" if row.runs else "not reached"


def results_in(lines):
    """{setting: result} of the table that `show` has printed."""
    rows = (re.fullmatch(r"(\S.{11}) +\d+ +\d+ +\d+ +[\d.]+  (\S.*)", line.rstrip()) for line in lines)
    return {row[1].strip(): row[2] for row in rows if row}


def show(rows):
    say.line(f"{'algorithm':12} {'runs':>5} {'calls':>8} {'carried':>8} {'seconds':>8}  result")
    for name, row in rows.items():
        say.line(f"{name:12} {row.runs:5} {row.calls:8} {row.carried:8} {row.seconds:8.1f}  {result(row)}")


def run_all(job, programs, tried, rows, seed, seconds):
    """Fills the rows until the time is over, or every row has failed. Raises Useless."""
    begin = time.monotonic()
    for name, program, number in turns(tried, programs):
        left = seconds - (time.monotonic() - begin)
        if left < 0 or all(row.failures or row.late for row in rows.values()):
            break
        if rows[name].failures or rows[name].late:
            continue
        cases = CASES[program.name] * (1 if number == 0 else 2)
        job.execute(program, seed + number, cases, tried[name], left + 45, rows[name])


def judge(rows):
    """The verdict on the runs, as text, and the exit status. It says no more than what the programs compared."""
    def of_all(name):
        return sum(getattr(row, name) for row in rows.values())

    failures, late = (list(itertools.chain.from_iterable(getattr(row, name) for row in rows.values()))
                      for name in ("failures", "late"))
    for text in "\n".join([*failures, *late][:3]).splitlines():
        say.line(text)
    runs, carried = of_all("runs"), of_all("carried")
    if failures and not of_all("compared") and not of_all("differences"):
        return f"none of {runs} runs got as far as a comparison; hopscotch doctor says more", status.NO
    if failures:
        return f"{len(failures)} of {runs} runs failed; do not use it here", status.NO
    if late:
        return (f"{len(late)} of {runs} runs were not done in time: they hang, or the machine is too busy"
                + ("; the others found no difference" if of_all("compared") else ""), status.NO)
    if carried == 0:
        return "nothing was carried by Hopscotch, so no result of it was compared; hopscotch doctor says why", status.NO
    equal = (f"{of_all('compared')} results were compared byte for byte and are equal; {carried} of {of_all('calls')} "
             "calls were carried as asked")
    missing = [name for name, row in rows.items() if not row.is_equal()]
    if not missing:
        return f"all right; {equal}", 0
    return f"right as far as it was tried; not tried: {', '.join(missing)}; {equal}", 0


def selftest(arguments, words):
    """0: all that came was right, and something was carried; 1: not. Raises WrongUsage, locate.Missing."""
    library = locate.library()
    programs = locate.programs_beside(library, PROGRAMS, "test/preload")
    tried = settings()
    family = locate.family_of_library(library)
    command = launcher(words, family, arguments.n)
    if wrong := problem_of_command(command[0]):
        say.error(f"hopscotch selftest: {wrong[0]}")
        return wrong[1]
    environment = {variable: value for variable, value in locate.environment(command).items()
                   if not variable.startswith("HOPSCOTCH")}
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1, 1 << 30)
    say.line(f"library      {library}")
    say.line(f"launcher     {shlex.join(command)}")
    say.line(f"seed         {seed}")
    rows = {name: Row() for name in tried}
    job = Job(command, environment, family)
    try:
        run_all(job, programs, tried, rows, seed, arguments.seconds)
    except Useless as error:
        say.error(f"hopscotch selftest: {error}")
        return error.status
    except Interrupted as error:
        say.error(f"hopscotch selftest: interrupted after {sum(row.runs for row in rows.values())} runs")
        if job.ranks is not None:
            show(rows)
        return error.status
    show(rows)
    text, answer = judge(rows)
    say.line("verdict: " + text)
    return answer
