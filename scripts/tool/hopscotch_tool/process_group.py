# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Running a command that may start others, in a process group of its own: nothing of it is left."""

import os
import signal
import subprocess


def run(command, timeout, **options):
    """(exit code, stdout, stderr); the options are those of subprocess.Popen. Exit code None: it took too long."""
    process = subprocess.Popen(command, **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE,
                                           "stderr": subprocess.PIPE, "text": True, "errors": "replace",
                                           "start_new_session": True, **options})
    try:
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        pass
    for end in (signal.SIGTERM, signal.SIGKILL):
        os.killpg(process.pid, end)
        try:
            return None, *process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            pass
    return None, "", ""
