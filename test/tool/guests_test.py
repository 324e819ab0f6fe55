# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The library beside others: a PMPI tool before and behind it, shells, Python and the launcher, several programs in one
job, spawned processes, a library loaded after MPI has begun. Everyone sees the same as without it."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from support import PATIENCE, check, setup

library = setup.paths.library


def run(command, preload=(), **environment):
    return subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", timeout=PATIENCE, check=False,
                          env={**os.environ, "LD_PRELOAD": ":".join(preload), **environment})


def lines(shown):
    return sorted(line for line in shown.stdout.splitlines() if not line.startswith("time:"))


# Programs without MPI.
for name, command in {"sh": ["sh", "-c", "echo one; exit 3"], "pipe": ["bash", "-c", "seq 5 | sort -r | (cat; exit 3)"],
                      "Python": [sys.executable, "-c",
                                 "import subprocess, sys; subprocess.run(['echo', 'two']); sys.exit(3)"]}.items():
    bare, shown = run(command), run(command, [library])
    check((shown.returncode, shown.stdout, shown.stderr) == (3, bare.stdout, bare.stderr), f"preloaded into {name}",
          str(shown))

with tempfile.TemporaryDirectory() as directory:
    def reported(command, preload, **environment):
        path = pathlib.Path(directory, "report.json")
        path.unlink(missing_ok=True)
        shown = run(command, preload, HOPSCOTCH_REPORT=str(path), **environment)
        return shown, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    # The launcher itself has the preload, and its children inherit it through a shell script.
    script = pathlib.Path(directory, "job.sh")
    script.write_text(f"#!/bin/sh\nexec {setup.paths.stencil} \"$@\"\n", encoding="utf-8")
    script.chmod(0o755)
    job = [*setup.launcher(4), script, "-d", "2", "-n", "4", "-i", "5", "-c"]
    alone = run(job, [setup.paths.yielding])
    shown, report = reported(job, [setup.paths.yielding, library])
    check(shown.returncode == 0 and lines(shown) == lines(alone) and report and report["totals"]["calls"] == 10,
          "preloaded into the launcher and a script", shown.stdout + shown.stderr)

    # A tool of the classical kind sees every call of the program and none of ours, in either order.
    job = [*setup.launcher(4), setup.paths.lifetimes, "requests"]
    alone = run(job, [setup.paths.yielding, setup.paths.pmpi_tool])
    seen = re.search(r"tool on 3: 1 graphs, 0 \+ 5 calls, (\d+) waits", alone.stdout)
    check(seen is not None, "the tool counts", alone.stdout + alone.stderr)
    calls = int(seen.group(1)) if seen else 0  # with one wait each, persistent ones included
    for algorithm in ("merged", "shared", "auto"):
        for order in ([setup.paths.pmpi_tool, library], [library, setup.paths.pmpi_tool]):
            shown, report = reported(job, [setup.paths.yielding, *order], HOPSCOTCH_ALGORITHM=algorithm)
            what = f"{algorithm}, {'before' if order[1] == library else 'behind'} the library: "
            check(shown.returncode == 0 and lines(shown) == lines(alone), what + "the tool sees the same",
                  f"{alone.stdout}\n{shown.stdout}\n{shown.stderr}")
            check(report and report["totals"]["calls"] == calls and report["totals"]["native"] == 0,
                  what + "each call is carried once", str(report))

    # Several programs in one job; some processes never make a graph. All share one core, as those with graphs know.
    core = str(min(os.sched_getaffinity(0)))
    for order in ("make", "idle"), ("idle", "make"):
        sides = [["env", "LD_PRELOAD=" + ":".join([setup.paths.yielding, library]), "taskset", "-c", core,
                  setup.paths.guests, "half", side] for side in order]
        shown, report = reported([*setup.launcher(2), *sides[0], ":", "-n", "2", *sides[1]], [])
        check(shown.returncode == 0 and "guests: ok" in shown.stdout and report and report["processes"] == 4 and
              report["totals"]["calls"] == 10 and report["shares_cores"], f"several programs, {order[0]} first",
              f"{report}{shown.stdout}{shown.stderr}")

    # Intercommunicators pass through, communicators merged from them are accelerated; and spawned processes, with the
    # same and other settings.
    shown, report = reported([*setup.launcher(4), setup.paths.guests, "between"], [setup.paths.yielding, library])
    check(shown.returncode == 0 and "guests: ok" in shown.stdout and report and len(report["graphs"]) == 4 and
          report["totals"]["native"] == 0, "intercommunicators", f"{report}{shown.stdout}{shown.stderr}")
    # Open MPI hands on LD_PRELOAD to spawned processes only on request.
    between_jobs = ["-mca", "btl", "self,vader,tcp"] if "openmpi" in setup.paths.mpiexec else []
    job = [*setup.launcher(2), *between_jobs, setup.paths.guests, "spawn"]
    alone = run([*job, "LANG=C"], [setup.paths.yielding])
    if alone.returncode != 0:
        print("skipped: the MPI library cannot spawn here")
    for setting in ("LANG=C", "LD_PRELOAD=" + library, "HOPSCOTCH=off") if alone.returncode == 0 else ():
        shown, report = reported([*job, setting], [setup.paths.yielding, library], HOPSCOTCH_ALLTOALLV="on")
        check(shown.returncode == 0 and "guests: ok" in shown.stdout, f"spawned with {setting}",
              shown.stdout + shown.stderr)
    # Loaded after the start of MPI: passes through.
    shown = run([*setup.launcher(2), setup.paths.guests, "late", library], [setup.paths.yielding])
    check(shown.returncode == 0 and "guests: ok" in shown.stdout, "loaded late", shown.stdout + shown.stderr)
setup.finish()
