# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The programs of docs/examples are made and run by the two commands at their beginning, and find the right values."""

import importlib.util
import pathlib
import re
import subprocess
import tempfile

from support import PATIENCE, ROOT, TOOL, check, setup

OPEN_MPI = "openmpi" in setup.paths.library
BUILD = pathlib.Path(setup.paths.library).parents[1]
LEFT_OUT = {"ring.py"} if not OPEN_MPI else {"persistent.c", "neighborhood.c"}  # MPI 3.1; the library's other name


def commands(example):
    """The indented commands of the first comment."""
    return [line.strip(" !/*") for line in example.read_text(encoding="utf-8").splitlines()
            if re.match(r"[ !/*]{4,}(mpi|scripts|LD_)", line)]


def here(command):
    """The command in another folder, with this build."""
    command = re.sub(r"mpiexec(?:\.mpich)? -n (\d+)", lambda found: " ".join(setup.launcher(int(found[1]))), command)
    if OPEN_MPI:
        command = re.sub(r"\b(mpicc|mpicxx|mpifort)\.mpich", r"\1", command)
    command = command.replace("docs/examples/", f"{ROOT}/docs/examples/").replace("-Iinclude", f"-I{ROOT}/include")
    return command.replace("scripts/hopscotch ", f"{TOOL} ").replace("build/shim", f"{BUILD}/shim")


def check_example(example, folder):
    for command in commands(example)[-1:] if example.suffix == ".py" else commands(example):
        done = subprocess.run(["bash", "-c", here(command)], cwd=folder, stdin=subprocess.DEVNULL, timeout=PATIENCE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if "mpifort" in command and done.returncode == 127:
            print("skipped: there is no Fortran compiler (apt-get install gfortran)")
            return
        check(done.returncode == 0, f"{example.name}: {command}", done.stdout + done.stderr)
    check(done.stdout == "right\n", f"{example.name}: its values", done.stdout + done.stderr)
    if "hopscotch run" in command:
        check(re.search(r"[1-9]\d* (accelerated|carried by Hopscotch)", done.stderr),
              f"{example.name}: is accelerated", done.stderr)


with tempfile.TemporaryDirectory(prefix="examples_") as directory:
    found = [path for path in sorted((ROOT / "docs/examples").iterdir()) if path.name not in LEFT_OUT]
    check(len(found) == 7 if not OPEN_MPI else len(found) == 6, "all examples", found)
    for path in found:
        check(len(commands(path)) == 2, f"{path.name}: two commands", commands(path))
        if path.suffix == ".py" and importlib.util.find_spec("mpi4py") is None:
            print("skipped: there is no mpi4py (apt-get install python3-mpi4py)")
        else:
            check_example(path, directory)
setup.finish()
