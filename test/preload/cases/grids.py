# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""The origin of the grid."""

from case import BY_COMBINING, COMBINING, ISOMORPHIC, MOORE_2D, MOORE_3D, NOT_ISOMORPHIC, Case, nodes


def cases(facts):
    recorded = "graph.grid.found=recorded"
    yield Case("authors_3", "authors", 27, settings=[COMBINING], expect=[*MOORE_3D, recorded], check_messages=True)
    yield Case("authors_2", "authors", 9, "2 3", settings=[COMBINING], expect=[*MOORE_2D, recorded],
               check_messages=True)
    yield Case("authors_2_5", "authors", 12, "2 5", settings=[COMBINING], expect=[ISOMORPHIC], check_messages=True)
    yield Case("authors_4", "authors", 8, "4 3", settings=[COMBINING], expect=[ISOMORPHIC], check_messages=True)
    yield Case("authors_5", "authors", 4, "5 3", settings=[COMBINING], expect=[ISOMORPHIC], check_messages=True)
    yield Case("authors_3_4", "authors", 6, "3 4")

    star = "dims=4x3 parent=world stencil=star:1"
    inferred = [ISOMORPHIC, "graph.grid.found=inferred"]
    yield Case("inferred", "varying", 12, star + " counts=1,3,0,17", settings=[COMBINING], expect=inferred,
               check_messages=True, quick=True)
    yield Case("inferred_split", "varying", 12, "dims=3x4 parent=split stencil=list:1,0;0,1; counts=1,3,0,17",
               settings=[COMBINING], expect=inferred, check_messages=True)
    yield Case("not_inferred", "varying", 12, star, settings=["HOPSCOTCH_INFER=off"],
               expect=[NOT_ISOMORPHIC, "graph.declined~HOPSCOTCH_INFER=off, and no process grid "])
    yield Case("hint", "varying", 12, star, settings=[COMBINING, "HOPSCOTCH_DIMS=4px3p"],
               expect=[ISOMORPHIC, "graph.grid.found=hint", "graph.grid.dims=[4,3]"])
    yield Case("shuffled", "varying", 12, "dims=4x3 parent=shuffled stencil=star:1", settings=[COMBINING],
               expect=[NOT_ISOMORPHIC])

    # A stencil on a grid on which combining saves nothing: eight rounds, but a process has at most six neighbors. On
    # 2x2x2x2 processes it saves some messages.
    far = "dims=4x4 periods=0x0 stencil=star:2"
    four_by_four = [ISOMORPHIC, "graph.grid.dims=[4,4]", "graph.grid.periodic=[false,false]", "graph.rounds=8"]
    yield Case("far", "varying", 16, f"{far} parent=world", expect=[*four_by_four, "graph.grid.found=inferred"])
    yield Case("far_parent", "varying", 16, far, settings=[COMBINING], expect=four_by_four)
    yield Case("far_hint", "varying", 16, f"{far} parent=world",
               settings=["HOPSCOTCH_DIMS=4x4", nodes(16), "HOPSCOTCH_TRIALS=off"],
               expect=[*four_by_four, *BY_COMBINING, "graph.grid.found=hint", "graph.partial.messages=64",
                       "graph.partial.merged_messages=80"])

    for deviation in "exchanged", "extra", "missing", "idle":
        yield Case(f"deviating_{deviation}", "deviating", 12, deviation, expect=[NOT_ISOMORPHIC])
    yield Case("deviating_order", "deviating", 12, "order", settings=[COMBINING],
               expect=[ISOMORPHIC, "graph.rounds=4"], check_messages=True)

    # Edges that a grid explains are combined, the others travel directly.
    for ranks, name, arguments, messages in (
            (12, "one_more_edge", "dims=4x3 periods=1x1 stencil=moore:1 parent=world extra=1", 48),
            (12, "missing_edges", "dims=4x3 periods=1x1 stencil=moore:1 parent=cart missing=10", 48),
            (12, "any_ranks", "dims=4x3 periods=1x1 stencil=moore:1 parent=shuffled order=paper", 48)):
        yield Case(f"partly_{name}", "varying", ranks, arguments + " counts=1,7", settings=[COMBINING],
                   expect=[NOT_ISOMORPHIC, *BY_COMBINING, f"graph.partial.messages<{messages + 2}"])
    # Cells of processes that the program has shown: by a Cartesian communicator, and by a grid with empty cells.
    partial = "graphs.MPI_Dist_graph_create_adjacent.partial"
    yield Case("partly_shown", "shown", 12, "4 3 2", settings=[COMBINING],
               expect=[f"{partial}.found=recorded", f"{partial}.cells=[4,3]", f"{partial}.messages<50"])
    yield Case("partly_larger", "shown", 10, "4 3 2 rank order", settings=[COMBINING, "HOPSCOTCH_DIMS=4x3"],
               expect=[f"{partial}.found=hint", f"{partial}.cells=[4,3]"])
    yield Case("partly_larger_alone", "shown", 10, "4 3 2 rank order", # no other grid has been looked at
               settings=[COMBINING, "HOPSCOTCH_DIMS=4x3", "HOPSCOTCH_INFER=off"],
               expect=[f"{partial}.found=hint", f"{partial}.cells=[4,3]"])
    yield Case("partly_auto", "varying", 12, "dims=4x3 periods=1x1 stencil=moore:1 parent=world extra=1 counts=1,7",
               settings=[nodes(2), "HOPSCOTCH_TRIALS=off"], expect=["graph.partial.messages<50"])
