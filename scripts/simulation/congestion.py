# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/simulation.md on networks whose links are shared."""

NETWORKS = ("fat-tree", "fat-tree:2", "fat-tree:4", "dragonfly", "torus")
ALLOCATIONS = ("block", "fragmented:1", "fragmented:2", "fragmented:3")
STENCILS = ((3, 3), (3, 5))
NODES = (32, 64, 128, 256, 512, 1024)
PER_NODE = (32, 1)
SIZES = tuple(2**i for i in range(15))  # ints: 4 B to 64 KiB
FINE = tuple(sorted({round(1.15**i) for i in range(70)} | set(SIZES)))
SHOWN = (1, 16, 256, 16384)
OCEAN = ("ocean", 3)
OCEAN_NODES = (32, 128)


def ways_of(stencil, per_node):
    return ("direct", "merged", "combining", *(("family",) if stencil != OCEAN else ()),
            *(("aggregated",) if per_node > 1 else ()))


def placements():
    return [f"{network}/{allocation}" for network in NETWORKS for allocation in ALLOCATIONS]


def nodes_of(stencil):
    return OCEAN_NODES if stencil == OCEAN else NODES


def times(store, nodes, per_node, stencil, ranks="consecutive"):
    """{placement: {ints: {way: (seconds, member or choice)}}} on nodes like those of Omni-Path."""
    ways = (*ways_of(stencil, per_node), "auto", *(("auto_far",) if stencil != OCEAN else ()))
    return store.loaded("omnipath", nodes, per_node, stencil, FINE, ways, ranks, placements())


def by_allocation(found, network):
    """Of the nodes in order, and of each random allocation."""
    return {allocation: found[f"{network}/{allocation}"] for allocation in ALLOCATIONS}


def cutoff(by_size, ways):
    """Bytes of the largest block for which the best of these ways is as fast as direct and merged messages."""
    pays = [4 * ints for ints, by_way in by_size.items() if min(by_way[way][0] for way in ways if way in by_way)
            <= min(by_way["direct"][0], by_way["merged"][0])]
    return max(pays, default=0)


def bytes_text(count):
    return f"{count / 1024:.3g} KiB" if count >= 1024 else str(count)


def title(stencil):
    return "ocean" if stencil == OCEAN else f"{stencil[0]}, {stencil[1]}"


def span(values):
    low, high = min(values), max(values)
    return f"{low}" if low == high else f"{low}–{high}"


COMBINING, AGGREGATED = ("combining", "family"), ("aggregated",)


def cutoffs(store, table):
    """The smallest and the largest cut-off over the numbers of nodes."""
    rows = []
    for stencil in (*STENCILS, OCEAN):
        for per_node in PER_NODE:
            found = [times(store, nodes, per_node, stencil) for nodes in nodes_of(stencil)]
            for ways in (COMBINING, *((AGGREGATED,) if per_node > 1 else ())):
                for allocations, name in ((ALLOCATIONS[:1], "in order"), (ALLOCATIONS[1:], "random")):
                    cells = [span([cutoff(one[f"{network}/{allocation}"], ways) for one in found
                                   for allocation in allocations]) for network in NETWORKS]
                    rows.append([title(stencil), str(per_node), ways[0], name, *cells])
    return table(["d, n", "per node", "way", "places", *NETWORKS], rows)


def gain(by_way, ways):
    direct = min(by_way["direct"][0], by_way["merged"][0])
    return f"{direct / min(by_way[way][0] for way in ways if way in by_way):.2f}"


def gains(store, table, microseconds):
    """Of combining and of aggregated messages over direct or merged ones, on the most nodes."""
    rows = []
    for stencil in (*STENCILS, OCEAN):
        for per_node in PER_NODE:
            nodes = nodes_of(stencil)[-1]
            found = times(store, nodes, per_node, stencil)
            for network in NETWORKS:
                for allocation in ALLOCATIONS[:2]:
                    by_size = found[f"{network}/{allocation}"]
                    cells = []
                    for ints in SHOWN:
                        by_way = by_size[ints]
                        cells.append(f"{microseconds(by_way['direct'][0])}: {gain(by_way, COMBINING)}"
                                     + (f", {gain(by_way, AGGREGATED)}" if per_node > 1 else ""))
                    rows.append([title(stencil), str(per_node), network,
                                 "in order" if allocation == "block" else "random", *cells])
    return table(["d, n", "per node", "network", "places", *(bytes_text(4 * ints) for ints in SHOWN)], rows)


