# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A job that is torn down, by a rank that is killed or by SIGTERM, under any algorithm, ends as it does without the
library: no hang, no process left over, nothing left in shared memory."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support import TOOL, check, setup

RANKS = 4
PATIENCE = 300
SECONDS_OF_WORK = 0.2  # of each process, start included, until its exchanges begin;
MOST_SECONDS = 2  # or so long
TRIES = 4  # once in a while the launcher loses the status of the processes it has ended, natively as well


def ranks_of(program):
    """Process ids of those that run this very file."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == str(program):
                found.append(int(entry.name))
        except OSError:
            pass  # gone meanwhile, or not ours
    return sorted(found)


def seconds_of_work(process):
    """Its time on the cores: on a busy machine that comes later."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def wait_until(condition, patience=PATIENCE):
    end = time.monotonic() + patience
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def torn_down(program, algorithm, tear):
    """Exit status of the launcher after `tear(launcher, ranks)`; None if it does not end. Natively without
    algorithm."""
    tool = [sys.executable, str(TOOL), "run", "-r", "off", "-s", f"HOPSCOTCH_ALGORITHM={algorithm}"]
    front = tool if algorithm else []
    command = [*front, *setup.launcher(RANKS), program, "-d", "2", "-i", "1000000000"]
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env={**os.environ, **setup.crowd(RANKS)})
    check(wait_until(lambda: len(ranks_of(program)) == RANKS), "the job begins")
    wait_until(lambda: all(seconds_of_work(rank) >= SECONDS_OF_WORK for rank in ranks_of(program)), MOST_SECONDS)
    tear(job.pid, ranks_of(program))
    try:
        status = job.wait(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        status = None
        job.kill()
    check(wait_until(lambda: not ranks_of(program)), f"no process is left over, algorithm {algorithm}")
    for left in ranks_of(program):
        os.kill(left, signal.SIGKILL)
    return status


def status_of(program, algorithm, tear):
    """The first exit status that is not lost."""
    status = 0
    for _ in range(TRIES):
        status = torn_down(program, algorithm, tear)
        if status != 0:
            break
    return status


def kill_one(_, ranks):
    os.kill(ranks[1], signal.SIGKILL)


def end_one(_, ranks):
    os.kill(ranks[2], signal.SIGTERM)


def end_launcher(launcher, _):
    os.kill(launcher, signal.SIGTERM)


def ours_in_shared_memory():
    return {name for name in os.listdir("/dev/shm") if "hopscotch" in name}


before = ours_in_shared_memory()
with tempfile.TemporaryDirectory() as directory:
    copy = pathlib.Path(directory, "torn_down").resolve()
    shutil.copy(setup.paths.stencil, copy)
    for name, tear, algorithms in (("a rank is killed", kill_one, ["auto", "combining", "shared"]),
                                   ("SIGTERM to a rank", end_one, ["merged"]),
                                   ("SIGTERM to the launcher", end_launcher, ["auto"])):
        natively = {status_of(copy, None, tear)}
        for algorithm in algorithms:
            accelerated = status_of(copy, algorithm, tear)
            for _ in range(TRIES):  # the status of mpiexec depends on which process it finds dead first: both again
                if accelerated in natively:
                    break
                natively.add(status_of(copy, None, tear))
                accelerated = status_of(copy, algorithm, tear)
            check(accelerated in natively and accelerated not in (None, 0),
                  f"{name}, {algorithm}: exit status {accelerated}, natively {natively}")
ours = ours_in_shared_memory() - before
check(not ours, f"/dev/shm holds {ours}")
setup.finish()
