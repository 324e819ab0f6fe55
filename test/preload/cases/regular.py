# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Chosen neighborhoods, byte for byte, the library's own functions beside."""

from case import ALLTOALL, COMBINING, ISOMORPHIC, NATIVE, OPERATIONS, STANDARD_EDGES, Case, nodes


def cases(facts):
    yield Case("regular_mesh", "varying", 9, "dims=3x3 periods=0x0", settings=[COMBINING],
               expect=[ISOMORPHIC, "graph.grid.periodic=[false,false]", "graph.neighbors.min=3",
                       "graph.neighbors.max=8", "graph.rounds=4"], quick=True)
    yield Case("regular_mesh_of_two", "varying", 4, "dims=2x2 periods=0x0", settings=[COMBINING],
               expect=[ISOMORPHIC, "graph.grid.periodic=[false,false]", "graph.grid.wraps=[true,true]"])
    yield Case("regular_torus_of_two", "varying", 4, "dims=2x2 parent=world", settings=[COMBINING],
               expect=[ISOMORPHIC, "graph.grid.periodic=[true,true]"])
    yield Case("facts_native", "facts", 2, settings=[NATIVE],
               expect=[OPERATIONS + "MPI_Neighbor_alltoallv.bytes=16", OPERATIONS + "MPI_Neighbor_alltoallw.bytes=16",
                       ALLTOALL + "bytes=16"], quick=True)
    yield Case("regular_mesh_null", "varying", 9, "dims=3x3 periods=0x0 border=null", settings=[COMBINING],
               expect=[ISOMORPHIC], alone=facts.openmpi)
    yield Case("regular_mesh_inferred", "varying", 12, "dims=3x4 periods=0x0 parent=world", settings=[COMBINING],
               expect=[ISOMORPHIC, "graph.grid.dims=[3,4]", "graph.grid.periodic=[false,false]"])
    yield Case("regular_mixed", "varying", 12, "dims=4x3 periods=1x0", settings=[COMBINING],
               expect=[ISOMORPHIC])
    yield Case("regular_radius_2", "varying", 9, "dims=3x3 stencil=moore:2 counts=1,3,0,17", settings=[COMBINING],
               expect=[ISOMORPHIC], check_messages=True)
    for wanted, rounds, volume in ("rounds", 6, 50), ("0+1", 24, 24), ("1:2/0", 7, 45), ("0/1/2", 8, 40):
        yield Case(f"regular_family_{rounds}", "varying", 25, "dims=5x5 parent=world stencil=moore:2 counts=1,3,0,17",
                   settings=[COMBINING, f"HOPSCOTCH_COMBINING={wanted}"], check_messages=True,
                   expect=[ISOMORPHIC, f"graph.rounds={rounds}", f"graph.volume={volume}"])
    for counts, groups, rounds in ("counts=1,7", '"0:2"', 2), ("counts=100000", "null", 3):
        yield Case(f"regular_chosen_{rounds}", "varying", 4, f"dims=4 stencil=list:1;2;-1; {counts}",
                   settings=[COMBINING, nodes(4), "HOPSCOTCH_TRIALS=off"],
                   expect=[ALLTOALL + "algorithm=combining", ALLTOALL + f"groups={groups}", f"graph.rounds={rounds}"],
                   check_messages=rounds == 3)
    yield Case("regular_duplicate", "varying", 9, "dims=3x3 duplicate=1 order=random", settings=[COMBINING],
               expect=[ISOMORPHIC])
    yield Case("regular_self", "varying", 9, "dims=3x3 self=1 order=sources", settings=[COMBINING],
               expect=[ISOMORPHIC])
    yield Case("regular_standard", "varying", 4, "dims=2x2 order=random",
               settings=[COMBINING, STANDARD_EDGES], expect=[ISOMORPHIC], alone=True)