def automatic(store, table):
    """The worst speed of the choice of `auto` over all sizes, numbers of nodes and allocations."""
    rows = []
    for stencil in STENCILS:
        for per_node in PER_NODE:
            found = {(ranks, nodes): times(store, nodes, per_node, stencil, ranks)
                     for ranks in ("consecutive", "mapped") for nodes in NODES}
            for network in NETWORKS:
                cells = []
                for choice in ("auto", "auto_far"):
                    worst, cases, low = (1.0, 0), 0, 0
                    for one in found.values():
                        for by_size in by_allocation(one, network).values():
                            for ints in SIZES:
                                by_way = by_size[ints]
                                if by_way[choice][1] == "merged":  # merged in place of direct ones: see the page
                                    by_way = {**by_way, "direct": by_way["merged"]}
                                best = min(time for way, (time, _) in by_way.items() if not way.startswith("auto"))
                                ratio = best / by_way[choice][0]
                                cases += 1
                                low += ratio < 0.87
                                worst = min(worst, (ratio, 4 * ints))
                    cells += [f"{worst[0]:.2f}", bytes_text(worst[1]), f"{low} of {cases}"]
                rows.append([title(stencil), str(per_node), network, *cells])
    return table(["d, n", "per node", "network", "worst", "at", "below 0.87", "far: worst", "at",
                  "below 0.87"], rows)


FLOWS = tuple((nodes, per_node, stencil, network, allocation)
              for network, allocation in (("fat-tree", "block"), ("fat-tree:2", "fragmented:1"),
                                          ("fat-tree:4", "block"), ("dragonfly", "block"), ("torus", "block"))
              for nodes, per_node, stencil in ((64, 8, (3, 3)), (256, 1, (3, 3)), (256, 8, (3, 3)), (64, 8, (3, 5))))


def flows(store, table):
    """The busiest links against the flows of SimGrid."""
    rows, ratios = [], []
    for nodes, per_node, stencil, network, allocation in FLOWS:
        found = store.flows(nodes, per_node, stencil, ("merged", "combining"), network, allocation)
        cells = []
        for way in ("merged", "combining"):
            if way not in found:
                cells.append("–")
                continue
            by_links, by_flows = found[way]
            ratios.append(by_links / by_flows)
            cells.append(f"{by_flows:.0f} ({ratios[-1]:.2f})")
        rows.append([network, allocation, f"{nodes} x {per_node}", title(stencil), *cells])
    return table(["network", "places", "nodes", "d, n", "merged", "combining"], rows) + (
        f"\n\n{len(ratios)} cases: the time of the busiest links is {min(ratios, default=0):.2f} to "
        f"{max(ratios, default=0):.2f} of the time of the flows.")


LOST_SHARE = 0.0069  # of the time of a process, docs/records/cores-16.json: machine.lost_share_mean
DELAYS = {0.0: "none", 1.0: "in every iteration", 0.01: "in one of 100"}


def late(store, table, microseconds):
    """The gains that remain if processes come late."""
    rows = []
    ways = ("direct", "combining", "aggregated")
    found = store.late("omnipath", 64, 32, (3, 3), (1, 100), ways, LOST_SHARE)
    for (ints, compute, probability), by_way in sorted(found.items()):
        program = [(compute + by_way["direct"]) / (compute + by_way[way]) for way in ways[1:]]
        rows.append([str(4 * ints), f"{1e3 * compute:g} ms" if compute else "–", DELAYS[probability],
                     *(microseconds(by_way[way]) for way in ways),
                     *(f"{by_way['direct'] / by_way[way]:.2f}" for way in ways[1:]),
                     *(f"{value:.2f}" for value in program)])
    return table(["bytes", "computes", "delays", *ways, "combining", "aggregated", "program", "program"], rows)
