# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The verdict from the times of several runs with two algorithms: the faster one, or that no difference exceeds the
spread. All sentences of a gain say "N times as fast as": the median, the range, and the worst quartile."""

import statistics

CLEARLY = 1.05  # times as fast, in the median: less is no difference


def times(value):
    """How many times as fast, with three digits."""
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def worst_quartile(ratios):
    """The quartile below the median: of five values the second."""
    return sorted(ratios)[len(ratios) // 4]


def gain(ratios, what):
    """How many times as fast, of values that have this name."""
    return (f"{times(statistics.median(ratios))} times as fast, median of {len(ratios)} {what} "
            f"({times(min(ratios))}-{times(max(ratios))}, worst quartile {times(worst_quartile(ratios))})")


def carriers(report):
    """{algorithm: calls that it has carried}."""
    found = {}
    for graph in report["graphs"]:
        for operation in graph["operations"]:
            found[operation["algorithm"]] = found.get(operation["algorithm"], 0) + operation["calls"]
    return found


def carried_by(report, algorithm):
    """Calls that this algorithm has carried; with auto all that Hopscotch has."""
    return sum(calls for name, calls in carriers(report).items()
               if name == algorithm or algorithm == "auto" and name != "native")


def carried_in_all(reports, algorithm):
    """Calls of the run in which the algorithm has carried fewest."""
    return min(carried_by(report, algorithm) for report in reports)


def others_text(report, algorithm):
    """The calls that were carried otherwise than asked, in words; empty if there are none."""
    found = carriers(report)
    others = {name: calls for name, calls in found.items()
              if calls > 0 and name != algorithm and (algorithm != "auto" or name == "native")}
    if not others:
        return ""
    parts = " and ".join(f"{name} carried {calls}" for name, calls in sorted(others.items()))
    return f"{parts} of its {sum(found.values())} calls"


def of_times(base, own):
    """"faster", "slower", "no difference" or "unknown", of lists of times, those of one round at the same place."""
    if min(len(base), len(own)) < 2 or min(*base, *own) <= 0:
        return "unknown"
    ratio = statistics.median(base) / statistics.median(own)
    if max(own) < min(base) and ratio >= CLEARLY:
        return "faster"
    if min(own) > max(base) and ratio <= 1 / CLEARLY:
        return "slower"
    return "no difference"


def sentence(base_name, name, base, own):
    """The verdict in words."""
    verdict = of_times(base, own)
    if verdict == "unknown":
        return (f"{name} and {base_name}: nothing was timed" if min(*base, *own) <= 0 else
                f"{name} and {base_name}: one run says nothing of the spread; -n 5 does")
    found = gain([before / after for before, after in zip(base, own)], "rounds")
    if verdict == "no difference":
        return f"{name} and {base_name}: no difference beyond the spread: {found}"
    return f"{name} is {verdict} than {base_name}: {found}"


def of_runs(base_name, base, name, runs):
    """The verdict on runs, as the word for programs and as a sentence: times say nothing of an algorithm that has
    carried no call. None and the sentence, if there is one, for the baseline itself."""
    reports = [run.report for run in runs]
    others = others_text(reports[-1], name)
    if not carried_in_all(reports, name):
        return "not tried", f"{name}: not tried: " + (others or "it carried no call")
    if name == base_name:
        return None, f"{name}: {others}" if others else None
    if not carried_in_all([run.report for run in base], base_name):
        return "unknown", f"{name}: there is nothing to compare with: {base_name} was not tried"
    base_times, own = ([run.call_seconds() for run in some] for some in (base, runs))
    return of_times(base_times, own), sentence(base_name, name, base_times, own) + (f"; {others}" if others else "")
