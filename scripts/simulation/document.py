# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The contents of docs/simulation.md: its figures, and the tables between its markers."""

import itertools
import math
import re

import congestion
import figures
from experiments import WAYS

STENCILS = ((3, 3), (3, 5), (5, 3), (5, 5))
HYDRA, TITAN = ("omnipath", 1152), ("gemini", 16384)
SIZES = (1, 10, 100)
ALL_SIZES = tuple(base * 10**power for power in range(5) for base in (1, 2, 5)) + (100000,)
FINE_SIZES = tuple(sorted({round(1.1**i) for i in range(1, 97)}))
ASSUMED = {"latency": 0.5e-6, "send_overhead": 0.4e-6, "receive_overhead": 0.6e-6, "gap_per_byte": 1e-10,
           "node_latency": 0.15e-6, "node_overhead": 0.05e-6, "copy_per_byte": 1.25e-10}  # schedules/plan/cost.hpp
VARIANTS = {"mean of those measured": {}, "most frequent": {"send_overhead": 0.25e-6, "receive_overhead": 1.0e-6},
            "a fast network": {"send_overhead": 0.33e-6, "receive_overhead": 0.33e-6, "latency": 0.5e-6},
            "slow hand-over": {"node_overhead": 0.1e-6, "node_latency": 0.3e-6}, "assumed by auto": ASSUMED}
CLEARLY_FASTER = 0.95  # than the predicted algorithm: schedules/selection/trial.cpp
HEADER_INTS = 1  # per block, in messages that give the sizes of their blocks


def modelled(store, machine, stencil, way, operation="alltoall"):
    """All sizes and variants at once: planning takes longer than the formula."""
    every = sorted({*SIZES, *ALL_SIZES, *FINE_SIZES})
    return store.model(*machine, stencil, operation, every, way, tuple(VARIANTS.values()))


def seconds(store, machine, stencil, sizes=SIZES, operation="alltoall", variant="mean of those measured"):
    """{ints: {way: seconds}} by the cost model."""
    column = list(VARIANTS).index(variant)
    result = {size: {} for size in sizes}
    for way in WAYS:
        found = modelled(store, machine, stencil, way, operation)
        for size in sizes if found else ():
            result[size][way] = found["seconds"][size][column]
    return result


def mean_blocks(stencil):
    """Sizes of alltoallv in the paper: blocks of m (d - z) ints for offsets with z non-zero shifts. In multiples of m,
    the mean over the blocks, and over all their hops."""
    d, n = stencil
    hops = [sum(shift != 0 for shift in offset) for offset in itertools.product(range(-1, n - 1), repeat=d)]
    hops = [z for z in hops if z > 0]
    return sum(d - z for z in hops) / len(hops), sum(z * (d - z) for z in hops) / sum(hops)


def seconds_of_v(store, machine, stencil):
    per_block, per_hop = mean_blocks(stencil)
    result = {size: {} for size in SIZES}
    for way in WAYS:
        ints = [round(size * (per_hop if way == "combining" else per_block), 4) for size in SIZES]
        if way not in ("direct", "trivial"):
            ints = [value + HEADER_INTS for value in ints]
        found = store.model(*machine, stencil, "alltoall", ints, way)
        for size, value in zip(SIZES, ints):
            result[size][way] = found["seconds"][float(f"{value:g}")][0]
    return result


def groups(times):
    return {f"m = {size}": by_way for size, by_way in times.items() if by_way}


def draw(folder, store):
    folder.mkdir(exist_ok=True)
    for number, machine, name in ((3, HYDRA, "36 × 32 processes, Omni-Path"),
                                  (4, ("omnipath", 1024), "32 × 32 processes, Omni-Path"),
                                  (5, TITAN, "1024 × 16 processes, Gemini")):
        panels = {f"d = {d}, n = {n}": groups(seconds(store, machine, (d, n))) for d, n in STENCILS}
        (folder / f"simulated-{number}.svg").write_text(
            figures.chart(f"alltoall, relative to direct; {name}", panels, WAYS), encoding="utf-8")
    panels = {}
    for machine, name in ((HYDRA, "Omni-Path"), (TITAN, "Gemini")):
        panels[f"allgather, {name}"] = groups(seconds(store, machine, (5, 5), operation="allgather"))
    for machine, name in ((HYDRA, "Omni-Path"), (TITAN, "Gemini")):
        panels[f"alltoallv, {name}"] = groups(seconds_of_v(store, machine, (5, 5)))
    (folder / "simulated-6.svg").write_text(
        figures.chart("allgather and alltoallv, d = 5, n = 5, relative to direct", panels, WAYS), encoding="utf-8")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def microseconds(value):
    return f"{1e6 * value:.3g}" if value < 1e-3 else f"{1e6 * value:.0f}"


