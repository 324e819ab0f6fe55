#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""hopscotch selftest finds a library that is right, and one that is not."""

from support import Setup

setup = Setup()
check = setup.check
two = setup.launcher(2)

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
