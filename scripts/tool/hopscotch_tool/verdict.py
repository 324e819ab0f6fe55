# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The verdict from the times of several runs with two algorithms: the faster one, or that no difference exceeds the
spread."""

import statistics

CLEARLY = 1.05  # times as fast, in the median: less is no difference


def carried_by(report, algorithm):
    """Calls that this algorithm has carried; with auto all that Hopscotch has."""
    return sum(operation["calls"] for graph in report["graphs"] for operation in graph["operations"]
               if operation["algorithm"] == algorithm or algorithm == "auto" and operation["algorithm"] != "native")


def of_times(base, times):
    """"faster", "slower", "no difference" or "unknown", of lists of times, those of one round at the same place."""
    if min(len(base), len(times)) < 2 or min(*base, *times) <= 0:
        return "unknown"
    ratio = statistics.median(base) / statistics.median(times)
    if max(times) < min(base) and ratio >= CLEARLY:
        return "faster"
    if min(times) > max(base) and ratio <= 1 / CLEARLY:
        return "slower"
    return "no difference"


def sentence(base_name, name, base, times):
    """The verdict in words, with that of each round."""
    verdict = of_times(base, times)
    if verdict == "unknown":
        return (f"{name} and {base_name}: nothing was timed" if min(*base, *times) <= 0 else
                f"{name} and {base_name}: one run says nothing of the spread; -n 5 does")
    slower = verdict == "slower"
    ratios = [after / before if slower else before / after for before, after in zip(base, times)]
    rounds = sum(ratio > 1 for ratio in ratios)
    if verdict == "no difference":
        return (f"{name} and {base_name}: no difference beyond the spread "
                f"({min(ratios):.2f}-{max(ratios):.2f} times as fast)")
    return (f"{name} is {verdict} than {base_name} in {rounds} of {len(ratios)} rounds, "
            f"{min(ratios):.2f}-{max(ratios):.2f} times{' as long' if slower else ' as fast'}")
