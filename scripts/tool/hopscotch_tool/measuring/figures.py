# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the lines of the measuring program say: medians with their spread, and ratios of samples that alternate."""

import itertools
import json
import math
import statistics

MARK = "hopscotch-measure: "
BYTES_OF_INT = 4


def record_in(line):
    """The record that a line of output holds, wherever a launcher has put it; None where there is none."""
    _, found, text = line.partition(MARK)
    if not found:
        return None
    try:
        record, _ = json.JSONDecoder().raw_decode(text)
    except ValueError:  # the program ended in the middle of it
        return None
    return record if isinstance(record, dict) and "kind" in record else None


def as_json(document):
    """A line for each member, and for each entry of its lists: a case is one line."""
    def shown(value):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"
        return json.dumps(value)
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {shown(value)}" for name, value in document.items()) + "\n}\n"


def digits(value):
    """Four that count: more would be noise, and longer files."""
    return float(f"{value:.4g}")


def spread(values):
    """The median, and the quartiles below and above it: of five samples the second and the fourth."""
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return {"median": statistics.median(ordered), "low": ordered[quarter], "high": ordered[-1 - quarter],
            "samples": len(ordered)}


def stencil_name(dimensions, values):
    return f"axes, {dimensions}-d" if values == 1 else f"({dimensions},{values})"


def way_of(way, native):
    """A way of a case: microseconds, and how many times as fast as native, of samples that follow each other."""
    time = spread(way["times_s"])
    result = {"way": way["way"], "calls": int(way["calls"]), "samples": time["samples"],
              **{f"{name}_us": digits(1e6 * time[name]) for name in ("median", "low", "high")}}
    if native:
        ratio = spread([theirs / own for theirs, own in zip(native, way["times_s"]) if own > 0] or [0])
        result.update({f"ratio_{name}": digits(ratio[name]) for name in ("median", "low", "high")})
    return result


def case_of(record):
    """What the file says of a case."""
    native = next((way["times_s"] for way in record["ways"] if way["way"] == "native"), None)
    return {"stencil": stencil_name(record["dimensions"], record["values"]),
            **{name: record[name] for name in ("dimensions", "values", "neighbors", "function", "ints", "mode", "on",
                                               "processes", "payload_bytes")},
            "block_bytes": BYTES_OF_INT * record["ints"],
            "ways": [way_of(way, native) for way in record["ways"]]}


def rows_of(output):
    """For scripts: (case, way) of every way in the output of the measuring program."""
    cases = [case_of(record) for record in map(record_in, output.splitlines()) if record and record["kind"] == "case"]
    return [(case, way) for case in cases for way in case["ways"]]


def way_in(case, name):
    return next((way for way in case["ways"] if way["way"] == name), None)


def identity(case):
    """By what a case is known in another file of the same job."""
    return (case["dimensions"], case["values"], case["function"], case["ints"], case["mode"], case["on"])


def best_other(case):
    """The fastest of the algorithms that `auto` may choose, and its lead: how many times as fast as `auto`."""
    own = way_in(case, "auto")
    others = [way for way in case["ways"] if way["way"] not in ("auto", "mapped", "plain", "plain_init", "copy")]
    if own is None or not others or min(way["median_us"] for way in others) <= 0:
        return None, 0.0
    best = min(others, key=lambda way: way["median_us"])
    return best, own["median_us"] / best["median_us"]


def best_gain(case):
    """Of `auto`, or where that was not measured of the fastest way: its name, and how many times as fast as native."""
    way = way_in(case, "auto") or max(case["ways"], key=lambda one: one.get("ratio_median", 0))
    return way["way"], way.get("ratio_median", 0)


def geometric_mean(values):
    values = [value for value in values if value > 0]
    return math.exp(statistics.fmean(map(math.log, values))) if values else 0.0


def gains(cases):
    """Medians of native over `auto`."""
    return [way["ratio_median"] for case in cases for way in case["ways"]
            if way["way"] == "auto" and way.get("ratio_median", 0) > 0]


def worst_quartile(cases):
    """Of native over `auto`, the lower quartile of the samples in the case where that is smallest; 0 without cases."""
    return min((way["ratio_low"] for case in cases for way in case["ways"]
                if way["way"] == "auto" and way.get("ratio_median", 0) > 0), default=0.0)


def grouped(cases, *names):
    """(values of these members, cases) in the order in which they come."""
    found = {}
    for case in cases:
        found.setdefault(tuple(case[name] for name in names), []).append(case)
    return found.items()


def in_order(*lists):
    """All combinations, those first that are early in every list: what is asked for first is measured first."""
    places = itertools.product(*(range(len(values)) for values in lists))
    return [tuple(values[place] for values, place in zip(lists, chosen))
            for chosen in sorted(places, key=lambda chosen: (sum(chosen), max(chosen)))]
