# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Running a command that may start others, in a session of its own: nothing of it is left."""

import os
import pathlib
import queue
import signal
import subprocess
import tempfile
import threading
import time

from hopscotch_tool import interruption

PATIENCE = 5.0  # seconds from the first signal to the second
AFTERMATH = 1.0  # seconds that helpers of a launcher get to end behind it


def members(session):
    """The processes of a session that have not ended. A launcher may give each of its children a process group."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, their_session = path.read_text(errors="replace").rpartition(")")[2].split()[:4]
        except (OSError, ValueError):  # it has just ended
            continue
        if int(their_session) == session and state not in "ZX":
            found.append(int(path.parent.name))
    return found


def send(number, session):
    for process in members(session):
        try:
            os.kill(process, number)
        except (ProcessLookupError, PermissionError):
            pass


def wait(process, seconds):
    """Until the session of this child is empty, or the time is over. True if it is empty."""
    latest = time.monotonic() + seconds
    while process.poll() is None or members(process.pid):
        if time.monotonic() > latest or interruption.in_a_hurry():
            return False
        time.sleep(0.02)
    return True


def end(process):
    """Ends the processes in the session of this child, with a second signal for those that do not follow the first."""
    send(signal.SIGTERM, process.pid)
    if not wait(process, PATIENCE):
        send(signal.SIGKILL, process.pid)
        process.wait()


def finish(process):
    """Leaves nothing in the session of this child. Processes that end by themselves get the time for it, if the child
    has ended."""
    try:
        empty = process.poll() is not None and wait(process, AFTERMATH)
    except BaseException:
        end(process)
        raise
    if not empty:
        end(process)


def run(command, timeout, **options):
    """(exit code, stdout, stderr); the options are those of subprocess.Popen. Exit code None: it took too long. Raises
    OSError if the command cannot be started."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
               "errors": "replace", "start_new_session": True, **options}
    process = None
    try:
        with interruption.deferred():
            process = subprocess.Popen(command, **options)
        out, err = process.communicate(timeout=timeout)
        return process.returncode, out, err
    except subprocess.TimeoutExpired:
        end(process)
        try:
            return None, *process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:  # a process that left the session holds the pipe
            return None, "", ""
    finally:
        if process is not None:
            finish(process)


def run_by_line(command, timeout, take, **options):
    """Runs a command and gives every line of its stdout to `take` as it comes. (exit code, None if it took too long;
    the end of stderr). The options are those of subprocess.Popen. Raises OSError when the command cannot be started."""
    latest = time.monotonic() + timeout
    lines = queue.Queue()

    def read(stream):
        for line in stream:
            lines.put(line)
        lines.put(None)

    process = None
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        try:
            with interruption.deferred():
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                                           text=True, errors="replace", start_new_session=True, **options)
            threading.Thread(target=read, args=[process.stdout], daemon=True).start()
            over = False
            while not over:
                try:
                    line = lines.get(timeout=max(0.0, latest - time.monotonic()))
                except queue.Empty:
                    end(process)
                    return None, last_lines(errors)
                over = line is None
                if not over:
                    take(line)
            process.wait(max(0.1, latest - time.monotonic()))
            return process.returncode, last_lines(errors)
        except subprocess.TimeoutExpired:
            end(process)
            return None, last_lines(errors)
        finally:
            if process is not None:
                finish(process)


def last_lines(file):
    """At most 2000 characters."""
    file.seek(0)
    return file.read()[-2000:]
