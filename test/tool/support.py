# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the tests of the tool: starting it with the library of this build, and launching MPI programs."""

import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "scripts" / "hopscotch"
PATIENCE = 1000  # seconds: a command that takes longer hangs, on a busy machine, too
sys.path[:0] = [str(ROOT / folder) for folder in ("scripts/tool", "scripts/tool/completion", "scripts/develop",
                                                  "scripts/benchmarks", "test/preload")]


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("library", "explain", "yielding", "answering", "mpiexec", "stencil", "no-finalize", "sessions",
                 "static", "other", "plain", "lifetimes", "resources", "guests", "pmpi-tool", "figures",
                 "standard-abi", "corrupting", "address-sanitizer"):
        parser.add_argument("--" + name)
    parser.add_argument("programs", nargs="*")
    paths = parser.parse_args()
    for name, path in vars(paths).items():  # tests run commands in other folders
        if isinstance(path, str):
            setattr(paths, name, str(pathlib.Path(path).absolute()))
    return paths


class Setup:
    """Paths of this build; failures are collected and told at the end."""

    def __init__(self):
        self.paths = arguments()
        self.failures = 0
        os.environ.pop("PYTHONUNBUFFERED", None)  # it hides output that fails at the interpreter's end
        os.environ["HOPSCOTCH_LIBRARY"] = self.paths.library or "/nowhere"
        os.environ["HOPSCOTCH_EXPLAIN"] = self.paths.explain or "/nowhere"
        for name in [name for name in os.environ if name.startswith("HOPSCOTCH_")]:
            if name not in ("HOPSCOTCH_LIBRARY", "HOPSCOTCH_EXPLAIN"):
                del os.environ[name]

    def check(self, holds, what, detail=""):
        if not holds:
            self.failures += 1
            print(f"FAILED: {what}\n{detail}")

    def tool(self, *words, environment=None):
        """The completed process of `hopscotch words...`."""
        return subprocess.run([sys.executable, str(TOOL), *map(str, words)], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace",
                              timeout=PATIENCE, check=False, env={**os.environ, **(environment or {})})

    def launcher(self, ranks):
        return [self.paths.mpiexec, "-n", str(ranks)]

    def crowd(self, ranks):
        """Environment for more ranks than cores: the tool's preload comes before it."""
        crowded = ranks >= len(os.sched_getaffinity(0)) and self.paths.yielding
        return {"LD_PRELOAD": self.paths.yielding} if crowded else {}

    def finish(self):
        print("failed" if self.failures else "passed")
        sys.exit(1 if self.failures else 0)


setup = Setup()
check = setup.check
