# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The codes of docs/advice.md compute the same with messages and with the collective that the advice
leads to, without Hopscotch and with it; the advice names their halos, in C and in Fortran."""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tool"))
from support import check, setup

PROGRAMS = pathlib.Path(setup.paths.programs[0])
PYTHON = "/usr/bin/python3"  # Debian's, for which mpi4py is packaged
SHOW_LIBRARY = """
import mpi4py, numpy
mpi4py.rc.initialize = False
from mpi4py import MPI
print(MPI.Get_library_version())
"""


def result(ranks, *words, tool=()):
    """The line with the sum. The launcher is started by the tool, or alone."""
    command = [*setup.launcher(ranks), str(PROGRAMS / words[0]), *words[1:]]
    if tool:
        done = setup.tool(*tool, "--", *command, environment=setup.crowd(ranks))
    else:
        environment = ["env", *(f"{name}={value}" for name, value in setup.crowd(ranks).items())]
        done = subprocess.run([*setup.launcher(ranks), *environment, *command[len(setup.launcher(ranks)):]],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              check=False)
    return next((line for line in done.stdout.splitlines() if "sum: " in line), done.stdout + done.stderr)


def check_same(ranks, program, *words):
    plain = result(ranks, program, *words)
    check("sum: " in plain, f"{program} on {ranks}", plain)
    for given, tool in (((*words, "-c"), ()), ((*words, "-c"), ("run", "-r", "off")), (words, ("run", "-r", "off"))):
        other = result(ranks, program, *given, tool=tool)
        check(other == plain, f"{program} {' '.join(given)} on {ranks}, {' '.join(tool)}", f"{other}\n{plain}")


def check_advice(folder, ranks, program, function, grid, *words):
    file = folder / f"{program}.json"
    shown = result(ranks, program, *words, tool=("advise", "-o", file))
    check(file.is_file(), f"{program}: advice", shown)
    exchanges = json.loads(file.read_text(encoding="utf-8"))["exchanges"] if file.is_file() else []
    found = [one for one in exchanges if one["function"] == function and one["kind"] == "grid"]
    right = len(exchanges) == 1 and len(found) == 1 and found[0]["grid"]["dims"] == grid
    check(right, f"{program}: {function}, {grid}",
          json.dumps(exchanges, indent=1))
    if found:
        check(set(found[0]["functions"]) == {"MPI_Irecv", "MPI_Isend", "MPI_Waitall"}, f"{program}: functions",
              found[0]["functions"])


def has_mpi4py():
    """Whether mpi4py is there, with numpy, for the MPI family of this build."""
    shown = subprocess.run([PYTHON, "-c", SHOW_LIBRARY], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.DEVNULL, text=True, check=False)
    return shown.returncode == 0 and ("Open MPI" in shown.stdout) == ("_openmpi" in setup.paths.library)


with tempfile.TemporaryDirectory(prefix="example_") as directory:
    for number in (2, 3, 8, 12):
        check_same(number, "halo", "-i", "3")
    check_advice(pathlib.Path(directory), 8, "halo", "exchange_messages", [2, 2, 2], "-i", "20")
    if (PROGRAMS / "halo_f").is_file():
        check_same(4, "halo_f")
        check_advice(pathlib.Path(directory), 4, "halo_f", "halo_rows::exchange_rows", [4])
    else:
        print("skipped: there is no Fortran compiler (apt-get install gfortran)")
    if has_mpi4py():
        check_same(4, PYTHON, str(pathlib.Path(__file__).with_name("halo.py")))
    else:
        print("skipped: there is no mpi4py for this MPI library (Debian has it for Open MPI: apt-get install "
              "python3-mpi4py, scripts/test --openmpi; for MPICH: pip install --no-binary mpi4py mpi4py)")
setup.finish()
