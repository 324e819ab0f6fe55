# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command with several algorithms in turn; every figure of the table is one of the JSON reports, or a median,
except for the time of the job, which the tool measures."""

import itertools
import json
import os
import pathlib
import statistics
import time

from hopscotch_tool import files, launched, load, locate, report_pair, reported, say, show, status, verdict
from hopscotch_tool.arguments import WrongUsage, add_force, count, problem_of_command, seconds
from hopscotch_tool.interruption import Interrupted
from hopscotch_tool.units import seconds_text

COUNTS = ("calls", "accelerated", "messages", "bytes", "payload_bytes")  # counts of a report, in --json
JOB = ("ranks", "nodes", "mpi_library", "launcher")


def add_arguments(parser):
    parser.add_argument("-n", "--repeat", type=count, default=3, metavar="N", help="runs per algorithm (default: 3)")
    parser.add_argument("--json", action="store_true", help="print the times of all runs and the verdicts as JSON")
    parser.add_argument("-a", "--algorithms", metavar="LIST",
                        help="values of HOPSCOTCH_ALGORITHM (default: all, native first)")
    parser.add_argument("-k", "--keep", metavar="DIRECTORY", help="keep the JSON reports there: ALGORITHM.RUN.json")
    add_force(parser)
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="end a run after this time")
    parser.add_argument("--show", action="store_true", help="let the program's output through")
    parser.add_argument("program", nargs="...", metavar="[--] program ...",
                        help="the program, with its launcher; or two JSON reports")


class Failed(Exception):
    """A run that gave no figures: the message, and the exit status to pass on."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


class Run:
    """Report and duration of one run."""

    def __init__(self, report, wall_seconds):
        self.report = report
        self.wall_seconds = wall_seconds

    def call_seconds(self):
        return self.report["totals"]["time_by_rank_s"]["max"]


def one_run(command, algorithm, arguments, first):
    """Raises Failed."""
    try:
        library = locate.library(command)
        outcome = reported.run(locate.command(command, library), locate.environment(command, path=library),
                               arguments.timeout, show=arguments.show,
                               settings={"HOPSCOTCH_ALGORITHM": algorithm})
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}", status.of_start(error)) from None
    if outcome.returncode is None:
        raise Failed(f"{algorithm}: not done after {arguments.timeout:g} s", outcome.status())
    if outcome.returncode != 0:
        raise Failed(f"{algorithm}: the program ended with status {outcome.status()}\n"
                     f"{outcome.out[-2000:]}{outcome.err[-2000:]}", outcome.status())
    if not outcome.reports:
        raise Failed(f"{algorithm}: there was no report. `hopscotch doctor -- ...` says why", status.NO)
    if first:
        say.error(f"hopscotch: the job: {launched.job_line(outcome.reports[0])}")
    family = locate.family_of_library(locate.library(command))
    if wrong := launched.alone(outcome.reports, command, family):
        raise Failed(wrong, status.NO)
    return Run(outcome.reports[0], outcome.seconds)


def speed_up(baseline, seconds):
    return f"{baseline / seconds:.2f}" if seconds > 0 and baseline > 0 else "-"


def row(algorithm, runs, baseline):
    last = runs[-1].report["totals"]
    calls = [run.call_seconds() for run in runs]
    time_of_calls = statistics.median(calls)
    job = statistics.median(run.wall_seconds for run in runs)
    return [algorithm, str(last["calls"]), str(last["accelerated"]), str(last["messages"]), last["bytes_text"],
            seconds_text(time_of_calls), seconds_text(min(calls)), seconds_text(max(calls)),
            speed_up(statistics.median(run.call_seconds() for run in baseline), time_of_calls),
            seconds_text(job), speed_up(statistics.median(run.wall_seconds for run in baseline), job)]


