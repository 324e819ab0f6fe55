# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""MPI_Allgather among all processes of a communicator with a topology."""

import itertools

from case import AGGREGATED, BY_BLOCK, COMBINING, MERGED, VERIFY, Case, algorithm, nodes

AMONG_ALL = "graphs.MPI_Cart_create.operations.MPI_Allgather."


def random_cases():
    seeds = itertools.count(99)
    for ranks, number in ((1, 20), (2, 15), (3, 15), (4, 15), (5, 12), (6, 10), (7, 8), (8, 8), (9, 6), (12, 5),
                          (16, 4), (18, 3), (24, 3), (27, 3), (36, 2)):
        ways = {"combining": [COMBINING]}
        if ranks in (2, 4, 9, 12):
            ways.update({"auto": [], "nodes": [COMBINING, nodes(2)], "auto_nodes": [nodes(2)], "verify": [VERIFY],
                         "verify_combining": [COMBINING, VERIFY]})
        for name, settings in ways.items():
            yield Case(f"global_{name}_{ranks}", "global", ranks, f"random {next(seeds)} {number}", settings=settings,
                       expect=["totals.compared>0"] if VERIFY in settings else [], alone=True,
                       quick=(name, ranks) == ("combining", 4))
    for ranks, on, number in ((3, 2, 15), (4, 2, 15), (7, 3, 8), (9, 4, 6), (12, 4, 5), (18, 8, 3)):
        for name, settings in ("in_turn", [nodes(on)]), ("by_block", [nodes(on), BY_BLOCK]):
            yield Case(f"global_aggregated_{name}_{ranks}", "global", ranks, f"random {next(seeds)} {number}",
                       settings=[AGGREGATED, *settings], alone=True)


def cases(facts):
    yield from random_cases()

    # Twice 3 processes in each of three dimensions: 6 messages, that carry the 26 blocks of the others once each.
    yield Case("global_grid", "global", 27, "grid 3 100 5", settings=[COMBINING],
               expect=[AMONG_ALL + "algorithm=combining", AMONG_ALL + "messages=810", AMONG_ALL + "bytes=351000",
                       AMONG_ALL + "messages_trivial=3510", AMONG_ALL + "calls=5", "totals.calls=5"])
    yield Case("global_shared", "global", 9, "grid 2 100 5",
               expect=[AMONG_ALL + "algorithm=shared", AMONG_ALL + "messages=0", AMONG_ALL + "bytes=0",
                       AMONG_ALL + "payload_bytes=36000"])
    # Pretends that each process has a core.
    yield Case("global_many_cores", "global", 36, "grid 2 100 2", settings=["HOPSCOTCH_YIELD=never"],
               expect=[AMONG_ALL + "algorithm=native", AMONG_ALL + "reason~fewer messages"])
    yield Case("global_too_large", "global", 4, "grid 2 500000 2", settings=["HOPSCOTCH_ONE_COPY=off"],
               expect=[AMONG_ALL + "algorithm=native", AMONG_ALL + "reason~do not fit"])
    yield Case("global_merged", "global", 4, "grid 2 100 2", settings=[MERGED],
               expect=[AMONG_ALL + "algorithm=native", AMONG_ALL + "reason~shared and aggregated only"])
    yield Case("global_alone", "global", 4, "grid 2 100 2",
               settings=["HOPSCOTCH_ALGORITHM=alltoall=native,global_allgather=combining"],
               expect=[AMONG_ALL + "algorithm=combining"])
    # Three nodes of nine processes: each node sends its blocks to both others at once.
    yield Case("global_aggregated", "global", 27, "grid 3 100 5", settings=[AGGREGATED, nodes(3)],
               expect=[AMONG_ALL + "algorithm=aggregated", AMONG_ALL + "messages=30"])
    # Sixteen nodes, one of them with a single process: four messages one after the other.
    yield Case("global_aggregated_uneven", "global", 31, "grid 2 100 5", settings=[AGGREGATED, nodes(16)],
               expect=[AMONG_ALL + "algorithm=aggregated", AMONG_ALL + "messages=320"])
    yield Case("global_aggregated_auto", "global", 12, "grid 2 100 5", settings=[nodes(4)],
               expect=[AMONG_ALL + "algorithm=aggregated"])
    yield Case("global_aggregated_one_node", "global", 4, "grid 2 100 2", settings=[AGGREGATED],
               expect=[AMONG_ALL + "algorithm=shared", AMONG_ALL + "reason~on one node"])
    yield Case("global_aggregated_alone", "global", 4, "grid 2 100 2", settings=[AGGREGATED, nodes(4)],
               expect=[AMONG_ALL + "algorithm=native", AMONG_ALL + "reason~no node has several"])
    # Each process on a node of its own, for algorithms of the MPI library that send a message to every process, with
    # blocks small enough to be copied.
    for name, ints, chosen in ("few", 2000, "native"), ("many", 4000, "combining"), ("large", 6000, "native"):
        yield Case(f"global_auto_{name}", "global", 27, f"grid 3 {ints} 3", settings=[nodes(27)],
                   expect=[AMONG_ALL + f"algorithm={chosen}"])
    for name in "combining", "shared":
        for ranks in 2, 9:
            yield Case(f"global_mismatch_{name}_{ranks}", "global", ranks, "mismatch", settings=[algorithm(name)],
                       alone=True)
    for ranks, number in ((4, 2), (9, 4)):
        yield Case(f"global_mismatch_aggregated_{ranks}", "global", ranks, "mismatch",
                   settings=[AGGREGATED, nodes(number)], alone=True)
