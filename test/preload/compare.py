# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs an MPI program without and with the shim: same output, same exit code, and the expected report.

compare.py --library libhopscotch.so --ranks 9 --expect graphs.0.rounds=4 -- ./stencil -d 2

Lines that start with "time:" are not compared. With more than one rank both runs get the yielding preload: other tests
run at the same time.
An expectation is PATH=VALUE, PATH>NUMBER, PATH<NUMBER or PATH~TEXT (contains): the path leads into the JSON report by
dots; a list is entered by index or by the name of an MPI function: that of an operation, or that which has created a
graph.
"""

import argparse
import json
import math
import os
import pathlib
import re
import resource
import shlex
import sys
import tempfile

import account
import schema

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "scripts/tool"))
from hopscotch_tool.interruption import catch_signals  # noqa: E402  the path has to be known first
from hopscotch_tool.process_group import run  # noqa: E402


def launch(arguments, preloads, settings):
    """The mpiexec command line. The preload goes to the ranks only, not to mpiexec and its helpers."""
    if preloads:
        settings = {"LD_PRELOAD": ":".join(preloads), **settings}
    environment = ["env", *(f"{name}={value}" for name, value in settings.items())]
    return [arguments.mpiexec, "-n", str(arguments.ranks), *environment, *arguments.program]


def run_limited(command, seconds, processes, **options):
    """As process_group.run, with limits that other work on the machine does not use up. Each process ends that has used
    its share of these seconds of all cores. A command that waits without work has four times as long, and the longer
    the more others want these cores: a process that gives its core away gets it back after all of them."""
    cores = len(os.sched_getaffinity(0))
    crowd = max(1, os.getloadavg()[0] / cores)
    share = math.ceil(seconds * min(1, cores / processes))

    def limit():
        most = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (share if most < 0 else min(share, most), most))
    return run(command, 4 * crowd * seconds, preexec_fn=limit, **options)


def comparable(text):
    """The parts that must be equal: all lines except the times. Lines of different ranks may come in any order."""
    return sorted(line for line in text.splitlines() if not line.startswith("time:"))


def look_up(report, path):
    """The value at the end of the path; raises LookupError."""
    value = report
    for step in path.split("."):
        if isinstance(value, list):
            if step.isdigit():
                value = value[int(step)]
            else:
                value = next((entry for entry in value if step in (entry.get("function"), entry.get("created_by"))),
                             None)
                if value is None:
                    raise LookupError(f"nothing called {step}")
        elif isinstance(value, dict):
            value = value[step]
        else:
            raise LookupError(f"nothing below {value!r}")
    return value


def parse_value(text):
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def expectation_error(report, expectation):
    """A sentence if the report does not hold the expectation, else None."""
    match = re.fullmatch(r"([\w.]+)([=<>~])(.*)", expectation, re.DOTALL)
    if match is None:
        return f"cannot read the expectation {expectation}"
    path, relation, text = match.groups()
    try:
        value = look_up(report, path)
    except (LookupError, TypeError) as error:
        return f"expected {expectation}, but the report has no such field ({error})"
    wanted = parse_value(text)
    holds = {"=": lambda: value == wanted, "<": lambda: value < wanted, ">": lambda: value > wanted,
             "~": lambda: text in str(value)}[relation]()
    return None if holds else f"expected {expectation}, got {value!r}"


def message_errors(report):
    """On a torus every process sends one message per round: messages = rounds * calls * ranks."""
    errors = []
    seen = 0
    for graph in report["graphs"]:
        ways = ["combining " + (graph["groups"] or "")]  # the graph's rounds are theirs
        if ways[0] not in [operation["algorithm"] for operation in graph["operations"]]:
            ways.append("combining")
        for operation in graph["operations"]:
            if operation["algorithm"] not in ways or not all(graph["grid"]["wraps"]):
                continue
            seen += 1
            predicted = graph["rounds"] * operation["calls"] * graph["ranks"]
            if operation["messages"] != predicted:
                errors.append(f"{operation['function']}: {operation['messages']} messages, but "
                              f"{graph['rounds']} rounds * {operation['calls']} calls * {graph['ranks']} ranks "
                              f"are {predicted}")
    return errors if seen else ["no operation was combining on a torus: no messages to check"]


def report_errors(path, arguments, printed):
    if arguments.no_report:
        return [f"there is a report: {path.read_text(encoding='utf-8')[:200]}"] if path.exists() else []
    if not path.exists():
        return ["there is no report"]
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        return [f"the report is not JSON: {error}"]
    errors = schema.check(report, arguments.shape)
    if errors:
        return errors
    errors = [error for text in arguments.expect if (error := expectation_error(report, text))]
    errors += message_errors(report) if arguments.check_messages else []
    return errors + (account.errors(report, printed) if arguments.check_account else [])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="libhopscotch.so")
    parser.add_argument("--yielding", help="libyielding.so, used with more than one process")
    parser.add_argument("--shape", metavar="MODULE", help="the compiled schema of the report (schema.py --compile)")
    parser.add_argument("--before", action="append", default=[], metavar="LIBRARY",
                        help="to preload in front of all others")
    parser.add_argument("--behind", action="append", default=[], help="a library to preload behind libhopscotch.so")
    parser.add_argument("--mpiexec", default="mpiexec.mpich")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="environment of both runs")
    parser.add_argument("--expect", action="append", default=[], metavar="PATH=VALUE", help="a fact of the report")
    parser.add_argument("--check-messages", action="store_true", help="messages = rounds * calls * ranks")
    parser.add_argument("--check-account", action="store_true",
                        help="numbers are as the program prints them, see account.py")
    parser.add_argument("--no-report", action="store_true", help="there must be no report")
    parser.add_argument("--status", type=int, help="exit code both runs must have (default: any, but equal)")
    parser.add_argument("--stderr", action="append", default=[], metavar="REGEX",
                        help="must be found in what the run with the shim writes to stderr")
    parser.add_argument("--quiet", action="store_true", help="the run with the shim must write nothing more to stderr")
    parser.add_argument("--alone", action="store_true", help="run with the shim only: the program checks itself")
    parser.add_argument("--timeout", type=float, default=150, metavar="SECONDS", help="for each run on an idle machine")
    parser.add_argument("program", nargs="+")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    # Hopscotch carries the first call of each graph, where a case does not say otherwise.
    settings = {"HOPSCOTCH_SET_UP_AFTER": "0", **dict(entry.split("=", 1) for entry in arguments.set)}
    yielding = [arguments.yielding] if arguments.ranks > 1 and arguments.yielding else []  # other tests run, too

    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "x.json")
        with_shim = launch(arguments, arguments.before + yielding + [arguments.library] + arguments.behind,
                           {"HOPSCOTCH_REPORT": str(path), **settings})
        code, out, err = run_limited(with_shim, arguments.timeout, arguments.ranks)
        errors = report_errors(path, arguments, out)
        errors += [f"{name} is left beside the report" for name in os.listdir(directory) if name != path.name]
    if code is None:
        errors.insert(0, "with the shim: not done in time")
    elif arguments.status is not None and code != arguments.status:
        errors.insert(0, f"with the shim: exit code {code}, not {arguments.status}")
    for pattern in arguments.stderr:
        if not re.search(pattern, err):
            errors.append(f"stderr lacks {pattern}")
    if not arguments.alone:
        native_code, native_out, native_err = run_limited(launch(arguments, arguments.before + yielding, settings),
                                                          arguments.timeout, arguments.ranks)
        if native_code is None:
            errors.append("without the shim: not done in time")
        elif code != native_code:
            errors.append(f"exit code {code} with the shim, {native_code} without")
        if comparable(out) != comparable(native_out):
            errors.append(f"the outputs differ; without the shim:\n{native_out}")
        if arguments.quiet and len(err.splitlines()) > len(native_err.splitlines()):
            errors.append("stderr is longer than without the shim")

    if errors:
        print("command:", shlex.join(with_shim))
        print(f"--- stdout\n{out}--- stderr\n{err}---")
        for error in errors:
            print("FAILED:", error)
    return 1 if errors else 0


if __name__ == "__main__":
    catch_signals()  # a run that is ended leaves no process of the program
    sys.exit(main())
