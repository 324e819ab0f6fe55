# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command that has to leave reports: one for each MPI job in it."""

import json
import pathlib
import tempfile
import time

from hopscotch_tool import process_group, status


class Outcome:
    """The outcome of a command: its exit status, None if the time was over; output; reports, the last one first."""

    def __init__(self, returncode, out, err, reports, seconds):
        self.returncode = returncode
        self.out = out or ""
        self.err = err or ""
        self.reports = reports
        self.seconds = seconds

    def status(self):
        return status.TIMED_OUT if self.returncode is None else status.of_program(self.returncode)


def read_reports(directory):
    """The reports in a directory, the last one first: a report that is not whole was not written by the library."""
    paths = sorted(pathlib.Path(directory).glob("*.json"), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]


def set_last(environment, settings):
    """The environment with settings that no file of defaults and no prolog of a batch system replaces."""
    parts = ";".join(f"{name}={value}" for name, value in settings.items())
    unambiguous = parts.count(";") == len(settings) - 1
    return {**environment, **settings, **({"HOPSCOTCH_TOOL": parts} if unambiguous else {})}


def run(command, environment, timeout, show=False, settings=None):
    """The outcome. Every MPI job in the command writes a report of its own: two programs that do not know each other
    are two jobs. `settings`: those of this run. With `show` the output of the command passes through. Raises OSError if
    the command does not start."""
    streams = {"stdout": None, "stderr": None} if show else {}
    with tempfile.TemporaryDirectory(prefix="hopscotch_") as directory:
        begin = time.monotonic()
        own = {**(settings or {}), "HOPSCOTCH_REPORT": f"{directory.replace('%', '%%')}/%h.%p.json"}
        ended = process_group.run(command, timeout, **streams, env=set_last(environment, own))
        return Outcome(*ended, read_reports(directory), time.monotonic() - begin)
