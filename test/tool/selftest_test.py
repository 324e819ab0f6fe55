#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch selftest finds a library that is right, and one that is not."""

import contextlib
import io
import pathlib
import sys

from support import ROOT, Setup

sys.path.insert(0, str(ROOT / "scripts/tool"))
from hopscotch_tool import elf, reported, selftest  # noqa: E402  the path has to be known first

setup = Setup()
check = setup.check
two = setup.launcher(2)


def quietly(function, *arguments):
    """The result of a function that prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*arguments)


def report_of(ranks, **calls):
    operations = [{"algorithm": name, "calls": number} for name, number in calls.items()]
    return {"ranks": ranks, "nodes": 1, "mpi_library": "MPICH", "launcher": "",
            "totals": {"calls": sum(calls.values())}, "graphs": [{"operations": operations}]}


class Steps:
    """Runs that take no time, for a job: the outcomes in turn, and what was run."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)
        self.commands = []
        self.settings = []

    def __call__(self, command, _environment, _seconds, settings):
        self.commands.append(command[1:])
        self.settings.append(settings)
        returncode, reports = self.outcomes.pop(0) if self.outcomes else (0, [report_of(2, merged=1)])
        return reported.Outcome(returncode, "out", "err", reports, 2.0)


def check_rows():
    """Calls and times of all runs add up; each failure is one, with its command."""
    real, reported.run = reported.run, Steps((0, [report_of(2, merged=3, native=4)]), (0, [report_of(2, merged=5)]),
                                             (None, []), (6, []), (0, []))
    job, row = selftest.Job(["launch"], {}, elf.MPICH), selftest.Row()
    for _ in range(5):
        quietly(job.execute, ["program"], {"HOPSCOTCH_ALGORITHM": "merged"}, 9, row)
    check((row.runs, row.calls, row.carried, row.seconds, len(row.failures)) == (5, 12, 8, 10.0, 3),
          "selftest: a row of runs", vars(row))
    check(all(text in failure for text, failure in zip(("not done after 9 s", "status 6\nouterr", "no report"),
                                                       row.failures)), "selftest: failures", row.failures)
    reported.run = Steps((0, [report_of(1, merged=3)]))
    try:
        quietly(selftest.Job(["launch"], {}, elf.MPICH).execute, ["program"], {}, 9, row)
        check(False, "selftest: a job of one rank")
    except selftest.Useless as error:
        check("1 rank" in str(error) and error.status == 1, "selftest: a job of one rank", error)
    reported.run = real


def check_turns():
    """Every setting gets every program, with other random calls in each round, until all have failed."""
    programs = [pathlib.Path(name) for name in selftest.PROGRAMS]
    tried = {"auto": {}, "merged": {"HOPSCOTCH_ALGORITHM": "merged"}}
    rows = {name: selftest.Row() for name in tried}
    # The first setting fails in the second round, the other one in the third.
    good = (0, [report_of(2, merged=1)])
    steps = Steps(*[good] * 6, (1, []), *[good] * 5, (1, []))
    real, reported.run = reported.run, steps
    quietly(selftest.run_all, selftest.Job(["launch"], {}, elf.MPICH), programs, tried, rows, 70, 1000)
    reported.run = real
    cases = selftest.CASES
    wanted = [[name, "random", "70", str(cases[name])] for name in cases for _ in tried]
    wanted += [["varying", "random", "71", str(2 * cases["varying"])]] * 2
    wanted += [[name, "random", "71", str(2 * cases[name])] for name in ("nonblocking", "global")]
    wanted += [[name, "random", "72", str(2 * cases[name])] for name in cases]
    check(steps.commands == wanted[:len(steps.commands)] and len(steps.commands) == 13, "selftest: turns",
          steps.commands)
    check(steps.settings[:2] == list(tried.values()) and steps.settings[8:] == [tried["merged"]] * 5,
          "selftest: settings of turns", steps.settings)


def check_verdict():
    for carried, failures, words, status in (((2, 3), 0, "all right; 5 of 10 calls", 0),
                                             ((2, 0), 0, "not tried: b; 2 of", 0),
                                             ((0, 0), 0, "nothing was carried", 1), ((2, 3), 1, "1 of 4 runs", 1)):
        rows = {name: selftest.Row() for name in "ab"}
        for row, number in zip(rows.values(), carried):
            row.runs, row.calls, row.carried = 2, 5, number
        rows["b"].failures = ["why"] * failures
        text, answer = quietly(selftest.judge, rows)
        check(words in text and answer == status, f"selftest: the verdict on {carried}", f"{answer} {text}")
    found = selftest.settings()
    check(set(found) == {"auto", "shared", "one copy", "trivial", "merged", "combining", "aggregated"} and
          all(settings.get("HOPSCOTCH_ALGORITHM", "auto") == {"one copy": "shared"}.get(name, name)
              for name, settings in found.items()), "selftest: settings of rows", found)


check_rows()
check_turns()
check_verdict()

shown = setup.tool("selftest", "--seconds", "5", "--seed", "7", "--", *two)
check(shown.returncode == 0 and "verdict: right as far as it was tried; not tried: " in shown.stdout
      and "seed         7" in shown.stdout, "selftest: a library that is right", str(shown))
lines = [line.split() for line in shown.stdout.splitlines() if line.startswith("auto ")]
check(lines and int(lines[0][3]) > 0, "selftest: calls are carried", shown.stdout)

shown = setup.tool("selftest", "--seconds", "5", "--", *two,
                   environment={"LD_PRELOAD": setup.paths.corrupting, "HOPSCOTCH": "off"})
check(shown.returncode == 1 and "runs failed; do not use it here" in shown.stdout
      and "MPI_Neighbor_alltoallv" in shown.stdout, "selftest: two blocks are swapped", str(shown))

shown = setup.tool("selftest", "--", "/nowhere/mpiexec")
check(shown.returncode == 127 and "/nowhere/mpiexec: No such file" in shown.stderr, "selftest: no launcher", str(shown))
setup.finish()
