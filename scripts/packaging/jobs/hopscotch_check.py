# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A check for ReFrame: selftest finds no difference, and `auto` is at least 0.95 times as fast as the MPI library.

reframe -c hopscotch_check.py -r --setvar num_nodes=4 --setvar ranks_per_node=64
"""

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.backends import getlauncher


@rfm.simple_test
class HopscotchMeasure(rfm.RunOnlyRegressionTest):
    """`hopscotch measure`, which runs the processes with the launcher of the partition by itself."""

    num_nodes = variable(int, value=1)
    ranks_per_node = variable(int, value=2)
    minutes = variable(float, value=5.0)
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "hopscotch"
    time_limit = "30m"

    @run_after("init")
    def set_size(self):
        self.num_tasks = self.num_nodes * self.ranks_per_node
        self.num_tasks_per_node = self.ranks_per_node

    @run_after("setup")
    def set_command(self):
        self.job.num_tasks, self.job.num_tasks_per_node = self.num_tasks, self.num_tasks_per_node
        launcher = self.job.launcher.command(self.job)
        self.job.launcher = getlauncher("local")()
        self.executable_opts = ["measure", "-t", f"{self.minutes:g}", "-o", "measured", "--", *launcher]

    @sanity_function
    def is_right(self):
        """All was measured, and selftest is among it and has found nothing."""
        return sn.all([sn.assert_found(r"^selftest: (all right|right as far as it was tried)", self.stdout),
                       sn.assert_not_found(r"^PARTIAL", self.stdout)])

    @performance_function("times as fast")
    def worst_gain(self):
        return sn.extractsingle(r"cases?: medians ([\d.]+)-", self.stdout, 1, float)

    @run_before("performance")
    def set_reference(self):
        self.reference = {"*": {"worst_gain": (1.0, -0.05, None, "times as fast")}}
