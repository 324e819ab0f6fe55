# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Info keys of a graph: a good value goes before the setting; one that is bad, or that not all processes give, has no
effect, and nothing waits."""

from case import ALLGATHER, ALLTOALL, COMBINING, ISOMORPHIC, MERGED, NOT_ISOMORPHIC, Case, nodes

NO_GRID = ["graph.declined=HOPSCOTCH_INFER=off, and no process grid is known", NOT_ISOMORPHIC]
NOT_INFERRED = "HOPSCOTCH_INFER=off"
REORDER = "HOPSCOTCH_REORDER=all"


def key(name, ranks, words, settings, expect, stderr=(), quick=False):
    graphs = sum(not word.startswith("odd:") for word in words.split()[1:])
    return Case(f"key_{name}", "keys", ranks, words, settings=settings, alone=True, stderr=stderr, quick=quick,
                expect=[*expect, ALLTOALL + f"calls={graphs}", ALLGATHER + f"calls={graphs}"])


def said(name, value, what):
    return [f"warning: info key hopscotch_{name} has the value '{value}', which is {what}"]


def cases(facts):
    yield key("algorithm", 4, "ring hopscotch_algorithm=alltoall=merged,allgather=trivial", [COMBINING],
              [ALLTOALL + "algorithm=merged", ALLGATHER + "algorithm=trivial"])
    yield key("algorithm_ignored", 4, "ring hopscotch_algorithm=fast none=0 odd:hopscotch_algorithm=trivial "
              "hopscotch_algorithm=trivial odd:hopscotch_algorithm=combining", [MERGED],
              [ALLTOALL + "algorithm=merged"], said("algorithm", "fast", "no algorithm"), quick=True)

    # A grid of 2x3 does not explain a ring of 6.
    yield key("dims", 6, "ring hopscotch_dims=6", [COMBINING, NOT_INFERRED, "HOPSCOTCH_DIMS=2x3"],
              [ISOMORPHIC, "graph.grid.found=hint", "graph.grid.dims=[6]"])
    yield key("dims_ignored", 4, "ring hopscotch_dims=four hopscotch_dims=5p none=0 odd:hopscotch_dims=4p "
              "hopscotch_dims=4p odd:hopscotch_dims=2x2", [COMBINING, NOT_INFERRED], NO_GRID,
              said("dims", "four", "no process grid like 4x4x2"), quick=True)
    # It would explain the neighbors of all five, were it not for four processes.
    yield key("dims_small", 5, "edge hopscotch_dims=2x2", [COMBINING, NOT_INFERRED], NO_GRID)

    if facts.openmpi: # which knows one node here
        return
    yield key("reorder", 4, "ring hopscotch_reorder=on", [nodes(2)], ["graph.reorder~mapped by"])
    yield key("reorder_off", 4, "ring hopscotch_reorder=off none=0 odd:hopscotch_reorder=off "
              "hopscotch_reorder=on odd:hopscotch_reorder=off", [nodes(2), REORDER], ["graph.reorder~not asked for"],
              quick=True)
    yield key("reorder_ignored", 4, "ring hopscotch_reorder=maybe", [nodes(2), REORDER], ["graph.reorder~mapped by"],
              said("reorder", "maybe", "not on or off"))
