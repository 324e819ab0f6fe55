# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures as people are shown them, compared with the members of a JSON report they stand for."""

import math
import re

NUMBER = re.compile(r"(?<![\w.+-])(-?\d+(?:\.(\d+))?)(?: (us|ms|s|B|KiB|MiB|GiB|%)(?!\w))?")
UNITS = {"seconds": {"us": 1e-6, "ms": 1e-3, "s": 1.0}, "bytes": {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
         "percent": {"%": 1.0}, "ratio": {None: 1.0}, "count": {None: 1}}


def count(value):
    return "count", value


def counts(members, *names):
    return [count(members[name]) for name in names]


def size(value):
    return "bytes", value


def time(value):
    return "seconds", value


def ratio(value):
    return "ratio", value


def percent(part, whole):
    return "percent", 100.0 * part / whole


def spread(times):
    """Total, mean, minimum and maximum, as every line of times has them."""
    return [time(times[name]) for name in ("total", "mean", "min", "max")]


def settings_of(report):
    return [f"{name}={value}" for name, value in report["settings"].items()]


def job_figures(report):
    return [count(report["ranks"]), *[count(report["nodes"])] * (report["nodes"] > 0), time(report["elapsed_s"])]


def balance(report):
    """(label, texts, figures) of the lines that say who waits for whom."""
    lines = []
    if report["earliest"]["rank"] != report["slowest"]["rank"]:
        lines = [(name.capitalize(), [process["host"]], [count(process["rank"]), time(process["time_s"])])
                 for name, process in (("earliest", report["earliest"]), ("slowest", report["slowest"]))]
    if report["efficiency"]:
        lines.append(("Efficiency", [], [percent(report["efficiency"][name], 1.0)
                                         for name in ("parallel", "load_balance", "communication")]))
    return lines


def stencil_figures(group):
    return [count(group["stencil"]["radius"]), count(group["stencil"]["neighbors"]), count(group["rounds"]),
            count(group["volume"])]


def per_call(operation):
    return time(operation["time_s"]["total"] / operation["process_calls"])


def block_sizes(operation):
    """Calls and size of each class, where there are several."""
    sizes = operation["block_sizes"]
    return [figure for each in sizes for figure in (count(each["calls"]), *[size(each["block_bytes_most"])] *
            (each["block_bytes_most"] > 0))] if len(sizes) > 1 else []


def saved(operation):
    bytes_saved = operation["bytes_saved"]
    return [size(bytes_saved), percent(bytes_saved, operation["payload_bytes"] + bytes_saved)]


def is_rounded(match, kind, value):
    """Whether the number is the value, rounded where it is shown; counts are exact."""
    digits, decimals, unit = match.groups()
    if unit not in UNITS[kind] or (kind == "count" and decimals):
        return False
    scale = UNITS[kind][unit]
    step = scale * 10.0 ** -len(decimals or "")
    exact = kind == "count" or unit == "B"
    return abs(float(digits) * scale - value) <= (0.0 if exact else step * 0.5 + 1e-9 * abs(value))


def disagreement(shown, texts, figures):
    """A sentence when what is shown lacks one of the texts, or its other numbers are not just the figures; else
    None."""
    for text in texts:
        if text not in shown:
            return f"no {text!r} in"
        shown = shown.replace(text, " ", 1)
    numbers, figures = list(NUMBER.finditer(shown)), list(figures)
    if len(numbers) != len(figures):
        return f"{len(numbers)} figures, not {len(figures)} in"
    wrong = [f"{number.group()} is not {value}" for number, (kind, value) in zip(numbers, figures)
             if not is_rounded(number, kind, value)]
    return f"{', '.join(wrong)}, in" if wrong else None


def edge_figures(edges, most=False):
    """Of a graph on several nodes; `most`: those of the node with most as well."""
    names = ["now_most"] * most
    if edges["mapped"] < edges["now"]:
        names += ["mapped"] + ["mapped_most"] * most
    return [*counts(edges, "now", "all"), percent(edges["now"], edges["all"]), *counts(edges, *names)]


def without_prefix(function):
    return function[4:] if function.startswith("MPI_") else function


# ---- what text and page show together

ALIKE = ("created_by", "call_site", "ranks", "neighbors", "isomorphic", "declined", "grid", "stencil", "rounds",
         "volume", "reorder")


def together(spreads, values):
    """One spread of all values; `values` says of how many each of them is."""
    if len(spreads) == 1:
        return spreads[0]
    number = sum(values)
    mean = sum(each["total"] for each in spreads) / number
    squares = sum(n * ((each["variation"] * each["mean"]) ** 2 + (each["mean"] - mean) ** 2)
                  for each, n in zip(spreads, values))
    return {"total": mean * number, "mean": mean, "min": min(each["min"] for each in spreads),
            "max": max(each["max"] for each in spreads),
            "variation": math.sqrt(squares / number) / mean if mean else 0.0}


def joined(alike):
    """Members of a list that stand for the same: counts are sums, times are of all values."""
    one = dict(alike[0])
    for name, value in one.items():
        if isinstance(value, int):
            one[name] = sum(each[name] for each in alike)
        elif name == "time_s":
            one[name] = together([each[name] for each in alike], [each["ranks"] for each in alike])
        elif name == "block_sizes":
            sizes = [each for operation in alike for each in operation[name]]
            one[name] = [{"block_bytes_most": most, "calls": sum(each["calls"] for each in sizes
                                                                 if each["block_bytes_most"] == most)}
                         for most in sorted({each["block_bytes_most"] for each in sizes})]
        elif name == "call_sites":
            sites = [site for each in alike for site in each[name]]
            one[name] = sorted((joined([site for site in sites if site["call_site"] == place])
                                for place in {tuple(site["call_site"]): site["call_site"] for site in sites}.values()),
                               key=lambda site: -site["time_s"]["total"])
    return one


def group_of(graphs):
    group = {name: graphs[0][name] for name in (*ALIKE, "edges_between_nodes")}
    group["ids"] = [graph["id"] for graph in graphs]
    group["graphs"] = sum(graph["graphs"] for graph in graphs)
    group["operations"] = [joined(list(alike)) for alike in zip(*(graph["operations"] for graph in graphs))]
    group["setup_s"] = together([graph["setup_s"] for graph in graphs], [graph["ranks"] for graph in graphs])
    group["seconds"] = sum(operation["time_s"]["total"] for operation in group["operations"])
    degrees = graphs[0]["neighbors"]
    group["degrees"] = [count(degrees["max"])] if degrees["min"] == degrees["max"] else counts(degrees, "min", "max")
    if group["grid"]:
        group["shown_grid"] = "x".join(f"{extent}{'p' * periodic}"
                                for extent, periodic in zip(group["grid"]["dims"], group["grid"]["periodic"]))
    trials = next((graph["trials"] for graph in graphs if graph["trials"]), [])
    classes = {(trial["function"], trial["block_bytes_most"]): [] for trial in trials}
    for trial in trials:
        classes[trial["function"], trial["block_bytes_most"]].append(trial)
    group["trials"] = list(classes.values())
    group["alone"] = next((graph["alone"] for graph in graphs if graph["alone"]), [])
    return group


def groups_of(report):
    """Graphs in groups of those that differ in numbers only; the group with most time comes first."""
    groups = {}
    for graph in report["graphs"]:
        kinds = [(operation["function"], operation["algorithm"], operation["reason"])
                 for operation in graph["operations"]]
        groups.setdefault(str([graph[name] for name in ALIKE] + kinds), []).append(graph)
    return sorted(map(group_of, groups.values()), key=lambda group: -group["seconds"])


def algorithms_in_rows(operations):
    """Numbered where rows differ in their reasons only."""
    rows = [(operation["function"], operation["algorithm"]) for operation in operations]
    return [row[1] + (f" ({rows[:i].count(row) + 1})" if rows.count(row) > 1 else "") for i, row in enumerate(rows)]


def reasons_of(report):
    """(reason, calls) of native calls, most calls first."""
    calls = {}
    for graph in report["graphs"]:
        for operation in graph["operations"]:
            if operation["algorithm"] == "native":
                calls[operation["reason"]] = calls.get(operation["reason"], 0) + operation["calls"]
    return sorted(calls.items(), key=lambda entry: (-entry[1], entry[0]))
