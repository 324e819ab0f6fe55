# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program that has to end well and to leave a report."""

import json
import pathlib
import shlex
import subprocess
import tempfile


def run(command, environment, seconds):
    """(None, the report), or (what went wrong, None)."""
    with tempfile.TemporaryDirectory(prefix="hopscotch_") as directory:
        path = pathlib.Path(directory, "report.json")
        shown = shlex.join(command)
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=seconds, check=False,
                                  env={**environment, "HOPSCOTCH_REPORT": str(path)})
        except subprocess.TimeoutExpired:
            return f"{shown}: not done after {seconds:.0f} s", None
        except OSError as error:
            return f"{shown}: {error.strerror}", None
        if done.returncode != 0:
            return f"{shown}: status {done.returncode}\n{done.stdout[:2000]}", None
        if not path.exists():
            return f"{shown}: no report; was the library loaded? hopscotch doctor says more", None
        return None, json.loads(path.read_text(encoding="utf-8"))
