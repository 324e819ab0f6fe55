# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""A measurement, or two side by side, as text."""

from hopscotch_tool.measuring import figures
from hopscotch_tool.units import seconds_text
from hopscotch_tool.verdict import gain, times

MODE = {"together": "back to back", "apart": "one by one, after a barrier"}
LEFT_OUT_NAMED = 12


def where(case):
    """On which processes, in words; nothing for all."""
    if case["on"].startswith("nodes:"):
        number = case["on"].partition(":")[2]
        return f", {number} node" + "s" * (number != "1")
    return {"half": ", half of each node", "one": ", one of each node"}.get(case["on"], "")


def aligned(rows):
    """Lines; the first column begins at the left."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths))).rstrip() for row in rows]


def bytes_text(number):
    return f"{number // 1024} KiB" if number >= 1024 and number % 1024 == 0 else f"{number} B"


def microseconds(value):
    return seconds_text(value * 1e-6)


def times_text(spread):
    return (f"{seconds_text(spread['median'])} ({seconds_text(spread['low'])}-{seconds_text(spread['high'])}, "
            f"{spread['samples']} samples)")


def progress_heads():
    return f"{'left':>6}  {'case':38} {'native':>8} {'auto':>8} {'times as fast':>13}  best other"


def progress_line(case, left):
    """A row of the table that is shown while it is measured."""
    native, auto = figures.way_in(case, "native"), figures.way_in(case, "auto")
    best, _ = figures.best_other(case)
    what = f"{case['stencil']} {case['function']} {bytes_text(case['block_bytes'])}" + (
        ", apart" if case["mode"] == "apart" else "") + where(case)
    if not (native and auto and best):
        return f"{max(left, 0):5.0f}s  {what:38}"
    return (f"{max(left, 0):5.0f}s  {what:38} {microseconds(native['median_us']):>8} "
            f"{microseconds(auto['median_us']):>8} {times(auto['ratio_median']):>13}  "
            f"{best['way']} {microseconds(best['median_us'])}")


def machine_lines(document):
    machine = document["machine"]
    yield f"MPI library  {machine['mpi_name']} {machine['mpi_device']}".rstrip()
    yield (f"processes    {machine['ranks']:.0f} on {machine['nodes']:.0f} node(s) of {machine['cores_online']:.0f} "
           f"cores and {machine['numa_nodes']:.0f} NUMA node(s); {machine['unpinned_ranks']:.0f} ranks not pinned")
    yield (f"machine      {machine['processor'] or 'unknown processor'}, {machine['kernel']}, clock "
           f"{machine['clock_source'] or 'unknown'}, Yama {machine['yama_ptrace_scope'] or 'not there'}"
           + (", virtual" if machine["virtual"] else ""))
    for network in document["networks"]:
        large = network["half_round_trip_of_1_mib_s"]["median"]
        yield (f"{network['where']:16} 8 B: {times_text(network['half_round_trip_s'])}; overheads "
               f"{seconds_text(network['send_overhead_s'])} and {seconds_text(network['receive_overhead_s'])}; 1 MiB: "
               f"{(1 << 20) / large / 1e9:.1f} GB/s")


def gain_tables(cases):
    """How many times as fast `auto` is: a table for each mode and place, a row for each function and stencil, a column
    for each size."""
    for (mode, on), group in figures.grouped(cases, "mode", "on"):
        sizes = sorted({case["block_bytes"] for case in group})
        rows = [["function, stencil", *map(bytes_text, sizes)]]
        for (function, stencil), some in figures.grouped(group, "function", "stencil"):
            cells = {case["block_bytes"]: figures.way_in(case, "auto") for case in some}
            rows.append([f"{function} {stencil}", *(
                f"{times(way['ratio_median'])} ({times(way['ratio_low'])}-{times(way['ratio_high'])})"
                if (way := cells.get(size)) and "ratio_median" in way else "" for size in sizes)])
        processes = "" if on == "all" else f" ({group[0]['processes']} processes)"
        samples = group[0]["ways"][0]["samples"]
        yield (f"how many times as fast as native auto is, {MODE[mode]}{where(group[0])}{processes}: medians "
               f"(quartiles) of {samples} samples")
        yield from aligned(rows)
        yield ""


def model_lines(model):
    if not model or not model["factor"]:
        why = (model or {}).get("not_predicted") or "nothing that it predicts was measured"
        yield f"the model was not compared: {why}"
        return
    worst = model["worst"]
    yield (f"the model is off by a factor of {model['factor']:.2f} (geometric mean of {model['predictions']} figures); "
           f"most for {worst['way']}, {worst['function']} {worst['stencil']}, {bytes_text(worst['block_bytes'])}: "
           f"{microseconds(worst['predicted_us'])} predicted, {microseconds(worst['measured_us'])} measured")
    used, assumed = model["used"], model["assumed"]
    yield "of the network      measured, or else assumed    assumed by auto"
    for name, value in assumed.items():
        yield f"  {name:16}  {used[name]:24.3g}  {value:17.3g}"


def left_out_lines(left_out):
    """Of a long list the beginning; the file has all."""
    for entry in left_out[:LEFT_OUT_NAMED]:
        yield f"left out: {entry['what']}: {entry['why']}"
    if len(left_out) > LEFT_OUT_NAMED:
        yield f"left out: {len(left_out) - LEFT_OUT_NAMED} more, all in measure.json"


def lines(document):
    """All of a measurement."""
    yield document["verdict"]
    if not document["complete"]:
        yield f"PARTIAL: {document['why_partial']}"
    for warning in document["warnings"]:
        yield f"warning: {warning}"
    yield ""
    if not document["machine"]:
        return
    yield from machine_lines(document)
    yield ""
    yield from gain_tables(document["cases"])
    if document["not_best"]:
        yield "where auto was not the best: times as long as the best"
        yield from aligned([["case", "auto", "best", "times"], *(
            [f"{entry['function']} {entry['stencil']} {bytes_text(entry['block_bytes'])}, {MODE[entry['mode']]}"
             f"{where(entry)}", microseconds(entry["auto_us"]), f"{entry['best']} {microseconds(entry['best_us'])}",
             f"{entry['times']:.2f}"]
            for entry in document["not_best"])])
        yield ""
    yield from model_lines(document["model"])
    yield ""
    for entry in document["creation"]:
        yield f"a graph of {entry['neighbors']} neighbors, {entry['way']}: {times_text(entry['graph_s'])}"
    for entry in document["start"]:
        yield f"MPI_Init, {entry['way']}: {times_text(entry['init_s'])}; whole job: {times_text(entry['job_s'])}"
    if document["selftest"]:
        yield f"selftest: {document['selftest']['verdict']}"
    for entry in document["osu"]:
        times = ", ".join(f"{int(size)} B {time:g} us" for size, time in entry["bytes_and_us"])
        yield f"{entry['program']} -N {entry['neighborhood']}, {entry['way']}: {times}"
    yield from left_out_lines(document["left_out"])
    for failure in document["failures"]:
        yield f"failed: {failure['part']}: {failure['text']}"


def comparison(first, second, names):
    """Two measurements side by side."""
    facts = [["", *names]]
    for name in ("mpi_name", "processor", "nodes", "ranks", "cores_online"):
        facts.append([name, *(str(document["machine"].get(name, "")) for document in (first, second))])
    facts.append(["version", first["version"], second["version"]])
    facts.append(["verdict", "", ""])
    yield from aligned(facts)
    for name, document in zip(names, (first, second)):
        yield f"  {name}: {document['verdict']}" + ("" if document["complete"] else " (PARTIAL)")
    others = {figures.identity(case): case for case in second["cases"]}
    rows, ratios = [["case", "auto", "auto", "times as fast", "as native", "as native"]], []
    for case in first["cases"]:
        other = others.get(figures.identity(case))
        ways = [figures.way_in(one, "auto") for one in (case, other) if one]
        if len(ways) < 2 or None in ways or min(way["median_us"] for way in ways) <= 0:
            continue
        one, two = ways
        ratios.append(one["median_us"] / two["median_us"])
        apart = "*" if one["low_us"] > two["high_us"] or two["low_us"] > one["high_us"] else ""
        rows.append([f"{case['function']} {case['stencil']} {bytes_text(case['block_bytes'])}, {case['mode']}",
                     microseconds(one["median_us"]), microseconds(two["median_us"]), f"{times(ratios[-1])}{apart}",
                     times(one.get("ratio_median", 0)), times(two.get("ratio_median", 0))])
    yield ""
    if not ratios:
        yield "no case is in both"
        return
    yield from aligned(rows)
    yield "times as fast: the second as the first; as native: auto of each"
    average = times(figures.geometric_mean(ratios))
    yield (f"the second: {gain(ratios, 'cases in both')}; on geometric average {average}; "
           "*: beyond the quartiles of both")
