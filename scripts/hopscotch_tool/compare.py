# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command with several algorithms in turn; every figure of the table is one of the JSON reports, or a median."""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from hopscotch_tool import locate

USAGE_ERROR = 2
ALGORITHMS = "native,trivial,combining,auto"


def add_arguments(parser):
    parser.add_argument("-n", "--repeat", type=int, default=3, metavar="N", help="runs per algorithm (default: 3)")
    parser.add_argument("-a", "--algorithms", default=ALGORITHMS, metavar="LIST",
                        help=f"values of HOPSCOTCH_ALGORITHM (default: {ALGORITHMS})")
    parser.add_argument("-k", "--keep", metavar="DIRECTORY", help="keep the JSON reports there: ALGORITHM.RUN.json")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="end a run after this time")
    parser.add_argument("--show", action="store_true", help="let the program's output through")
    parser.add_argument("program", nargs="...", metavar="[--] program ...", help="the program, with its launcher")


def seconds_text(seconds):
    """Three digits and a unit, as the reports write times."""
    if seconds <= 0:
        return "0 s"
    for unit, factor in (("us", 1e6), ("ms", 1e3), ("s", 1.0)):
        value = seconds * factor
        if value < 999.5 or unit == "s":
            decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
            return f"{value:.{decimals}f} {unit}"
    return ""


def bytes_text(size):
    if size < 1024:
        return f"{size} B"
    value = float(size)
    unit = ""
    for unit in ("KiB", "MiB", "GiB", "TiB", "PiB"):
        value /= 1024
        if value < 1024:
            break
    decimals = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{decimals}f} {unit}"


class Failed(Exception):
    """A run that gave no figures: the message, and the exit status to pass on."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def one_run(command, algorithm, path, arguments):
    """The report of one run."""
    settings = {"HOPSCOTCH_ALGORITHM": algorithm, "HOPSCOTCH_REPORT": str(path)}
    output = None if arguments.show else subprocess.PIPE
    try:
        done = subprocess.run(command, env=locate.environment(command, settings), stdin=subprocess.DEVNULL, stdout=output,
                              stderr=output, timeout=arguments.timeout, check=False)
    except subprocess.TimeoutExpired:
        raise Failed(f"{algorithm}: not done after {arguments.timeout:g} s", 124) from None
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}", 127) from None
    if done.returncode != 0:
        tail = b"" if arguments.show else done.stdout[-2000:] + done.stderr[-2000:]
        status = done.returncode if done.returncode > 0 else 128 - done.returncode
        raise Failed(f"{algorithm}: the program ended with status {done.returncode}\n{tail.decode(errors='replace')}", status)
    if not path.exists():
        raise Failed(f"{algorithm}: there was no report. `hopscotch doctor -- ...` says why", 1)
    return json.loads(path.read_text(encoding="utf-8"))


def row(algorithm, reports, baseline):
    totals = [report["totals"] for report in reports]
    slowest = [total["time_by_rank_s"]["max"] for total in totals]
    last = totals[-1]
    time = statistics.median(slowest)
    return [algorithm, str(last["calls"]), str(last["accelerated"]), str(last["messages"]), bytes_text(last["bytes"]),
            seconds_text(time), seconds_text(min(slowest)), seconds_text(max(slowest)),
            seconds_text(statistics.median(report["elapsed_s"] for report in reports)),
            f"{baseline / time:.2f}" if time > 0 and baseline > 0 else "-"]


def print_table(rows):
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(rows[0]))]
    for cells in rows:
        print("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(cells, widths))).rstrip())


def compare(arguments, command):
    algorithms = [name.strip() for name in arguments.algorithms.split(",") if name.strip()]
    if not command:
        print("hopscotch compare: which program? hopscotch compare -- mpiexec -n 8 ./program", file=sys.stderr)
        return USAGE_ERROR
    if not algorithms or arguments.repeat < 1:
        print(f"hopscotch compare: -n {arguments.repeat} -a {arguments.algorithms}: nothing to run", file=sys.stderr)
        return USAGE_ERROR
    reports = {algorithm: [] for algorithm in algorithms}
    with tempfile.TemporaryDirectory(prefix="hopscotch_") as temporary:
        directory = pathlib.Path(arguments.keep or temporary)
        directory.mkdir(parents=True, exist_ok=True)
        total = arguments.repeat * len(algorithms)
        number = 0
        for repetition in range(arguments.repeat):  # in turn, so that a disturbance meets all alike
            for algorithm in algorithms:
                number += 1
                print(f"hopscotch: run {number} of {total}, {algorithm}", file=sys.stderr, flush=True)
                path = directory / f"{algorithm.replace('/', '_')}.{repetition + 1}.json"
                path.unlink(missing_ok=True)
                try:
                    reports[algorithm].append(one_run(command, algorithm, path, arguments))
                except Failed as error:
                    print(f"hopscotch compare: {error}", file=sys.stderr)
                    return error.status
    baseline = statistics.median(report["totals"]["time_by_rank_s"]["max"] for report in reports[algorithms[0]])
    print_table([["algorithm", "calls", "accelerated", "messages", "sent", "time", "min", "max", "job", "speed-up"],
                 *(row(algorithm, reports[algorithm], baseline) for algorithm in algorithms)])
    print(f"\ntime: in neighborhood collectives on the slowest rank, median of {arguments.repeat} runs; job: from MPI_Init to "
          f"MPI_Finalize, median;\nspeed-up: time of {algorithms[0]} over time. For native calls messages and bytes are those of one "
          "message per neighbor.")
    if all(report["totals"]["calls"] == 0 for group in reports.values() for report in group):
        print("No neighborhood collective was called: `hopscotch doctor -- ...` says more.")
    return 0
