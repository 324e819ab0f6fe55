# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the core time that others use on this machine while the tool runs programs."""

import os
import pathlib
import resource
import time

MANY = 0.1  # of the cores: above it times are doubtful, as in the trials of a run
STAT = pathlib.Path("/proc/stat")


def busy_seconds(text):
    """Core time of all processes so far, and time that a hypervisor gave to other machines, from /proc/stat."""
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, text.split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """Core time of the tool and of all programs that it has waited for."""
    return sum(used.ru_utime + used.ru_stime for used in
               (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)))


def share(busy, own, seconds, cores):
    """Part of the cores' time that others used, from 0 to 1: `busy` core seconds of all, `own` of the tool."""
    return min(max((busy - own) / (seconds * cores), 0.0), 1.0) if seconds > 0 else 0.0


class Others:
    """Begins to measure at once."""

    def __init__(self):
        self.begin = self.now()

    @staticmethod
    def now():
        try:
            return busy_seconds(STAT.read_text(encoding="utf-8")), own_seconds(), time.monotonic()
        except (OSError, ValueError):
            return None

    def share(self):
        """Since the beginning; None where the system does not tell it."""
        end = self.now()
        if self.begin is None or end is None:
            return None
        return share(*(after - before for before, after in zip(self.begin, end)), os.cpu_count() or 1)
