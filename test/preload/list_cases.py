# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the preload tests for Meson: a line for each case of the files named.

list_cases.py --mpi mpich --version 4.0.2 --persistent true --built stencil,varying cases/stencil.py

    NAME :: SUITES :: PROGRAM :: ARGUMENTS :: OPTIONS     suites and arguments separated by blanks, options by tabs
    skipped: NAME[: WHY]                                  cases that this MPI library cannot run

A case is in the suite `night` if cheaper ones of its program have each of its settings, words, libraries and kinds of
expectations, and its number of processes: it has other numbers, or another pair of these. 4 to 8 processes count as one
number, and so do more than 8, and more than two nodes.
"""

import argparse
import collections
import dataclasses
import importlib
import pathlib
import re
import sys

from case import MANY_RANKS, Facts, nodes

HERE = pathlib.Path(__file__).resolve().parent


def line(case, at_night):
    suites = case.suites() + ["night"] * (case.name in at_night)
    return " :: ".join([case.name, " ".join(suites), case.program, case.arguments, "\t".join(case.options())])


def traits(case):
    """Words that cases have in common; of numbers those of settings."""
    processes = case.ranks if case.ranks < 4 else "few" if case.ranks <= MANY_RANKS else "many"
    several = re.compile(rf"{nodes('')}(?!2$)\d+$")
    fields = [re.split("[=<>~]", fact)[0] for fact in case.expect]
    return {processes, *(several.sub("several nodes", setting) for setting in case.settings),
            *re.sub(r"\d+", "", case.arguments).split(),
            *dataclasses.replace(case, ranks=0, settings=(), expect=fields).options()}


def for_the_night(cases):
    """The names of the cases in the suite `night`."""
    seen = collections.defaultdict(set) # by program
    names = set()
    for case in sorted(cases, key=lambda case: case.ranks * (1 if case.alone else 2)):
        own = traits(case)
        if own <= seen[case.program] and not case.quick:
            names.add(case.name)
        seen[case.program] |= own
    return names


def read_cases(files, facts):
    """Those of all files, in their order. Ends the program if a row cannot be meant."""
    cases = []
    names = set()
    for file in files:
        for case in importlib.import_module(f"cases.{file.stem}").cases(facts):
            if case.name in names:
                sys.exit(f"{file}: {case.name} is the name of two cases")
            if not any((*HERE.rglob(f"{case.program}.[cf]*"), *HERE.glob(f"../device/{case.program}.c"))):
                sys.exit(f"{file}: {case.name} runs {case.program}, of which there is no source")
            names.add(case.name)
            cases.append(case)
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mpi", required=True, choices=("mpich", "openmpi", "abi"))
    parser.add_argument("--version", required=True, help="of the MPI library")
    parser.add_argument("--persistent", required=True, choices=("true", "false"))
    parser.add_argument("--built", required=True, help="programs, separated by commas")
    parser.add_argument("--words", help="case.py; Meson configures anew when a file changes that it names")
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE", help="in cases/")
    options = parser.parse_args()
    facts = Facts(options.mpi, options.version, options.persistent == "true", tuple(options.built.split(",")))
    cases = read_cases(options.files, facts)
    at_night = for_the_night([case for case in cases if case.works(facts)])
    for case in cases:
        skipped = ": ".join(filter(None, ["skipped", case.name, case.lacking]))
        print(line(case, at_night) if case.works(facts) else skipped)


if __name__ == "__main__":
    main()
