# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether Hopscotch is right on this site: random calls in every form, compared byte for byte, under its launcher and
with settings of its own."""

import argparse
import itertools
import random
import shlex
import shutil
import time

from hopscotch_tool import elf, locate, reported, say
from hopscotch_tool.show import algorithms

PROGRAMS = ("varying", "nonblocking", "global")
CASES = {"varying": 3, "nonblocking": 1, "global": 3}  # of the first run; others have twice as many
LAUNCHERS = {elf.MPICH: ("mpiexec.mpich", "mpiexec.hydra", "mpiexec"), elf.STANDARD_ABI: ("mpiexec.mpich", "mpiexec"),
             elf.OPEN_MPI: ("mpiexec.openmpi", "mpiexec")}


def add_arguments(parser):
    parser.add_argument("-n", type=int, default=4, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="start no run after this time (default: %(default)s)")
    parser.add_argument("--seed", type=int, help="of the random cases (default: another every time)")
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="[--] launcher ...",
                        help="what starts N processes, srun -n 4 say (default: mpiexec -n N)")


def settings():
    """What is set for each row of the table: every algorithm but native. Raises locate.Missing."""
    found = {
        "auto": {},
        "shared": {"HOPSCOTCH_ALGORITHM": "shared", "HOPSCOTCH_ONE_COPY": "off"},
        "one copy": {"HOPSCOTCH_ALGORITHM": "shared", "HOPSCOTCH_ONE_COPY": "1"},
    }
    for name in algorithms()[1:]:
        found.setdefault(name, {"HOPSCOTCH_ALGORITHM": name})
    return found


class Row:
    """What the runs of one setting have shown."""

    def __init__(self):
        self.runs = 0
        self.calls = 0
        self.carried = 0
        self.seconds = 0.0
        self.failures = []


def launcher(words, family, processes):
    """The command before the program. Raises locate.Missing."""
    if words:
        return words
    found = next((name for name in LAUNCHERS[family] if shutil.which(name)), None)
    if found is None:
        raise locate.Missing("no mpiexec is found; say what starts the processes: hopscotch selftest -- srun -n 4")
    return [found, "-n", str(processes)]


def execute(command, environment, seconds, row):
    """One run of a program, whose outcome goes into the row."""
    begin = time.monotonic()
    failure, report = reported.run(command, environment, seconds)
    row.runs += 1
    row.seconds += time.monotonic() - begin
    if failure is not None:
        row.failures.append(failure)
        return
    row.calls += report["totals"]["calls"]
    row.carried += report["totals"]["accelerated"]


def turns(names, programs):
    """(setting, program, how often there was such a run) without end."""
    for number in itertools.count():
        for name in names:
            for program in programs:
                yield name, program, number


def show(rows):
    say.line(f"{'algorithm':12} {'runs':>5} {'calls':>8} {'carried':>8} {'seconds':>8}  result")
    for name, row in rows.items():
        result = f"{len(row.failures)} FAILED" if row.failures else "equal" if row.runs else "not reached"
        say.line(f"{name:12} {row.runs:5} {row.calls:8} {row.carried:8} {row.seconds:8.1f}  {result}")


def selftest(arguments, words):
    """0: all that came was right, and something was carried; 1: not; 2: it cannot be tried."""
    try:
        library = locate.library()
        programs = locate.selftest_programs(library, PROGRAMS)
        tried = settings()
        command = launcher(words, locate.family_of_library(library), arguments.n)
        environment = {variable: value for variable, value in locate.environment(command).items()
                       if not variable.startswith("HOPSCOTCH")}
    except locate.Missing as error:
        say.error(f"hopscotch selftest: {error}")
        return 2
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1, 1 << 30)
    say.line(f"library      {library}")
    say.line(f"launcher     {shlex.join(command)}")
    say.line(f"seed         {seed}")
    rows = {name: Row() for name in tried}
    begin = time.monotonic()
    for name, program, number in turns(tried, programs):
        left = arguments.seconds - (time.monotonic() - begin)
        if left < 0 or all(row.failures for row in rows.values()):
            break
        if rows[name].failures:
            continue
        cases = CASES[program.name] * (1 if number == 0 else 2)
        execute([*command, str(program), "random", str(seed + number), str(cases)],
                {**environment, **tried[name]}, left + 45, rows[name])
    show(rows)
    failures = [failure for row in rows.values() for failure in row.failures]
    for text in "\n".join(failures[:3]).splitlines():
        say.line(text)
    if failures:
        runs = sum(row.runs for row in rows.values())
        say.line(f"verdict: {len(failures)} of {runs} runs failed; do not use it here")
        return 1
    carried = sum(row.carried for row in rows.values())
    if carried == 0:
        say.line("verdict: nothing was carried by Hopscotch, so nothing was compared; hopscotch doctor says why")
        return 1
    say.line(f"verdict: all right; {carried} of {sum(row.calls for row in rows.values())} calls were carried by "
             "Hopscotch, each equal byte for byte")
    return 0
