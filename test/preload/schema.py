# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a JSON report is as docs/report.schema.json says, and that its members agree.

schema.py FILE ...           checks reports
schema.py --compile MODULE   writes a module that checks the shape: the tests do so a thousand times
"""

import functools
import importlib
import importlib.util
import json
import pathlib
import re
import sys

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"
MOST_THREADS = 16  # of a process, that call at the same time
LONGEST_START = 60  # s: a process may wait for others that leave MPI_Init later; the run is that of one process

IMPORT = "from fastjsonschema import JsonSchemaValueException\n"
ERROR = """class JsonSchemaValueException(Exception):
    def __init__(self, message, **details):
        super().__init__(message)
"""


@functools.lru_cache(None)
def library():
    """fastjsonschema, whose import takes longer than all others; or None: only meanings of members are checked."""
    try:
        return importlib.import_module("fastjsonschema")
    except ImportError:
        return None


def compile_schema(module):
    text = "validate = None\n"
    if library() is not None:
        text = library().compile_to_code(json.loads(SCHEMA.read_text("utf-8")))
        if text.count(IMPORT) != 1:
            sys.exit("schema.py: the compiled schema imports something else than its exception")
        text = text.replace(IMPORT, ERROR)
    pathlib.Path(module).write_text(text, encoding="utf-8")


def compiled(module):
    found = importlib.util.spec_from_file_location("report_shape", module)
    shape = importlib.util.module_from_spec(found)
    found.loader.exec_module(shape)
    return shape


def compiled_errors(document, module):
    shape = compiled(module)
    try:
        if shape.validate is not None:
            shape.validate(document)
    except shape.JsonSchemaValueException as error:
        return [str(error)]
    return []


def shape_errors(document, schema=SCHEMA, module=None):
    """A sentence about the first thing that is not of the shape, if there is one. `module`: the compiled schema, if it
    has been built."""
    if module is not None and pathlib.Path(module).is_file():
        return compiled_errors(document, module)
    if library() is None:
        return []
    try:
        library().compile(json.loads(schema.read_text(encoding="utf-8")))(document)
    except library().JsonSchemaException as error:
        return [str(error)]
    return []


def time_errors(report):
    """Sentences about times that no process can have spent in the run, in so many threads at most. A clock may go back:
    then none is judged."""
    most = MOST_THREADS * (report["elapsed_s"] or 0) + LONGEST_START
    times = {f"totals.{name}": report["totals"][name] for name in ("time_by_rank_s", "setup_by_rank_s")}
    for i, graph in enumerate(report["graphs"]):
        times[f"graphs.{i}.setup_s"] = graph["setup_s"]
        for j, operation in enumerate(graph["operations"]):
            here = f"graphs.{i}.operations.{j}"
            times[f"{here}.time_s"] = operation["time_s"]
            for each in operation["call_sites"]:
                times[f"{here}.call_sites"] = each["time_s"]
    for path, time in times.items():
        if report["elapsed_s"] and time["max"] > most:
            yield f"{path}: {time['max']} s in a run of {report['elapsed_s']} s"


def meaning_errors(report):
    """Sentences about fields that contradict each other. The report has the right shape."""
    errors = []
    calls = {"accelerated": 0, "native": 0}
    sums = {"messages": 0, "messages_trivial": 0, "bytes_saved": 0, "process_calls": 0, "bytes": 0, "payload_bytes": 0,
            "compared": 0, "differences": 0, "staged_calls": 0, "staged_bytes": 0, "staged_ns": 0}
    for i, graph in enumerate(report["graphs"]):
        path = f"graphs.{i}"
        if graph["isomorphic"] != (graph["grid"] is not None):
            errors.append(f"{path}: isomorphic {graph['isomorphic']}, grid {graph['grid']}")
        if graph["isomorphic"] and graph["declined"]:
            errors.append(f"{path}: isomorphic, and declined: {graph['declined']}")
        for trial in graph["trials"]:
            if trial["time_s"] <= 0 or 0 < report["elapsed_s"] < trial["time_s"]:  # 0: a clock that went back
                errors.append(f"{path}.trials: no call of the run took {trial['time_s']} s")
        for alone in graph["alone"]:
            if not any((each["function"], each["algorithm"]) == (alone["function"], alone["algorithm"])
                       for each in graph["operations"]):
                errors.append(f"{path}.alone: {alone['function']} was never carried by {alone['algorithm']}")
        for j, operation in enumerate(graph["operations"]):
            here = f"{path}.operations.{j}"
            if operation["time_s"]["mean"] > operation["time_s"]["max"] * (1 + 1e-6):
                errors.append(f"{here}.time_s: mean above max")
            if not operation["calls"] <= operation["process_calls"] <= operation["calls"] * operation["ranks"]:
                errors.append(f"{here}.process_calls: {operation['process_calls']} of {operation['calls']} calls")
            if operation["calls"] == 0:
                errors.append(f"{here}: never called")
            if operation["messages"] == 0 and operation["bytes"] > 0:
                errors.append(f"{here}.bytes: {operation['bytes']} in no message")
            if not operation["staged_calls"] <= operation["process_calls"]:
                errors.append(f"{here}.staged_calls: {operation['staged_calls']} of {operation['process_calls']} calls")
            if operation["differences"] > operation["compared"]:
                errors.append(f"{here}.differences: {operation['differences']} of {operation['compared']} calls")
            sizes = operation["block_sizes"]
            if sizes and sum(each["calls"] for each in sizes) < operation["calls"]:
                errors.append(f"{here}.block_sizes: {sizes} of {operation['calls']} calls")
            timed = sum(each["calls"] for each in operation["durations"])
            has_request = re.search(r"^MPI_I[a-z]|_init(_c)?$", operation["function"])
            if timed > (0 if has_request else operation["process_calls"]):
                errors.append(f"{here}.durations: {timed} of {operation['process_calls']} calls")
            calls["native" if operation["algorithm"] == "native" else "accelerated"] += operation["calls"]
            for name in sums:
                sums[name] += operation[name]
    errors += time_errors(report)
    totals = report["totals"]
    parts = report["efficiency"]
    if parts and abs(parts["parallel"] - parts["load_balance"] * parts["communication"]) > 1e-6:
        errors.append(f"efficiency: {parts['parallel']} is not load_balance * communication")
    gain = report["gain"]
    saved = gain["saved_s"]
    if saved is not None and abs(gain["calls_s"] - gain["trials_s"] - gain["setup_s"] - saved) > 1e-9:
        errors.append(f"gain: {saved} is not calls_s - trials_s - setup_s")
    for name, end in (("earliest", "max"), ("slowest", "min")):
        if report[name] and abs(report[name]["time_s"] - totals["time_by_rank_s"][end]) > 1e-9:
            errors.append(f"{name}: {report[name]['time_s']} s is not the {end} of totals.time_by_rank_s")
    if totals["calls"] != totals["accelerated"] + totals["native"]:
        errors.append(f"totals.calls: {totals['calls']} is not accelerated + native")
    for name, count in {**calls, **sums}.items():
        if totals[name] != count:
            errors.append(f"totals.{name}: {totals[name]}, but the operations sum up to {count}")
    return errors


def check(report, module=None):
    """Errors of a report, as sentences. `module`: the compiled schema."""
    return shape_errors(report, module=module) or meaning_errors(report)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--compile"]:
        compile_schema(sys.argv[2])
        sys.exit()
    status = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            for error in check(json.load(file)):
                print(f"{name}: {error}")
                status = 1
    sys.exit(status)
