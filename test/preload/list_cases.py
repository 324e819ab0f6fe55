# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the preload tests for Meson: a line for each case of the files named.

list_cases.py --mpi mpich --version 4.0.2 --persistent true --built stencil,regular cases/stencil.py

    NAME :: SUITES :: PROGRAM :: ARGUMENTS :: OPTIONS     suites and arguments separated by blanks, options by tabs
    skipped: NAME[: WHY]                                  cases that this MPI library cannot run
"""

import argparse
import importlib
import pathlib
import sys

from case import Facts

HERE = pathlib.Path(__file__).resolve().parent


def line(case):
    return " :: ".join([case.name, " ".join(case.suites()), case.program, case.arguments, "\t".join(case.options())])


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
    for case in read_cases(options.files, facts):
        skipped = ": ".join(filter(None, ["skipped", case.name, case.lacking]))
        print(line(case) if case.works(facts) else skipped)


if __name__ == "__main__":
    main()
