# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""All endings of a program: the report has everything that it can have, the program is unharmed, nothing hangs."""

import json
import os
import pathlib
import tempfile

from support import check, setup

two = setup.launcher(2)
EMPTY_REPORT = '{"schema": 1, "graphs": []}'

with tempfile.TemporaryDirectory() as directory:
    def run(name, *words):
        path = pathlib.Path(directory, name + ".json")
        shown = setup.tool("run", "-r", path, *two, *words)
        return shown, json.loads(path.read_text(encoding="utf-8")) if path.exists() else None

    shown, report = run("no_finalize", setup.paths.no_finalize, "0")
    check(report is not None and report["partial"] and report["totals"]["calls"] > 0, "no MPI_Finalize", shown.stderr)
    shown, report = run("abort", setup.paths.no_finalize, "5", "abort")
    check(shown.returncode == 5, "MPI_Abort: exit status", str(shown.returncode))
    check(report is not None and "MPI_Abort" in report["partial"] and report["processes"] == 1,
          "MPI_Abort: partial report", str(report))
    shown, report = run("abort_1", setup.paths.no_finalize, "6", "abort", "1")
    check(report is not None and "only rank 1" in report["partial"] and report["totals"]["calls"] > 0,
          "MPI_Abort on rank 1: its own report", str(report))
    if setup.paths.sessions:
        shown, report = run("sessions", setup.paths.sessions)
        check(shown.returncode == 0 and "sessions: passed" in shown.stdout, "sessions only",
              shown.stdout + shown.stderr)

    full = pathlib.Path(directory, "full.txt")
    full.symlink_to("/dev/full")
    for name, target, reason in (("full", full, "No space left"), ("nowhere", "/proc/report.json", "hopscotch"),
                                 ("read-only", "/sys/report.json", "hopscotch")):
        shown = setup.tool("run", "-r", target, *two, setup.paths.stencil, "-i", "5")
        warnings = [line for line in shown.stderr.splitlines() if "cannot be written" in line]
        check(shown.returncode == 0 and len(warnings) == 1 and reason in warnings[0], f"{name}: one warning",
              shown.stderr)
    check(not os.path.isfile("/dev/full"), "the device is still one")

    # A name that moves the cursor, in a folder that all users may write. If root can make it, another user's link
    # stands there and points to a precious file.
    folder = pathlib.Path(directory, "everyone")
    folder.mkdir()
    folder.chmod(0o1777)
    precious = pathlib.Path(directory, "precious")
    precious.write_text("precious", encoding="utf-8")
    precious.chmod(0o600)
    trap = folder / "\x1b[2Jrun.json"
    if os.geteuid() == 0:
        trap.symlink_to(precious)
        os.lchown(trap, 65534, 65534)
    else:
        print("skipped: only root can make another user's link")
        trap.symlink_to("/nowhere/run.json")
    reason = "'\\x1b[2Jrun.json' there belongs to another user" if os.geteuid() == 0 else "No such file"
    pathlib.Path(directory, "read.json").write_text(EMPTY_REPORT, encoding="utf-8")
    for name, shown in (("run", setup.tool("run", "-r", trap, *two, setup.paths.stencil, "-i", "5")),
                        ("report -o", setup.tool("report", f"{directory}/read.json", "-o", trap))):
        check(shown.returncode == 3 * (name != "run") and reason in shown.stderr and "\x1b" not in shown.stderr,
              f"{name}: another user's link", repr(shown.stderr))
    check((precious.read_text(encoding="utf-8"), precious.stat().st_mode & 0o777) == ("precious", 0o600),
          "what is precious is as before")
setup.finish()
