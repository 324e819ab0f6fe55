# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Cases that random cases do not reach."""

from case import MERGED, SHARED, VERIFY, Case, algorithm, nodes


def cases(facts):
    for name, machine in ("merged", 1), ("shared", 1), ("combining", 1), ("aggregated", 2):
        yield Case(f"corners_orders_{name}", "corners", 4, "orders", settings=[algorithm(name), nodes(machine)],
                   expect=["totals.native=0"], alone=True)
    yield Case("corners_large", "corners", 2, "large", settings=[MERGED], expect=["totals.native=0"], alone=True)
    yield Case("corners_handlers", "corners", 2, "handlers")
    yield Case("corners_truncated", "corners", 2, "truncated")
    # Three messages of each process, which count after the operation is complete.
    yield Case("corners_abandoned", "corners", 4, "abandoned", settings=[MERGED], alone=True, quick=True,
               expect=["graph.operations.MPI_Ineighbor_alltoall.messages=12"])
    yield Case("corners_disowned", "corners", 2, "disowned", settings=[MERGED, VERIFY], alone=True, quick=True)
    # Messages are slow, so an algorithm with few of them wins a trial.
    yield Case("corners_following", "corners", 9, "following", settings=[nodes(3), "LIMIT=speed"], alone=True,
               behind="limiting", quick=True,
               expect=["graph.operations.MPI_Ineighbor_alltoall.algorithm=merged"])
    yield Case("corners_tags", "corners", 2, "tags", settings=[MERGED, "LIMIT=tags"], expect=["totals.native=0"],
               alone=True, behind="limiting", quick=True)
    yield Case("corners_crowded", "corners", 2, "crowded", settings=[SHARED], alone=True, behind="limiting", quick=True)
    yield Case("corners_sleeping", "corners", 4, "sleeping", alone=True, behind="limiting",
               settings=[SHARED, "HOPSCOTCH_YIELD=always", "LIMIT=waking"])