def better(times):
    return min(times["direct"], times["combining"])


def gains(store):
    rows = []
    for machine, name in ((HYDRA, "Omni-Path"), (TITAN, "Gemini")):
        for stencil in STENCILS:
            for size, times in seconds(store, machine, stencil).items():
                rows.append([name, f"{stencil[0]}, {stencil[1]}", str(size),
                             *(microseconds(times[way]) for way in WAYS), f"{times['direct'] / times['combining']:.2f}",
                             f"{better(times) / times['aggregated']:.2f}"])
    return table(["machine", "d, n", "ints", *WAYS, "combining", "aggregated"], rows)


def messages(store):
    rows = []
    for machine, name in ((HYDRA, "Omni-Path"), (TITAN, "Gemini")):
        for stencil in STENCILS:
            found = {way: modelled(store, machine, stencil, way) for way in WAYS if way != "trivial"}
            rows.append([name, f"{stencil[0]}, {stencil[1]}", str(found["direct"]["neighbor_nodes"]),
                         *(str(entry["leaving"]) for entry in found.values())])
    return table(["machine", "d, n", "neighboring nodes", *(way for way in WAYS if way != "trivial")], rows)


# The cases that SMPI can compute in minutes: the more flows share a link at once, the longer it takes.
AGREEMENT = (("omnipath", 256, (3, 3), (1, 10, 100, 1000, 10000)), ("omnipath", 256, (3, 5), (1, 10)),
             ("omnipath", 256, (5, 3), (1, 10)), ("gemini", 256, (3, 3), (1, 10, 100)),
             ("omnipath", 1152, (3, 3), (1,)), ("omnipath", 1152, (3, 5), (1,)))


def agreement(store):
    rows = []
    ratios = []
    choices = []
    for platform, processes, stencil, sizes in AGREEMENT:
        simulated = {way: store.smpi(platform, processes, stencil, "alltoall", sizes, way) for way in WAYS}
        by_model = seconds(store, (platform, processes), stencil, sizes)
        for size in sizes:
            cells = []
            for way, found in simulated.items():
                if found is None:
                    cells.append("–")
                    continue
                ratios.append(by_model[size][way] / found["seconds"][size][0])
                cells.append(f"{microseconds(found['seconds'][size][0])} ({ratios[-1]:.2f})")
            rows.append([platform, str(processes), f"{stencil[0]}, {stencil[1]}", str(size), *cells])
            if all(simulated.values()):
                times = {way: found["seconds"][size][0] for way, found in simulated.items()}
                choices.append(min(times.values()) / times[min(by_model[size], key=by_model[size].get)])
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")
    return table(["platform", "processes", "d, n", "ints", *WAYS], rows) + (
        f"\n\n{len(ratios)} cases: the time by the model is {min(ratios, default=0):.2f} to "
        f"{max(ratios, default=0):.2f} of the time by SMPI, {mean:.2f} in the mean. The fastest algorithm\nby the "
        f"model has {min(choices, default=0):.2f} of the speed of the fastest by SMPI, or more.")


def crossing(times, way, other):
    """Largest size at which `way` is not slower than `other`."""
    sizes = [size for size, by_way in times.items() if by_way[way] <= by_way[other]]
    return max(sizes) if sizes else 0


def cutoffs(store):
    ratio = {(3, 3): 54, (3, 5): 300, (5, 3): 810, (5, 5): 12500}
    rows = []
    for machine, name in ((HYDRA, "Omni-Path"), (TITAN, "Gemini")):
        numbers = store.platforms[machine[0]].numbers
        alpha = numbers["send_overhead"] + numbers["receive_overhead"]
        for (d, n), volume in ratio.items():
            t, c = n**d - 1, d * (n - 1)
            formula = alpha / (numbers["gap_per_byte"] * machine_share(numbers)) * (t - c) / (volume - t) / 4
            times = seconds(store, machine, (d, n), FINE_SIZES)
            rows.append([name, f"{d}, {n}", f"{(t - c) / (volume - t):.3f}", f"{formula:.0f}",
                         str(crossing(times, "combining", "direct")), str(crossing(times, "aggregated", "direct"))])
    return table(["machine", "d, n", "(t−C)/(V−t)", "formula", "combining", "aggregated"], rows)


