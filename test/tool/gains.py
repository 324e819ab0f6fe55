# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Computes from the trials of a JSON report what a run has gained: a second opinion on the report's own figures."""

from shown import time

INDISTINCT = 1.05  # trials whose times differ by less say nothing
NATIVE_WAS_FASTEST = "the MPI library's function was the fastest that auto tried"


def saved_per_call(graph, operation):
    """(seconds at least, at most) that a call of an operation took less than a native one, and whether its algorithm
    was chosen, or None."""
    if operation["algorithm"] == "native":
        return (0.0, 0.0, True) if operation["reason"] == NATIVE_WAS_FASTEST else None
    mine = [trial for trial in graph["trials"] if (trial["function"], trial["algorithm"])
            == (operation["function"], operation["algorithm"])]
    mine = [trial for trial in mine if trial["chosen"]] or mine
    natives = {trial["block_bytes_most"]: trial["time_s"] for trial in graph["trials"]
               if (trial["function"], trial["algorithm"]) == (operation["function"], "native")}
    if not any(trial["block_bytes_most"] in natives for trial in mine):
        return None
    per_call = operation["time_s"]["total"] / operation["process_calls"]
    ranges = []
    for trial in mine:
        native = natives.get(trial["block_bytes_most"])
        longer = (0.0, 0.0) if native is None else (native / INDISTINCT - trial["time_s"],
                                                    native * INDISTINCT - trial["time_s"])
        ranges.append([each * min(per_call / trial["time_s"], 1.0) if each > 0.0 else each for each in longer])
    return min(least for least, _ in ranges), max(most for _, most in ranges), mine[0]["chosen"]


def gain_of(report):
    """(seconds at least, at most, calls) that were saved by calls of which a trial compared some with native ones, and
    the seconds that calls saved and that trials cost."""
    least, most, calls = 0.0, 0.0, 0
    parts = {True: 0.0, False: 0.0}
    for graph in report["graphs"]:
        for operation in graph["operations"]:
            if (saved := saved_per_call(graph, operation)) is not None:
                least += operation["calls"] * saved[0]
                most += operation["calls"] * saved[1]
                calls += operation["calls"]
                parts[saved[2]] += operation["calls"] * (saved[0] + saved[1]) / 2
    in_vain = parts[False]
    return least, most, calls, parts[True] + max(in_vain, 0.0), max(-in_vain, 0.0)


def alone_figures(report):
    """What an exchange takes by itself, of the operation with most bytes; nothing where none was measured."""
    measured = [(operation["payload_bytes"], alone) for graph in report["graphs"] for operation in graph["operations"]
                for alone in graph["alone"]
                if (alone["function"], alone["algorithm"]) == (operation["function"], operation["algorithm"])]
    shown = max(measured, key=lambda each: each[0], default=(0, None))[1]
    return [time(shown["time_s"]), time(shown["native_time_s"])] if shown else []


def saved_figures(verdict, least, most, setup):
    """The figures of the first tile."""
    low, high = (setup - most, setup - least) if verdict == "slower" else (least - setup, most - setup)
    if verdict == "no difference":
        return [time(-low), time(high)]
    return [time(low), time(high)] if low < 0.9 * high else [time((low + high) / 2)]
