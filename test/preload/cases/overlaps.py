# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Blocks that have bytes in common: corners inside of rows and columns, overlaps of any kind, types in one another."""

from case import COMBINING, MERGED, MOORE_2D, OPERATIONS, STANDARD_EDGES, Case, algorithm

ALLTOALLW = OPERATIONS + "MPI_Neighbor_alltoallw."


def cases(facts):
    # On the 3x3 torus, 20 calls, every process: two rows of 16 doubles, two columns of 18. On the mesh 12 rows and 12
    # columns of 16 go to neighbors, and of the corners 16.
    yield Case("overlap_torus", "overlaps", 9, "listing 1 16 20", settings=[COMBINING],
               expect=[*MOORE_2D, ALLTOALLW + "algorithm=combining", ALLTOALLW + "messages=720",
                       ALLTOALLW + "payload_bytes=97920", ALLTOALLW + "bytes_saved=5760"])
    yield Case("overlap_mesh", "overlaps", 9, "listing 0 16 20", settings=[COMBINING],
               expect=[ALLTOALLW + "messages=480", ALLTOALLW + "payload_bytes=64000", ALLTOALLW + "bytes_saved=2560"])
    # 2 calls on 27 processes: all of the (4+2*2)^3 - 4^3 cells of 8 bytes around each.
    persistent = [ALLTOALLW + "messages=324", ALLTOALLW + "payload_bytes=193536",
                  OPERATIONS + "MPI_Neighbor_alltoallw_init.payload_bytes=387072"]
    yield Case("overlap_3d", "overlaps", 27, "halo 3 1 4 2 2", settings=[COMBINING],
               expect=[OPERATIONS + "MPI_Ineighbor_alltoallw.algorithm=combining",
                       *(persistent if facts.has_persistent else [])])
    # All corners of a 2x2 torus go to the same process as rows and columns do.
    yield Case("overlap_merged", "overlaps", 4, "halo 2 1 5 1 3", settings=[MERGED, STANDARD_EDGES], alone=True,
               expect=[ALLTOALLW + "messages=36"] if facts.has_persistent else [])
    yield Case("overlap_cutoff", "overlaps", 9, "halo 2 1 8 2 4", settings=[COMBINING, "HOPSCOTCH_CUTOFF=100"])

    # MPI libraries differ in the order of parallel edges; the program has the standard's.
    for ranks, number in (2, 80), (4, 60), (9, 30), (12, 20):
        for name in "combining", "merged":
            yield Case(f"overlap_random_{name}_{ranks}", "overlaps", ranks, f"random {ranks} {number}",
                       settings=[algorithm(name), STANDARD_EDGES], expect=["totals.bytes_saved>0"], alone=True,
                       quick=ranks == 4)

    # Random datatypes in one another.
    for name in "merged", "shared", "combining":
        yield Case(f"flattening_{name}", "flattening", 2, "1 400", settings=[algorithm(name)], alone=True)