def machine_share(numbers):
    """The interface of a node is shared by its processes: the gap of one of them."""
    return numbers["processes_per_node"]


def chosen(store, machine, stencil):
    """The way `auto` takes at each size by the rules of the library; members of the family count as the paper's."""
    choices = store.choices(*machine, stencil, ASSUMED)
    return {size: next(way for last, way in choices if 4 * size <= last) for size in ALL_SIZES}


def worst_choice(times, ways):
    """The worst ratio of the fastest way's time to that of the chosen one, and its size."""
    return min((min(times[size].values()) / times[size][ways[size]], size) for size in times)


def tried(times, ways):
    """The way that `auto` keeps after it has tried them all, by the rule of schedules/selection/trial.cpp. The size is
    that of the first calls."""
    result = {}
    for size, way in ways.items():
        fastest = min(times[size], key=times[size].get)
        result[size] = fastest if times[size][fastest] < CLEARLY_FASTER * times[size][way] else way
    return result


def choice(store):
    rows = []
    for machine, name in ((HYDRA, "Omni-Path"), (TITAN, "Gemini")):
        for stencil in STENCILS:
            ways = chosen(store, machine, stencil)
            times = seconds(store, machine, stencil, ALL_SIZES)
            worst, where = worst_choice(times, ways)
            worst_tried, _ = worst_choice(times, tried(times, ways))
            limit = max((size for size in ALL_SIZES if ways[size] == "aggregated"), default=0)
            last = max((size for size in ALL_SIZES if min(times[size], key=times[size].get) == "aggregated"), default=0)
            rows.append([name, f"{stencil[0]}, {stencil[1]}", str(limit), str(last), f"{worst:.2f}", str(where),
                         f"{worst_tried:.2f}"])
    return table(["machine", "d, n", "aggregates up to", "fastest up to", "worst", "at", "worst after trials"], rows)


def sensitivity(store):
    rows = []
    for name in VARIANTS:
        for stencil in ((3, 3), (3, 5)):
            for size, times in seconds(store, HYDRA, stencil, variant=name).items():
                rows.append([name, f"{stencil[0]}, {stencil[1]}", str(size),
                             f"{times['direct'] / times['combining']:.2f}",
                             f"{better(times) / times['aggregated']:.2f}"])
    return table(["overheads", "d, n", "ints", "combining", "aggregated"], rows)


REDUCING = ("direct", "combining", "aggregated", "reducing")


def reductions(store):
    """One value for the whole neighborhood: blocks that are exchanged and then folded, or folded on their way."""
    rows = []
    for stencil in ((3, 3), (3, 5), (5, 3)):
        times = {way: modelled(store, HYDRA, stencil, way, "allgather")["seconds"] for way in REDUCING}
        for size in SIZES:
            by_way = {way: found[size][0] for way, found in times.items()}
            simulated = {way: store.smpi(*HYDRA, stencil, "allgather", (1,), way) for way in ("direct", "reducing")
                         } if size == 1 and stencil[0] == 3 else {}
            gain = f"{by_way['direct'] / by_way['reducing']:.1f}"
            if simulated and all(simulated.values()):
                gain += f" ({simulated['direct']['seconds'][1][0] / simulated['reducing']['seconds'][1][0]:.1f})"
            rows.append([f"{stencil[0]}, {stencil[1]}", str(size), *(microseconds(time) for time in by_way.values()),
                         gain])
    return table(["d, n", "ints", *REDUCING, "reducing"], rows)


MAPPED = (("omnipath", 64, (3, 3)), ("omnipath", 64, (3, 5)), ("omnipath", 64, (2, 3)), ("gemini", 16, (3, 3)),
          ("gemini", 16, (3, 5)), ("gemini", 16, (2, 3)))
MAPPED_SIZES = (1, 10, 100, 1000, 10000)
MAPPED_WAYS = ("direct", "aggregated")
SMPI_MESSAGES = 40000  # messages of more than a few ints, at once, that it can simulate in minutes
RANKS = ("consecutive", "mapped")


