# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Processes are given different settings: rank 0's hold for all and one line says so, a value that is not allowed ends
the job on all of them, a process without the library is named as such. Nothing hangs."""

import atexit
import json
import pathlib
import re
import subprocess
import tempfile
import threading

from support import PATIENCE, check, setup

RANKS = 4
DIFFERING = {
    "HOPSCOTCH": ("on", "off"), "HOPSCOTCH_ALGORITHM": ("auto", "combining"), "HOPSCOTCH_CUTOFF": ("auto", "100"),
    "HOPSCOTCH_COMBINING": ("auto", "rounds"),
    "HOPSCOTCH_TRIALS": ("5", "off"), "HOPSCOTCH_BASELINE": ("on", "off"), "HOPSCOTCH_SET_UP_AFTER": ("auto", "3"),
    "HOPSCOTCH_TUNING": ("unset", "/nowhere/tuning.json"), "HOPSCOTCH_DIMS": ("unset", "2px2p"),
    "HOPSCOTCH_INFER": ("on", "off"),
    "HOPSCOTCH_SEMANTICS": ("mpi", "orthogonal"), "HOPSCOTCH_ALLTOALLV": ("off", "on"),
    "HOPSCOTCH_PARALLEL_EDGES": ("library", "standard"),
    "HOPSCOTCH_REORDER": ("off", "all"), "HOPSCOTCH_YIELD": ("auto", "always"), "HOPSCOTCH_VERIFY": ("off", "on"),
    "HOPSCOTCH_ONE_COPY": ("auto", "off"), "HOPSCOTCH_PTRACER": ("off", "on"),
    "HOPSCOTCH_DEVICE": ("auto", "64K"),
    "HOPSCOTCH_CALLSITES": ("graph", "off"), "HOPSCOTCH_LOG": ("warn", "info"),
    "HOPSCOTCH_CONFIG": ("unset", "off"),
}


def job(path, odd_rank, odd, common=None):
    """The command of the demonstration; the process `odd_rank` alone has the variables of `odd`."""
    preload = ":".join([setup.paths.yielding, setup.paths.library])
    command = [setup.paths.mpiexec]
    for first, count, own in ((0, odd_rank, {}), (odd_rank, 1, odd), (odd_rank + 1, RANKS - odd_rank - 1, {})):
        settings = {"LD_PRELOAD": preload, "HOPSCOTCH_REPORT": str(path), **(common or {}), **own}
        words = [f"{name}={value}" for name, value in settings.items() if value is not None]
        if count > 0:
            command += [":"] if first > 0 else []
            command += ["-n", str(count), "env", *words, setup.paths.stencil, "-d", "2", "-n", "4", "-i", "5", "-c"]
    return command


with tempfile.TemporaryDirectory() as directory:
    def run(*words):
        """Exit status, output, our lines and report of a job."""
        path = pathlib.Path(directory, "report.json")
        path.unlink(missing_ok=True)
        shown = subprocess.run(job(path, *words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace", timeout=PATIENCE, check=False)
        ours = [line for line in shown.stderr.splitlines() if line.startswith("hopscotch[")]
        report = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        return shown.returncode, shown.stdout, ours, report

    # The library is missing on one process: after some seconds, used for later checks, the others report it, and the
    # job goes on as without it. With Open MPI they end it minutes later; the test does not wait for that.
    goes_on = "openmpi" not in setup.paths.library
    command = job(pathlib.Path(directory, "missing.json"), 1, {"LD_PRELOAD": setup.paths.yielding})
    missing = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    words = "is not preloaded on all processes, for instance not on rank 1" if goes_on else "preloaded on all of them"
    atexit.register(missing.terminate)  # on every exit

    known = set(re.findall(r"^HOPSCOTCH\w*", setup.tool("settings").stdout, re.MULTILINE))
    check(known - set(DIFFERING) == {"HOPSCOTCH_REPORT"}, "every setting but where the report goes is tried", known)
    for number, (name, (usual, other)) in enumerate(DIFFERING.items()):
        # Rank 0 lacks a setting of the others, or another process lacks it.
        odd_rank = 2 * (number % 2)
        status, out, ours, report = run(odd_rank, {name: other if odd_rank else None},
                                        None if odd_rank else {name: other})
        line = f"hopscotch[{odd_rank or 1}] warning: {name} is {other}, not {usual} as on rank 0"
        what = f"{name}, rank {odd_rank} differs"
        check(status == 0 and "check: equal" in out, f"{what}: exit status {status}", out)
        check(len(ours) == 1 and ours[0].startswith(line), f"{what}: one warning", "\n".join(ours))
        check(report is not None and name not in report["settings"], f"{what}: rank 0's value holds", str(report))
    status, out, ours, report = run(0, {"HOPSCOTCH": "off"})
    check(status == 0 and "check: equal" in out and len(ours) == 1 and report is None,
          f"off on rank 0: exit status {status}", "\n".join(ours))
    status, _, ours, report = run(3, {"HOPSCOTCH_ALGORITHM": "fastest"})
    check(status == 2 and report is None and len(ours) == 1
          and ours[0].startswith("hopscotch[3] error: HOPSCOTCH_ALGORITHM=fastest"),
          f"not allowed on rank 3: exit status {status}", "\n".join(ours))
    status, _, ours, report = run(2, {"HOPSCOTCH_ALGORITM": "native"})
    check(status == 0 and len(ours) == 1
          and ours[0].startswith("hopscotch[2] warning: HOPSCOTCH_ALGORITM is no setting"),
          f"unknown on rank 2: exit status {status}", "\n".join(ours))

    with missing as process:
        limit = threading.Timer(100, process.terminate)
        limit.start()
        told = any(words in line for line in process.stderr)
        status = process.wait() if goes_on else process.terminate()
        limit.cancel()
    check(told and not status, f"not preloaded on rank 1, status {status}")
setup.finish()
