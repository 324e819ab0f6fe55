# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""MPI_Allgather among all processes of a communicator with a topology."""

import itertools

from case import COMBINING, MERGED, VERIFY, Case, algorithm, nodes

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
               expect=[AMONG_ALL + "algorithm=native", AMONG_ALL + "reason~combining and shared only"])
    yield Case("global_alone", "global", 4, "grid 2 100 2",
               settings=["HOPSCOTCH_ALGORITHM=alltoall=native,global_allgather=combining"],
               expect=[AMONG_ALL + "algorithm=combining"])
    # On several nodes, for algorithms of the MPI library that send a message to every process, with blocks small enough
    # to be copied.
    for name, ints, chosen in ("few", 2000, "native"), ("many", 4000, "combining"), ("large", 6000, "native"):
        yield Case(f"global_auto_{name}", "global", 27, f"grid 3 {ints} 3", settings=[nodes(3)],
                   expect=[AMONG_ALL + f"algorithm={chosen}"])
    for name in "combining", "shared":
        for ranks in 2, 9:
            yield Case(f"global_mismatch_{name}_{ranks}", "global", ranks, "mismatch", settings=[algorithm(name)],
                       alone=True)
