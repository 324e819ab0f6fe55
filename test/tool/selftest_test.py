#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch selftest finds a library that is right, and one that is not."""

import contextlib
import io
import pathlib

from support import check, setup
from hopscotch_tool import elf, reported, selftest

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
        returncode, reports, *output = self.outcomes.pop(0) if self.outcomes else (0, [report_of(2, merged=1)])
        said = output[0] if output else said_by(*command[-2:], 9) if returncode == 0 else "out"
        return reported.Outcome(returncode, said, "err", reports, 2.0)


def said_by(seed, cases, calls, noun="calls"):
    """What a comparison program says at its end, as srun -l has it."""
    return f"0: ok, seed {seed}, {cases} cases: {calls} {noun}, 3 of them natively, too\n"


def check_rows():
    """Calls and times of all runs add up; each failure is one, with its command."""
    real, reported.run = reported.run, Steps((0, [report_of(2, merged=3, native=4)]), (0, [report_of(2, merged=5)]),
                                             (None, []), (6, []), (6, [], "FAILED: varying case 7 0, rank 1, of ..."))
    job, row = selftest.Job(["launch"], {}, elf.MPICH), selftest.Row()
    for _ in range(5):
        quietly(job.execute, "program", 7, 3, {"HOPSCOTCH_ALGORITHM": "merged"}, 9, row)
    check((row.runs, row.calls, row.carried, row.compared, row.seconds) == (5, 12, 8, 18, 10.0) and
          (len(row.failures), row.differences, len(row.late)) == (2, 1, 1), "selftest: a row of runs", vars(row))
    check("status 6\nouterr" in row.failures[0] and "not done after 9 s" in row.late[0], "selftest: failures",
          f"{row.failures} {row.late}")
    good = [report_of(2, merged=3)]
    for what, step, words, number in (
            ("a job of one rank", (0, [report_of(1, merged=3)]), "1 rank", 1),
            ("a program that compares nothing", (0, good, "15 of 15 blocks are equal"), "no comparison program", 2),
            ("a program that ends well without MPI", (0, [], ""), "no comparison program", 2),
            ("the result of another run", (0, good, said_by(8, 3, 9)), "no comparison program", 2),
            ("a library that was not loaded", (0, []), "compared with itself", 1)):
        reported.run = Steps(step)
        other = selftest.Row()
        try:
            quietly(selftest.Job(["launch"], {}, elf.MPICH).execute, "program", 7, 3, {}, 9, other)
            check(False, f"selftest: {what}", vars(other))
        except selftest.Useless as error:
            check(words in str(error) and error.status == number and not other.compared, f"selftest: {what}", error)
    reported.run = real
    for output, number in ((said_by(7, 3, 40) + said_by(7, 3, 2, "operations"), 42), (said_by(7, 3, 0), 0), ("", None)):
        check(selftest.compared_by(output, 7, 3) == number, "selftest: what the programs say", output)


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


# Carried calls, compared results, failures, differences and late runs of the second of two rows; the beginning of the
# verdict, and the status. No verdict makes another claim than its own.
VERDICTS = ((3, 9, 0, 0, 0, "all right; 18 results were compared byte for byte and are equal; 5 of 10 calls", 0),
            (0, 9, 0, 0, 0, "right as far as it was tried; not tried: b; 18 results", 0),
            (3, 0, 0, 0, 0, "right as far as it was tried; not tried: b; 9 results", 0),
            (3, 9, 1, 0, 0, "1 of 4 runs failed; do not use it here", 1),
            (0, 0, 1, 1, 0, "1 of 4 runs failed; do not use it here", 1),
            (3, 9, 0, 0, 1, "1 of 4 runs were not done in time: they hang, or the machine is too busy; the others", 1))
CLAIMS = ("all right", "right as far as", "equal", "do not use it", "not done in time", "found no difference",
          "got as far as a comparison", "nothing was carried")


def check_verdict():
    def judged(first, **second):
        rows = {name: selftest.Row() for name in "ab"}
        for row, values in zip(rows.values(), (first, second)):
            vars(row).update({"runs": 2, "calls": 5, **values})
        return quietly(selftest.judge, rows)

    def check_claims(text, answer, words, number):
        check(words in text and answer == number, f"selftest: the verdict {words}", f"{answer} {text}")
        for claim in CLAIMS:
            check((claim in text) == (claim in words or claim == "equal" and "compared byte" in text
                                      or claim == "found no difference" and "the others" in words),
                  f"selftest: {claim} in the verdict {words}", text)

    for carried, compared, failed, differ, late, words, number in VERDICTS:
        text, answer = judged({"carried": 2, "compared": 9}, carried=carried, compared=compared, differences=differ,
                              failures=["why"] * failed, late=["late"] * late)
        check_claims(text, answer, words, number)
    nothing = {"carried": 0, "compared": 0}
    for second, words in (({"failures": ["why"]}, "none of 4 runs got as far as a comparison"),
                          ({"late": ["late"]}, "1 of 4 runs were not done in time"),
                          ({"compared": 9}, "nothing was carried by Hopscotch")):
        check_claims(*judged(nothing, **second), words, 1)
    found = selftest.settings()
    check(set(found) == {"auto", "shared", "one copy", "trivial", "merged", "combining", "aggregated"} and
          all(settings.get("HOPSCOTCH_ALGORITHM", "auto") == {"one copy": "shared"}.get(name, name)
              for name, settings in found.items()), "selftest: settings of rows", found)


check_rows()
check_turns()
check_verdict()

shown = setup.tool("selftest", "--seconds", "5", "--seed", "7", "--", *two)
check(shown.returncode == 0 and "verdict: right as far as it was tried; not tried: " in shown.stdout
      and "seed         7" in shown.stdout and "were compared byte for byte and are equal" in shown.stdout,
      "selftest: a library that is right", str(shown))
lines = [line.split() for line in shown.stdout.splitlines() if line.startswith("auto ")]
check(lines and int(lines[0][3]) > 0, "selftest: calls are carried", shown.stdout)

shown = setup.tool("selftest", "--seconds", "5", "--seed", "7", "--", *two,
                   environment={"LD_PRELOAD": setup.paths.corrupting, "HOPSCOTCH": "off"})
check(shown.returncode == 1 and "runs failed; do not use it here" in shown.stdout
      and "MPI_Neighbor_alltoallv" in shown.stdout, "selftest: two blocks are swapped", str(shown))

shown = setup.tool("selftest", "--", "/nowhere/mpiexec")
check(shown.returncode == 127 and "/nowhere/mpiexec: No such file" in shown.stderr, "selftest: no launcher", str(shown))
shown = setup.tool("selftest", "--", *two, setup.paths.stencil, "-i", "5")
check(shown.returncode == 2 and "no comparison program of Hopscotch says that it compared anything" in shown.stderr
      and "verdict: " not in shown.stdout, "selftest: a program of the user", str(shown))
setup.finish()
