# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Ranks mapped to nodes: the same results, and as many edges between nodes as the report says."""

import math

from case import BY_BLOCK, NATIVE, Case, nodes

REORDER = "HOPSCOTCH_REORDER=all"
MADE_BY = {"cart": "MPI_Cart_create", "graph": "MPI_Graph_create", "edges": "MPI_Dist_graph_create",
           "adjacent": "MPI_Dist_graph_create_adjacent"}
TOLD = "LIMIT=reorder"
NO_WARNING = [r"\A(?!(?s:.*)hopscotch.* warning)"]


def cases(facts):
    for kind, dims, periods, machine, edges in (("cart", "4x3", "0x1", 3, 18), ("cart", "2x6", "0x0", 2, 4),
                                                ("cart", "2x4x2", "1x0x1", 4, 24), ("graph", "4x4", "1x1", 4, 80),
                                                ("adjacent", "2x6", "0x0", 2, 8), ("edges", "4x4", "1x1", 4, 80)):
        ranks = math.prod(map(int, dims.split("x")))
        settings = [nodes(machine), BY_BLOCK, REORDER]
        graph = f"graphs.{MADE_BY[kind]}."
        yield Case(f"reordered_{kind}_{dims}", "reordered", ranks, f"{dims} {periods} {kind}", settings=settings,
                   expect=[graph + "reorder~mapped by"])
        yield Case(f"reordered_{kind}_{dims}_counted", "reordered", ranks, f"{dims} {periods} {kind} 20 {edges}",
                   settings=[*settings, TOLD], expect=[graph + f"edges_between_nodes.now={edges}"], alone=True,
                   behind="limiting", stderr=[r"reorder 0", r"\A(?!(?s:.*)reorder 1)"])

    # A grid smaller than the job.
    yield Case("reordered_part", "reordered", 9, "2x4 0x0 cart 20 10",
               settings=[nodes(3), BY_BLOCK, "HOPSCOTCH_REORDER=cart"],
               expect=["graphs.MPI_Cart_create.reorder~mapped by"], alone=True)
    yield Case("reordered_off", "reordered", 12, "2x6 0x0 cart 20 12", settings=[nodes(2), BY_BLOCK],
               expect=["graphs.MPI_Cart_create.reorder~not asked for",
                       "graphs.MPI_Cart_create.edges_between_nodes.now=12",
                       "graphs.MPI_Cart_create.edges_between_nodes.mapped=4", "next_step~HOPSCOTCH_REORDER=all"],
               alone=True)
    yield Case("reordered_graphs_only", "reordered", 12, "2x6 0x0 cart 20 12",
               settings=[nodes(2), BY_BLOCK, "HOPSCOTCH_REORDER=graph"],
               expect=["graphs.MPI_Cart_create.reorder~not asked for"], alone=True)
    yield Case("reordered_native", "reordered", 12, "2x6 0x0 adjacent 2 32",
               settings=[nodes(2), BY_BLOCK, REORDER, NATIVE],
               expect=["graph.reorder~ranks stay: HOPSCOTCH_ALGORITHM=native"], alone=True)
    for kind in "graph", "edges":
        yield Case(f"reordered_not_inferred_{kind}", "reordered", 6, f"2x3 0x0 {kind} 2", alone=True,
                   settings=[nodes(3), REORDER, "HOPSCOTCH_INFER=off"],
                   expect=[f"graphs.{MADE_BY[kind]}.reorder~ranks stay: HOPSCOTCH_INFER=off"])
    yield Case("reordered_one_node", "reordered", 6, "2x3 0x0 adjacent 20 0", settings=[REORDER],
               expect=["graph.reorder~ranks stay: all processes are on one node", "graph.edges_between_nodes=null"],
               quick=True)

    # By weights: rows that are heavy stay, heavy columns become nodes. The sender's weight counts, not the receiver's.
    four = [nodes(4), BY_BLOCK, REORDER]
    for kind in "adjacent", "edges":
        graph = f"graphs.{MADE_BY[kind]}."
        yield Case(f"weighted_rows_{kind}", "weighted", 16, f"heavy 4x4 1 {kind} 24", settings=four,
                   expect=[graph + "reorder~ranks stay: no mapping was found"], alone=True)
        yield Case(f"weighted_columns_{kind}", "weighted", 16, f"heavy 4x4 0 {kind} 24", settings=four,
                   expect=[graph + "reorder~; weight 2400 of edges between nodes before"], alone=True)
    yield Case("weighted_ends", "weighted", 16, "ends 4x4 0 24", settings=four, alone=True)
    for ranks, machine in (6, 2), (8, 3), (12, 4), (24, 3), (36, 6):
        for how, cases in ("random", 25), ("map", 25 if ranks < 20 else 8):
            yield Case(f"weighted_{how}_{ranks}_{machine}", "weighted", ranks, f"{how} {ranks} {cases}",
                       settings=[nodes(machine), REORDER], alone=True, stderr=NO_WARNING)
    for name, settings in ("off", []), ("native", [REORDER, NATIVE]), \
                          ("cart", ["HOPSCOTCH_REORDER=cart"]), ("graph", ["HOPSCOTCH_REORDER=graph"]):
        yield Case(f"weighted_map_{name}", "weighted", 6, "map 1 3", settings=[nodes(2), *settings], alone=True)
    yield Case("weighted_map_device_off", "weighted", 6, "map 1 5", alone=True, behind="aware",
               settings=[nodes(2), REORDER, "HOPSCOTCH_DEVICE=off"])
