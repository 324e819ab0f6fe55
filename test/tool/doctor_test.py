# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch doctor names the reason in every case."""

import os
import pathlib
import shutil
import sys
import tempfile

from support import Setup

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/tool"))
from hopscotch_tool import doctor

setup = Setup()
check = setup.check
two = setup.launcher(2)


def expect(name, words, text, status, environment=None):
    shown = setup.tool("doctor", *words, environment=environment)
    check(text in shown.stdout and shown.returncode == status, f"doctor: {name}, status {shown.returncode}",
          shown.stdout + shown.stderr)


class Notes(list):
    """Notes of doctor."""

    note = list.append
    problem = list.append


with tempfile.TemporaryDirectory() as place:
    scope = pathlib.Path(place) / "ptrace_scope"
    for text, notes in ((None, 0), ("0\n", 0), ("1\n", 1)):
        if text is not None:
            scope.write_text(text, encoding="ascii")
        found = Notes()
        doctor.check_reading(found, scope)
        check(len(found) == notes, f"doctor: Yama says {text}", str(found))

found = Notes()
native = {"algorithm": "native", "reason": "a reason"}
doctor.say_reasons(found, {"totals": {"accelerated": 0, "calls": 9},
                           "graphs": [{"operations": [{**native, "calls": 2}, {**native, "calls": 3}]},
                                      {"operations": [{**native, "calls": 4}]}]})
check(found == ["9 of 9 calls ran natively: a reason"], "doctor: one reason of several operations", str(found))

expect("all is well", ["--", *two, setup.paths.stencil, "-d", "2", "-i", "5"], "calls were accelerated", 0)
expect("nothing given", [], "no program was given", 0)
expect("no library", [], "", 3, {"HOPSCOTCH_LIBRARY": "/nowhere/libhopscotch.so"})
expect("switched off", ["--", *two, setup.paths.stencil], "HOPSCOTCH=off", 1, {"HOPSCOTCH": "off"})
expect("native asked for", ["--", setup.paths.stencil], "asks for native calls", 1, {"HOPSCOTCH_ALGORITHM": "native"})
expect("a wrong value", ["--", setup.paths.stencil], "not allowed", 1, {"HOPSCOTCH_CUTOFF": "many"})
expect("no neighborhood collective", ["--", *two, setup.paths.plain], "no communicator with a topology", 1)
expect("no MPI", ["--", "true"], "there was no report", 1)
expect("a program that does not end", ["--timeout", "0.2", "--", "sleep", "100"], "was not done after 0.2 s", 124)
expect("no program", ["--", "/nowhere/program"], "No such file", 127)
script = pathlib.Path(__file__).resolve().parent.parent / "guest" / "handle.py"
if "libhopscotch.so" in setup.paths.library:
    expect("a handle", ["--", *two, sys.executable, script, "libmpich.so.12"], "libhopscotch_front.so instead", 1)
if setup.paths.static:
    expect("static", ["--", *two, setup.paths.static], "statically linked", 1)
other, ours = ("MPICH", "Open MPI") if "openmpi" in setup.paths.library else ("Open MPI", "MPICH")
expect("the other family", ["--no-run", "--", setup.paths.other], f"uses {other}", 1)
expect("what it is built for", ["--no-run", "--", setup.paths.other], f"this library is built for {ours}", 1)
for words in ([], [*two, "-genv", "NAME", "test"] if ours == "MPICH" else [*two, "-x", "NAME", "--map-by", "node"]):
    expect("the standard ABI", ["--", *words, setup.paths.standard_abi],
           f"uses the standard MPI ABI (libmpi_abi.so.0); this library is built for {ours}. libhopscotch_abi.so is "
           "needed", 1)
with tempfile.TemporaryDirectory() as directory:
    program = pathlib.Path(directory, "setuid")
    shutil.copy(setup.paths.stencil, program)
    os.chmod(program, 0o4755)
    expect("setuid", ["--", *two, program], "setuid", 1)
    report = pathlib.Path(directory, "run.json")
    setup.tool("run", "-r", report, "-s", "HOPSCOTCH_ALGORITHM=native", *two, setup.paths.stencil, "-i", "5")
    expect("a report", [report], "ran natively: HOPSCOTCH_ALGORITHM=native", 1)
setup.finish()
