# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Several nodes: messages of all processes of a node together. Cliques of MPICH take ranks in turn, or by blocks."""

import itertools

from case import AGGREGATED, ALLGATHER, ALLTOALL, BY_BLOCK, LESS_WARNINGS, Case, algorithm, nodes


def random_cases():
    seeds = itertools.count(150)
    for machine, ranks, number, auto in ((2, 4, 10, False), (2, 8, 6, True), (3, 12, 3, True), (4, 16, 2, False),
                                         (3, 27, 1, True), (4, 36, 1, True)):
        seed = next(seeds)
        for name in ["aggregated", "auto"] if auto else ["aggregated"]:
            for program in "varying", "nonblocking":
                yield Case(f"nodes_{program}_{name}_{machine}_{ranks}", program, ranks, f"random {seed} {number}",
                           settings=[nodes(machine), LESS_WARNINGS, algorithm(name)], alone=True, quick=ranks == 4)


def cases(facts):
    yield Case("network_measured", "stencil", 2, "-d 2 -c -i 20", settings=[nodes(2), "HOPSCOTCH_YIELD=never"],
               expect=["network.latency_s>0", "network.latency_s<0.1"])
    yield from random_cases()
    yield Case("nodes_varying_cutoff", "varying", 8, "random 3 6",
               settings=[AGGREGATED, nodes(2), "HOPSCOTCH_CUTOFF=100"], alone=True)
    yield Case("nodes_deadlock", "deadlock", 9, "2 all", settings=[AGGREGATED, nodes(3), LESS_WARNINGS], alone=True)
    yield Case("nodes_threads", "threads", 4, "3 5", settings=[AGGREGATED, nodes(2)], alone=True)
    # Three planes of a 3x3x3 torus: each node has two neighbors, and nine processes for four messages to each of them.
    yield Case("nodes_messages", "stencil", 27, "-c -i 20", settings=[AGGREGATED, nodes(3), BY_BLOCK],
               expect=["nodes=3", ALLTOALL + "algorithm=aggregated", ALLTOALL + "calls=20", ALLTOALL + "messages=480"])
    # Blocks of four and three processes.
    yield Case("nodes_unequal", "varying", 7, "dims=7 stencil=moore:1 counts=1,7",
               settings=[AGGREGATED, nodes(2), BY_BLOCK], expect=["nodes=2"])
    yield Case("nodes_choice", "stencil", 27, "-c -i 5", settings=[nodes(3), BY_BLOCK],
               expect=[ALLTOALL + "algorithm=aggregated", ALLGATHER + "algorithm=aggregated"])
    # One process per node.
    yield Case("nodes_alone", "stencil", 4, "-d 2 -c", settings=[AGGREGATED, nodes(4)],
               expect=["nodes=4", ALLTOALL + "algorithm=merged", ALLTOALL + "reason~several processes"])
    if facts.mpi == "mpich":
        yield Case("nodes_all", "stencil", 4, "-d 2 -c", settings=[AGGREGATED, "MPIR_CVAR_NOLOCAL=1"], alone=True,
                   expect=["nodes=4", "one_copy=null", ALLTOALL + "algorithm=merged"])
    for form in "blocking", "nonblocking", "persistent":
        for ranks in 4, 8:
            yield Case(f"nodes_mismatch_{form}_{ranks}", "mismatch", ranks, form, settings=[AGGREGATED, nodes(2)],
                       alone=True, quick=ranks == 4)