def gain_by_smpi(store, machine, stencil, size):
    d, n = stencil
    if n > 3 or (size > 10 and machine[1] * (n**d - 1) > SMPI_MESSAGES):
        return "–"
    found = [store.smpi(*machine, stencil, "alltoall", (size,), "direct", ranks) for ranks in RANKS]
    return f"{found[0]['seconds'][size][0] / found[1]['seconds'][size][0]:.2f}" if all(found) else "–"


def mapping(store):
    """64 nodes with consecutive ranks, and with ranks mapped to nodes."""
    rows = []
    for name, per_node, stencil in MAPPED:
        machine = (store.resized(name, 64, per_node), 64 * per_node)
        found = {(way, ranks): store.model(*machine, stencil, "alltoall", MAPPED_SIZES, way, ranks=ranks)
                 for way in MAPPED_WAYS for ranks in RANKS}
        edges = [str(found["direct", ranks]["most_edges"]) for ranks in RANKS]
        for size in MAPPED_SIZES:
            row = [name, f"64 x {per_node}", f"{stencil[0]}, {stencil[1]}", " → ".join(edges), str(size)]
            for way in MAPPED_WAYS:
                before, after = (found[way, ranks]["seconds"][size][0] for ranks in RANKS)
                row += [f"{microseconds(before)} → {microseconds(after)}", f"{before / after:.2f}"]
                row += [gain_by_smpi(store, machine, stencil, size)] if way == "direct" else []
            rows.append(row)
    return table(["machine", "nodes", "d, n", "of a node", "ints", "direct", "gain", "by SMPI", "aggregated",
                  "gain"], rows)


LONG = {"send_overhead": 0.1e-6, "receive_overhead": 0.1e-6, "latency": 5e-6}
FAMILY_NETWORKS = (("Omni-Path", "omnipath", {}), ("Gemini", "gemini", {}), ("long", "omnipath", LONG))
FAMILY_STENCILS = (((3, 3), 1728), ((3, 5), 1728), ((5, 3), 7776), ((5, 5), 7776))  # on 12^3 and 6^5 processes
FAMILY_SIZES = (1, 10, 100, 250, 1000)


def family(store):
    """The best member of the family against the better of direct and the paper's schedule, and the library's choice
    against the paper's; nodes of several sizes."""
    rows = []
    for name, platform, changes in FAMILY_NETWORKS:
        all_processes = store.platforms[platform].per_node
        for stencil, processes in FAMILY_STENCILS:
            for size in FAMILY_SIZES:
                row, choices = [name, f"{stencil[0]}, {stencil[1]}", str(4 * size)], []
                for per_node in (1, 2, 8, all_processes):
                    machine = (store.resized(platform, -(-processes // per_node), per_node), processes)
                    direct, paper, members = (store.model(*machine, stencil, "alltoall", FAMILY_SIZES, way, (changes,))
                                              for way in ("direct", "combining", "family"))
                    today = min(direct["seconds"][size][0], paper["seconds"][size][0])
                    groups, best, chosen = members["members"][size, 0]
                    row += [f"{today / best:.2f}"] if per_node > 1 else [groups, microseconds(best),
                                                                         f"{today / best:.2f}"]
                    choices.append(f"{paper['seconds'][size][0] / chosen:.2f}")
                rows.append(row + choices)
    return table(["network", "d, n", "bytes", "fastest member", "µs", "gain", "2", "8", "all", "choice", "2", "8",
                  "all"], rows)


TABLES = {"gains": gains, "messages": messages, "agreement": agreement, "cutoffs": cutoffs, "choice": choice,
          "sensitivity": sensitivity, "reductions": reductions, "mapping": mapping, "family": family,
          "loaded cutoffs": lambda store: congestion.cutoffs(store, table),
          "loaded gains": lambda store: congestion.gains(store, table, microseconds),
          "loaded choice": lambda store: congestion.automatic(store, table),
          "flows": lambda store: congestion.flows(store, table),
          "late": lambda store: congestion.late(store, table, microseconds)}


def write(docs, store):
    draw(docs / "figures", store)
    path = docs / "simulation.md"
    page = path.read_text(encoding="utf-8")
    for name, make in TABLES.items():
        page = re.sub(rf"(<!-- simulated: {name} -->\n).*?(<!-- end -->)",
                      lambda match, make=make: f"{match[1]}{make(store)}\n{match[2]}", page, flags=re.DOTALL)
    path.write_text(page, encoding="utf-8")
