# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Trials of nonblocking calls, which take place on several nodes only, and if processes think that each has a core;
trials beside others."""

import itertools

from case import Case, nodes

A_CORE_EACH = "HOPSCOTCH_YIELD=never"


def cases(facts):
    seeds = itertools.count(156)
    for ranks, machine, trials in (5, 2, 5), (8, 2, 2), (8, 3, 5), (9, 3, 2), (12, 4, 2), (18, 2, 2):
        yield Case(f"trying_random_{ranks}_{machine}_{trials}", "trying", ranks, f"random {next(seeds)}",
                   settings=[nodes(machine), f"HOPSCOTCH_TRIALS={trials}", A_CORE_EACH])
    for seed in 1, 2, 3:
        yield Case(f"trying_blocked_{seed}", "trying", 5, f"blocked {seed}",
                   settings=[nodes(2), "HOPSCOTCH_TRIALS=2", A_CORE_EACH], quick=seed == 1)
    # A trial of an earlier graph counts only if all processes of the next graph know it. Without a baseline the MPI
    # library's function, which may be the fastest beside other work, is no candidate.
    yield Case("trying_pairs", "lifetimes", 6, "pairs 40",
               settings=["HOPSCOTCH_TRIALS=2", "HOPSCOTCH_BASELINE=off", A_CORE_EACH],
               expect=["totals.calls=200", "totals.failed=0", "totals.native<100"])
    yield Case("trying_unwaited", "trying", 8, "unwaited", settings=[nodes(2), A_CORE_EACH],
               expect=["graphs.MPI_Dist_graph_create_adjacent.trials.MPI_Ineighbor_alltoallv.algorithm=shared"])
    # By a stand-in for the system's clock, so that the load of this machine does not count.
    for taken, expect in (0, ["gain.others_share=null", "bottom_line~measured against native calls"]), \
                         (90, ["gain.verdict=not compared", "gain.compared_calls=0", "gain.others_share>0.1",
                               "bottom_line~not compared: others took", "next_step~cores that nobody else uses"]):
        yield Case(f"trying_beside_{taken}", "stencil", 2, "-d 2 -n 4 -i 200", settings=[f"TAKEN={taken}", A_CORE_EACH],
                   behind="taken", expect=expect)
