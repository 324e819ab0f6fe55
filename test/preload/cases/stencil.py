# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The demonstration, all ways to carry it."""

from case import (ALLGATHER, ALLTOALL, BY_COMBINING, COMBINING, ISOMORPHIC, MERGED, MOORE_2D, MOORE_3D, NATIVE, TRIVIAL,
                  Case, nodes)


def cases(facts):
    yield Case("stencil_2d", "stencil", 9, "-d 2 -c", settings=[COMBINING], check_messages=True, quick=True,
               expect=[*MOORE_2D, *BY_COMBINING, "graph.grid.found=parent", "totals.native=0"])
    yield Case("stencil_3d", "stencil", 8, "-c", settings=[COMBINING], check_messages=True,
               expect=[*BY_COMBINING, ISOMORPHIC, "graph.grid.dims=[2,2,2]", "graph.rounds=3",
                       "graph.neighbors.max=26"])
    yield Case("stencil_3d_27", "stencil", 27, "-c -i 20", settings=[COMBINING], check_messages=True,
               expect=[*MOORE_3D, *BY_COMBINING, "graph.grid.found=parent"])
    yield Case("stencil_auto", "stencil", 9, "-d 2",
               expect=[*MOORE_2D, "totals.accelerated>0", "totals.calls=200"])
    # The library's functions win no trial, whatever runs beside.
    yield Case("stencil_tuned", "stencil", 2, "-d 2 -n 1000 -i 40", settings=["LIMIT=native"], behind="limiting",
               expect=["totals.calls=80", "totals.native=10",
                       "graph.trials.0.function=MPI_Neighbor_alltoall", "graph.trials.0.algorithm=shared",
                       "graph.trials.1.algorithm=merged", "graph.trials.2.algorithm=trivial",
                       "graph.trials.3.algorithm=native", "graph.trials.3.time_s>0",
                       "graph.trials.4.function=MPI_Neighbor_allgather"])
    yield Case("stencil_no_baseline", "stencil", 2, "-d 2 -n 1000 -i 40", behind="limiting",
               settings=["HOPSCOTCH_BASELINE=off", "LIMIT=native"],
               expect=["totals.calls=80", "totals.native=5"])
    yield Case("stencil_native", "stencil", 8, "-i 20", settings=[NATIVE],
               expect=["totals.accelerated=0", "totals.native=40", ALLTOALL + "reason~native",
                       ALLTOALL + "bytes=282880"])
    # 26 neighbors, none of them the process itself: 20 calls on 8 processes.
    yield Case("stencil_trivial", "stencil", 8, "-i 20", settings=[TRIVIAL],
               expect=[ALLTOALL + "algorithm=trivial", ALLTOALL + "messages=4160", ALLTOALL + "messages_trivial=4160"])
    # 7 distinct processes in a grid of 2x2x2.
    yield Case("stencil_merged", "stencil", 8, "-i 20", settings=[MERGED],
               expect=[ALLTOALL + "algorithm=merged", ALLTOALL + "messages=1120"])
    yield Case("stencil_by_operation", "stencil", 9, "-d 2 -i 20",
               settings=["HOPSCOTCH_ALGORITHM=alltoall=combining,allgather=merged"],
               expect=[ALLTOALL + "algorithm=combining", ALLGATHER + "algorithm=merged"])
    yield Case("stencil_cliques", "stencil", 8, "-c", settings=[COMBINING, nodes(2)], expect=BY_COMBINING,
               check_messages=True)
    yield Case("stencil_two", "stencil", 2, "-c", settings=[COMBINING], expect=[ISOMORPHIC, "graph.rounds=1"],
               check_messages=True)
    yield Case("stencil_one", "stencil", 1, "-c", expect=["graph.stencil.offsets~[[", "date~20"])
