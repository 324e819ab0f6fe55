# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a JSON report has all the fields of docs/usage.md, with the right types. Also: schema.py FILE..."""

import json
import sys

NUMBER = (int, float)


class Optional:
    """A value of the given shape, or null."""

    def __init__(self, shape):
        self.shape = shape


OPERATION = {
    "function": str, "algorithm": str, "calls": int, "bytes": int, "messages": int, "messages_trivial": int,
    "bytes_saved": int,
    "time_s": {"total": NUMBER, "mean": NUMBER, "max": NUMBER}, "reason": Optional(str),
}

GRAPH = {
    "id": int, "created_by": str, "call_site": [str], "ranks": int, "neighbors": {"min": int, "max": int},
    "isomorphic": bool, "declined": Optional(str),
    "grid": Optional({"dims": [int], "periodic": [bool], "found": str}),
    "stencil": Optional({"name": str, "radius": int, "neighbors": int}),
    "rounds": Optional(int), "volume": Optional(int), "operations": [OPERATION],
}

REPORT = {
    "schema": int, "version": str, "mpi_library": str, "ranks": int, "nodes": int, "elapsed_s": NUMBER, "settings": {},
    "graphs": [GRAPH],
    "totals": {"calls": int, "accelerated": int, "native": int, "messages": int, "messages_trivial": int,
               "bytes_saved": int, "time_s": NUMBER, "setup_s": NUMBER},
}

ALGORITHMS = {"native", "trivial", "merged", "combining", "shared", "aggregated"}
FOUND = {"parent", "hint", "recorded", "inferred"}


def shape_errors(value, shape, path):
    """Sentences about everything in `value` that is not of the shape."""
    if isinstance(shape, Optional):
        return [] if value is None else shape_errors(value, shape.shape, path)
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [f"{path}: {value!r} is not an object"]
        errors = [f"{path}: lacks {key}" for key in shape if key not in value]
        for key in shape.keys() & value.keys():
            errors += shape_errors(value[key], shape[key], f"{path}.{key}")
        return errors
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{path}: {value!r} is not a list"]
        return [error for i, entry in enumerate(value) for error in shape_errors(entry, shape[0], f"{path}.{i}")]
    if isinstance(value, bool) and shape is not bool:
        return [f"{path}: {value!r} is not a {shape}"]
    return [] if isinstance(value, shape) else [f"{path}: {value!r} is not a {shape}"]


def meaning_errors(report):
    """Sentences about fields that contradict each other. The report has the right shape."""
    errors = []
    if report["schema"] != 1:
        errors.append(f"schema: {report['schema']}, not 1")
    calls = {"accelerated": 0, "native": 0}
    sums = {"messages": 0, "messages_trivial": 0, "bytes_saved": 0}
    for i, graph in enumerate(report["graphs"]):
        path = f"graphs.{i}"
        if graph["isomorphic"] != (graph["grid"] is not None):
            errors.append(f"{path}: isomorphic {graph['isomorphic']}, grid {graph['grid']}")
        if graph["isomorphic"] and graph["declined"]:
            errors.append(f"{path}: isomorphic, and declined: {graph['declined']}")
        if graph["grid"] is not None and graph["grid"]["found"] not in FOUND:
            errors.append(f"{path}.grid.found: {graph['grid']['found']}")
        for j, operation in enumerate(graph["operations"]):
            here = f"{path}.operations.{j}"
            if operation["algorithm"] not in ALGORITHMS:
                errors.append(f"{here}.algorithm: {operation['algorithm']}")
            if operation["time_s"]["mean"] > operation["time_s"]["max"] * (1 + 1e-6):
                errors.append(f"{here}.time_s: mean above max")
            calls["native" if operation["algorithm"] == "native" else "accelerated"] += operation["calls"]
            for name in sums:
                sums[name] += operation[name]
    totals = report["totals"]
    if totals["calls"] != totals["accelerated"] + totals["native"]:
        errors.append(f"totals.calls: {totals['calls']} is not accelerated + native")
    for name, count in {**calls, **sums}.items():
        if totals[name] != count:
            errors.append(f"totals.{name}: {totals[name]}, but the operations sum up to {count}")
    return errors


def check(report):
    """All errors of a report, as sentences."""
    return shape_errors(report, REPORT, "report") or meaning_errors(report)


if __name__ == "__main__":
    status = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            for error in check(json.load(file)):
                print(f"{name}: {error}")
                status = 1
    sys.exit(status)
