# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""If processes may not share memory, a program ends as it does without the library, its files stay as they are, and the
report gives the reason: under a limit on file sizes, and with every process in a PID namespace of its own."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from support import PATIENCE, check, setup

RANKS = 2
NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
KILOBYTES_OF_DATA = 100
# In units of 512 bytes: enough for the MPI library's own files, but less than the files of a graph with 300 neighbors.
BLOCKS_OF_FILES = 40960

# All free descriptors of every process but the first are the user's data: a number that means a file there means it
# here.
OPENING = """
import os, sys
data = os.open(sys.argv[1], os.O_RDWR)
for number in range(5, 200 if os.environ.get("PMI_RANK") != "0" else 0):
    try:
        os.fstat(number)
    except OSError:
        os.dup2(data, number)
os.execvp(sys.argv[2], sys.argv[2:])
"""


def run(front, program, report):
    """Status and output of the ranks, each started behind `front`; with the library if there is a report. Not by the
    tool: Python ignores the signal of a file that grows too long, and so would the ranks. Without the bottom line."""
    ours = [setup.paths.library] if report else []
    # UCX joins processes in PID namespaces of their own by TCP, and MPICH's MPI_Finalize often waits for ever then.
    preloads = [path for path in (setup.paths.answering, setup.crowd(RANKS).get("LD_PRELOAD"), *ours) if path]
    settings = [f"LD_PRELOAD={':'.join(preloads)}", f"HOPSCOTCH_REPORT={report}"]
    done = subprocess.run([*setup.launcher(RANKS), *front, "env", *settings, *program], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
                          timeout=PATIENCE, check=False)
    return done.returncode, sorted(line for line in done.stdout.splitlines()
                                   if not line.startswith(("time:", "hopscotch: ")))


def reasons(report):
    graphs = json.loads(report.read_text(encoding="utf-8"))["graphs"] if report.exists() else []
    return {operation["reason"] for graph in graphs for operation in graph["operations"]
            if operation["function"].startswith("MPI_Neighbor")}


def check_unshared(what, front, program, why, directory):
    report = directory / "x.json"
    native = run(front, program, None)
    ours = run(front, program, report)
    check(ours == native and ours[0] == 0, f"{what}: ends as natively", f"{ours}\nnatively {native}")
    found = reasons(report)
    check(found and all(reason and why in reason for reason in found), f"{what}: the report says why", str(found))


def limited_files(directory):
    front = ["sh", "-c", f'ulimit -f {BLOCKS_OF_FILES}; exec "$@"', "sh"]
    check_unshared("ulimit -f", front, [setup.paths.resources, "files", "300"], "ulimit -f", directory)


def namespaces(directory):
    if subprocess.run([*NAMESPACE, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("skipped: PID namespaces are not permitted here")
        return
    data = directory / "data"
    content = os.urandom(KILOBYTES_OF_DATA << 10)
    data.write_bytes(content)
    front = [*NAMESPACE, sys.executable, "-c", OPENING, str(data)]
    check_unshared("PID namespaces", front, [setup.paths.resources, "live", "3"], "containers", directory)
    check(data.read_bytes() == content, "PID namespaces: the program's file is as it was")


def main():
    with tempfile.TemporaryDirectory() as directory:
        limited_files(pathlib.Path(directory))
    with tempfile.TemporaryDirectory() as directory:
        namespaces(pathlib.Path(directory))
    setup.finish()


if __name__ == "__main__":
    main()
