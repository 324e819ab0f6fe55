# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Two stored reports side by side: two versions or settings of one program, and the differences between them."""

import itertools
import json

from hopscotch_tool import documents, launched, say
from hopscotch_tool.arguments import WrongUsage
from hopscotch_tool.units import seconds_text
from hopscotch_tool.verdict import times

COUNTS = ("calls", "accelerated", "native", "failed", "messages")
SAME_PROGRAM = ("command", "ranks", "nodes")  # else times cannot be compared


def facts(report):
    """(name, text) of the facts about a run and its result."""
    totals = report["totals"]
    settings = [f"{name}={value}" for name, value in report["settings"].items() if name != "HOPSCOTCH_REPORT"]
    return [("version", report["version"]), ("command", report["command"]), ("job", launched.job_line(report)),
            ("date", report["date"] or "-"), ("settings", " ".join(settings) or "-"),
            *((name, str(totals[name])) for name in COUNTS),
            ("sent", totals["bytes_text"]), ("payload", totals["payload_bytes_text"]),
            ("time in calls", seconds_text(totals["time_by_rank_s"]["max"])),
            ("set-up", seconds_text(totals["setup_by_rank_s"]["max"])),
            ("job time", seconds_text(report["elapsed_s"] or 0))]


def choices(report):
    """By graph and function: the algorithms that carried the calls, with their number. Graphs differ by the function
    that made them and by their stencil; equal ones have numbers."""
    found = {}
    seen = {}
    for graph in report["graphs"]:
        stencil = graph["stencil"] or {}
        name = (f"{graph['created_by']} {stencil.get('name', 'without a stencil')}, "
                f"{graph['neighbors']['max']} neighbors")
        seen[name] = seen.get(name, 0) + 1
        if seen[name] > 1:
            name += f" ({seen[name]})"
        for operation in graph["operations"]:
            calls = found.setdefault(f"{name}: {operation['function']}", {})
            calls[operation["algorithm"]] = calls.get(operation["algorithm"], 0) + operation["calls"]
    return {name: ", ".join(f"{algorithm} {number}" for algorithm, number in sorted(calls.items()))
            for name, calls in found.items()}


def ratio(before, after):
    """The change of the time in calls of the slowest rank, as a sentence."""
    first, second = (report["totals"]["time_by_rank_s"]["max"] for report in (before, after))
    if first <= 0 or second <= 0:
        return "In one of the runs no time was spent in calls."
    return (f"Calls of the second run were {times(first / second)} times as fast as those of the first. One run of "
            "each says nothing of the spread; compare -- ... does.")


def compared(paths):
    """(common part of both reports, choices that differ, warnings). Raises WrongUsage."""
    reports = [documents.report(path) for path in paths]
    rows = []
    for path, report in zip(paths, reports):
        try:
            rows.append((facts(report), choices(report)))
        except (LookupError, TypeError, AttributeError):
            raise WrongUsage(f"{path} is no JSON report of Hopscotch, or one of a version that wrote less") from None
    (first, chosen), (second, chosen_later) = rows
    names = dict.fromkeys(itertools.chain(chosen, chosen_later))
    differing = [(name, chosen.get(name, "-"), chosen_later.get(name, "-")) for name in names
                 if chosen.get(name) != chosen_later.get(name)]
    warnings = [f"the reports have different values of '{name}': times say little" for name in SAME_PROGRAM
                if reports[0][name] != reports[1][name]]
    if reports[0]["totals"]["calls"] != reports[1]["totals"]["calls"]:
        warnings.append("the reports have different values of 'calls': times say little")
    return reports, [(name, text, other) for (name, text), (_, other) in zip(first, second)], differing, warnings


def compare(paths, as_json):
    reports, rows, differing, warnings = compared(paths)
    if as_json:
        found = {"reports": paths, "warnings": warnings,
                 "facts": [{"name": name, "values": values, "changed": values[0] != values[1]}
                           for name, *values in rows],
                 "choices": [{"name": name, "values": values} for name, *values in differing]}
        say.whole(json.dumps(found, indent=2) + "\n")
        return 0
    width = max(len(paths[0]), *(len(text) for name, text, _ in rows if name not in ("command", "job", "settings")))
    say.line(f"  {'':14} {paths[0]:{width}}  {paths[1]}")
    for name, text, other in rows:
        mark = "*" if text != other and name != "date" else " "
        if text == other and len(text) > width:
            say.line(f"{mark} {name:14} {text}")
        elif max(len(text), len(other)) > width:
            say.line(f"{mark} {name:14} {text}")
            say.line(f"{mark} {'':14} {'':{width}}  {other}")
        else:
            say.line(f"{mark} {name:14} {text:{width}}  {other}")
    say.line("")
    say.line("Choices that differ, with their calls:" if differing else "The same algorithms carried the same calls.")
    for name, text, other in differing:
        say.line(f"* {name}: {text}  ->  {other}")
    say.line(ratio(*reports))
    for warning in warnings:
        say.line(f"warning: {warning}")
    return 0
