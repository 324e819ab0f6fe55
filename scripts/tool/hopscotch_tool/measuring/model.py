# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the cost model of the library predicts from the messages that were measured, and how far it is off."""

import math
import subprocess

from hopscotch_tool import locate
from hopscotch_tool.measuring.figures import digits, grouped

# schedules/plan/cost.hpp: what `auto` assumes before anything is measured.
ASSUMED = {"latency": 0.5e-6, "send_overhead": 0.4e-6, "receive_overhead": 0.6e-6, "gap_per_byte": 1e-10,
           "node_latency": 0.15e-6, "node_overhead": 0.05e-6, "copy_per_byte": 1.25e-10}
WAYS = {"plain": "direct", "trivial": "trivial", "merged": "merged", "combining": "combining",
        "aggregated": "aggregated"}
MOST_PROCESSES = 4096  # planning for more takes too long
PATIENCE = 20.0  # seconds for all sizes of one stencil
LARGE = 1 << 20  # bytes


def one_message(network):
    """Latency without overheads, and seconds for each byte."""
    overheads = network["send_overhead_s"] + network["receive_overhead_s"]
    half = network["half_round_trip_s"]["median"]
    per_byte = (network["half_round_trip_of_1_mib_s"]["median"] - half) / LARGE
    return max(half - overheads, 0.0), max(per_byte, 1e-12)


def parameters(networks):
    """Of the model, from what was measured; where nothing was, as assumed."""
    found = dict(ASSUMED)
    for network in networks:
        latency, per_byte = one_message(network)
        if network["where"] == "between nodes":
            found.update(latency=latency, send_overhead=network["send_overhead_s"],
                         receive_overhead=network["receive_overhead_s"], gap_per_byte=per_byte)
        else:
            found.update(copy_per_byte=network["copy_s_per_byte"], library_latency=latency,
                         library_overhead=(network["send_overhead_s"] + network["receive_overhead_s"]) / 2)
    found.setdefault("library_latency", found["node_latency"])
    found.setdefault("library_overhead", found["node_overhead"])
    return found


def seconds_of(program, machine, cases):
    """{(way, ints): seconds} of cases that differ in ints only."""
    case = cases[0]
    names = [WAYS[way["way"]] for way in case["ways"] if way["way"] in WAYS]
    words = [str(program), machine, str(case["processes"]), str(case["dimensions"]), str(case["values"]),
             case["function"], ",".join(str(one["ints"]) for one in cases), ",".join(dict.fromkeys(names)),
             "consecutive"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          timeout=PATIENCE, check=False)
    rows = [line.split(",") for line in done.stdout.splitlines() if line.startswith("seconds,")]
    return {(row[1], int(row[2])): float(row[3]) for row in rows}


def is_modelled(case):
    return (case["function"] in ("alltoall", "allgather") and case["mode"] == "together" and case["values"] > 1
            and case["on"] == "all" and case["processes"] <= MOST_PROCESSES)


def add_predictions(document):
    """Sets "predicted_us" beside what was measured, and "model" of the document."""
    machine = document["machine"]
    model = {"assumed": ASSUMED, "used": parameters(document["networks"]), "predictions": 0, "factor": None,
             "worst": None, "not_predicted": None}
    document["model"] = model
    if machine["ranks_per_node_least"] != machine["ranks_per_node_most"]:
        model["not_predicted"] = "nodes have different numbers of ranks"
        return
    try:
        program = locate.model_program()
        text = ",".join(f"{name}={value:g}" for name, value in model["used"].items())
        text += f",processes_per_node={machine['ranks_per_node_most']:g}"
        for _, cases in grouped(list(filter(is_modelled, document["cases"])), "dimensions", "values", "function"):
            predicted = seconds_of(program, text, cases)
            for case in cases:
                for way in case["ways"]:
                    if seconds := predicted.get((WAYS.get(way["way"]), case["ints"])):
                        way["predicted_us"] = digits(1e6 * seconds)
    except (locate.Missing, OSError, subprocess.TimeoutExpired, ValueError) as error:
        model["not_predicted"] = f"the cost model did not answer: {error}"
    judge(document)


def judge(document):
    """By what factor the model is off: the geometric mean, and the worst case."""
    model, factors = document["model"], []
    for case in document["cases"]:
        for way in case["ways"]:
            if way.get("predicted_us") and way["median_us"] > 0:
                factors.append((abs(math.log(way["predicted_us"] / way["median_us"])), case, way))
    if not factors:
        return
    _, case, way = max(factors, key=lambda entry: entry[0])
    model["predictions"] = len(factors)
    model["factor"] = round(math.exp(sum(entry[0] for entry in factors) / len(factors)), 3)
    model["worst"] = {"stencil": case["stencil"], "function": case["function"], "block_bytes": case["block_bytes"],
                      "way": way["way"], "measured_us": way["median_us"], "predicted_us": way["predicted_us"]}