def print_table(rows):
    widths = [max(len(cells[i]) for cells in rows) for i in range(len(rows[0]))]
    for cells in rows:
        say.line("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                           for i, (cell, width) in enumerate(zip(cells, widths))).rstrip())


def problem(arguments, algorithms, known, command):
    """The reason that makes a comparison impossible, or None."""
    if not command:
        return "which program? hopscotch compare -- mpiexec -n 8 ./program"
    if not algorithms:
        return f"-a {arguments.algorithms}: nothing to run"
    unknown = [name for name in algorithms if name not in known]
    if unknown:
        return f"-a {arguments.algorithms}: no algorithm is called {unknown[0]}; there are {','.join(known)}"
    return None


def kept_file(arguments, algorithm, number):
    return pathlib.Path(arguments.keep, f"{algorithm}.{number}.json")


def run_all(arguments, algorithms, command, runs):
    """Fills the runs by algorithm. They take turns, so that a disturbance meets all alike; without a call it is the
    first run only. Raises Failed."""
    total = arguments.repeat * len(algorithms)
    begin = time.monotonic()
    for number in range(total):
        algorithm = algorithms[number % len(algorithms)]
        left = (time.monotonic() - begin) / number * (total - number) if number else None
        say.error(f"hopscotch: run {number + 1} of {total}, {algorithm}"
                  + (f"; about {seconds_text(left)} left" if left is not None else ""))
        run = one_run(command, algorithm, arguments, number == 0)
        runs[algorithm].append(run)
        if arguments.keep:
            files.write(kept_file(arguments, algorithm, number // len(algorithms) + 1),
                        json.dumps(run.report, indent=2) + "\n")
        if run.report["totals"]["calls"] == 0:
            break


def warnings(report, others=None):
    """The reasons that make the times doubtful; cores are those of this machine. `others`: the part of them that other
    programs used, None if that is unknown."""
    per_node = -(-report["ranks"] // report["nodes"])
    if per_node > (os.cpu_count() or per_node):
        yield (f"{per_node} processes share {os.cpu_count()} cores: the times are mostly those of the scheduler; "
               "take the ratios with care")
    if others is not None and others > load.MANY and report["nodes"] == 1:
        yield (f"other programs used {others:.0%} of the cores of this machine: repeat the comparison when it is idle, "
               "or take the ratios with care")


def print_json(runs, command, others=None):
    base_name, base = next(iter(runs.items()))
    rows = []
    for name, group in runs.items():
        last = group[-1].report
        rows.append({"algorithm": name, **{key: last["totals"].get(key) for key in COUNTS},
                     "carried": verdict.carriers(last),
                     "time_s": [run.call_seconds() for run in group], "job_s": [run.wall_seconds for run in group],
                     "verdict": verdict.of_runs(base_name, base, name, group)[0]})
    say.whole(json.dumps({"command": command, "job": {name: base[0].report.get(name) for name in JOB},
                          "baseline": base_name, "algorithms": rows,
                          "warnings": list(warnings(base[0].report, others))}, indent=2) + "\n")


def print_text(runs, others):
    base_name, base = next(iter(runs.items()))
    print_table([["algorithm", "calls", "accelerated", "messages", "sent", "time", "min", "max", "speed-up",
                  "job", "speed-up"], *(row(name, group, base) for name, group in runs.items())])
    say.line("")
    say.line(f"time: in neighborhood collectives on the slowest rank, median of {len(base)} runs, their min and max;")
    say.line("job: from the start of the command to its end, median;")
    say.line("accelerated: carried by Hopscotch, by whatever algorithm;")
    say.line(f"speed-up: how many times as fast as {base_name}: the median of time, and of job, over that of the row.")
    say.line("For native calls messages and bytes are those of one message per neighbor.")
    say.line("")
    for name, group in runs.items():
        if line := verdict.of_runs(base_name, base, name, group)[1]:
            say.line(line)
    for warning in warnings(base[0].report, others):
        say.line(f"warning: {warning}")


def print_runs(arguments, runs, command, others=None):
    """The results of the algorithms that have run."""
    some = {name: group for name, group in runs.items() if group}
    if arguments.json:
        print_json(some, command, others)
    else:
        print_text(some, others)


def compare(arguments, command):
    """Runs a command, or reads two reports. Raises WrongUsage, locate.Missing."""
    if len(command) == 2 and all(word.endswith(".json") for word in command):
        return report_pair.compare(command, arguments.json)
    known = show.algorithms()
    asked_for = known if arguments.algorithms is None else arguments.algorithms.split(",")
    algorithms = list(dict.fromkeys(name.strip() for name in asked_for if name.strip()))
    if wrong := problem(arguments, algorithms, known, command):
        raise WrongUsage(wrong)
    if wrong := problem_of_command(command[0]):
        say.error(f"hopscotch compare: {wrong[0]}")
        return wrong[1]
    if arguments.keep:
        files.prepare_directory(arguments.keep)
        for algorithm, number in itertools.product(algorithms, range(arguments.repeat)):
            files.check(kept_file(arguments, algorithm, number + 1), files.is_report, arguments.force)
    runs = {algorithm: [] for algorithm in algorithms}
    others = load.Others()
    try:
        run_all(arguments, algorithms, command, runs)
    except Failed as error:
        for line in f"hopscotch compare: {error}".expandtabs().split("\n"):
            say.error(line)
        return error.status
    except Interrupted as error:
        done = sum(map(len, runs.values()))
        say.error(f"hopscotch compare: interrupted after {done} of {arguments.repeat * len(algorithms)} runs")
        if done:
            print_runs(arguments, runs, command, others.share())
        return error.status
    if any(not group for group in runs.values()):
        say.line("Nothing to compare: no neighborhood collective was called. `hopscotch doctor -- ...` says more.")
        return 0
    print_runs(arguments, runs, command, others.share())
    return 0
