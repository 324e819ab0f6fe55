# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Single tests of a build directory, run by name with options of one's own: for scripts that need a few of many.

chosen_tests.py FILE...    prints the commands of the own tests of these sources
"""

import json
import os
import pathlib
import re
import subprocess
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("tool", "benchmarks")]

from hopscotch_tool import process_group  # noqa: E402  the path has to be known first
from version import library_of  # noqa: E402  the path has to be known first

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = library_of()
YIELDING = "test/preload/libyielding.so"
STAND_INS = [f"test/device/lib{name}.so.1" for name in ("cuda", "amdhip64", "ze_loader")]


class Tests:
    """The tests of a build directory that meson has set up."""

    def __init__(self, build):
        self.build = build
        subprocess.run(["ninja", "-C", build, "--quiet", "build.ninja"], check=True, stdout=subprocess.DEVNULL)
        listed = subprocess.run(["meson", "introspect", "--tests", build], check=True, capture_output=True, text=True)
        self._tests = {test["name"]: test for test in json.loads(listed.stdout)}

    def of_suite(self, suite):
        """The names of its tests."""
        return {name for name, test in self._tests.items() if any(of.endswith(f":{suite}") for of in test["suite"])}

    def targets(self, names):
        """The targets that ninja has to build before these tests can run."""
        targets = []
        for name in names:
            command = self._command(name)
            targets.append(command[program_at(name, command)])
            targets += [command[at + 1] for at, option in enumerate(command) if option == "--behind"]
        needed = [] if set(names) <= {"unit"} else [YIELDING]
        if any(of_catch(name) for name in names): # they load them by path
            needed += STAND_INS
        if not all(of_catch(name) for name in names):
            needed.append(LIBRARY)
        return sorted({os.path.relpath(os.path.join(self.build, target), self.build) for target in targets + needed})

    def run(self, name, options=(), environment=None, timeout=300):
        """(passed, output). The options are those of compare.py, or of the tests of Catch2; other tests take none."""
        command = self._command(name)
        if name == "unit": # with the long cases, which have a test of their own
            command[1:] = options
        elif of_catch(name):
            command += options
        elif "--" in command:
            at = command.index("--")
            command[at:at] = options
        return run(command, {**os.environ, **(environment or {})}, timeout, self.build)

    def launcher(self):
        """The launcher of the processes of an MPI program."""
        return self._command("mpi_1")[0]

    def _command(self, name):
        if name not in self._tests:
            raise SystemExit(f"no test is called {name}")
        return list(self._tests[name]["cmd"])


def own_tests(source, root=ROOT):
    """The sources of the Catch2 tests of a source or header, relative to the root: in its room below test/ those that
    have its name, and those that include its header. If the room has none, those of all rooms that include it."""
    source = pathlib.PurePath(source)
    include = f'#include "{source.with_suffix(".hpp")}"\n'
    own = pathlib.Path(root, "test", source.with_suffix("")).with_name(f"{source.stem}_test.cpp")
    found = [path for path in sorted(pathlib.Path(root, "test").rglob("*_test.cpp"))
             if path == own or include in path.read_text(encoding="utf-8")]
    in_room = [path for path in found if path.parent == own.parent]
    return [path.relative_to(root) for path in in_room or found]


def is_listed(test, text):
    """True if a table of rooms and tests in a meson.build has this source of a test."""
    name = test.stem.removesuffix("_test")
    return re.search(rf"'{test.parent}': \[[^]]*'{name}'", text) is not None


def cases_of(tests):
    """What chooses the cases of these sources of tests: an argument for the programs of Catch2."""
    return ",".join(f"[#{test.stem}]" for test in tests)


def of_catch(name):
    """True for the tests that Catch2 runs: they are linked with what they test, not with the library."""
    return name == "unit" or name.startswith("mpi_")


def program_at(name, command):
    """The place of the program under test: by itself, behind compare.py's options, or as the last word of a launch."""
    if name == "unit":
        return 0
    return command.index("--") + 1 if "--" in command else len(command) - 1


def run(command, environment, timeout, directory=None):
    """(passed, output) of a command; nothing of it is left."""
    status, output, _ = process_group.run(command, timeout, env=environment, cwd=directory, stderr=subprocess.STDOUT)
    return status == 0, output + (f"\nFAILED: not done after {timeout:g} s" if status is None else "")


def main():
    lists = (ROOT / "test/meson.build").read_text(encoding="utf-8").partition("mpi_tests = {")
    for source in sys.argv[1:]:
        tests = own_tests(source)
        for launch, listed in (("build/test/unit", lists[0]), ("mpiexec.mpich -n 2 build/test/mpi_test", lists[2])):
            if here := [test for test in tests if is_listed(test.relative_to("test"), listed)]:
                print(f"{launch} '-#' '{cases_of(here)}'")
        if not tests:
            print(f"{source}: no test of Catch2 includes its header; whole programs run it", file=sys.stderr)


if __name__ == "__main__":
    main()
