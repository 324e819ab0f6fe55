# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Info keys of a graph, and of duplicates, parents and communicators that exist: a good value goes before the setting;
one that is bad, or that not all processes give, has no effect, and nothing waits."""

from case import ALLGATHER, ALLTOALL, COMBINING, ISOMORPHIC, MERGED, NOT_ISOMORPHIC, Case, nodes

NO_GRID = ["graph.declined=HOPSCOTCH_INFER=off, and no process grid is known", NOT_ISOMORPHIC]
NOT_INFERRED = "HOPSCOTCH_INFER=off"
REORDER = "HOPSCOTCH_REORDER=all"


def key(name, ranks, words, settings, expect, stderr=(), quick=False):
    graphs = sum(not word.startswith("odd:") for word in words.split()[1:])
    return Case(f"key_{name}", "keys", ranks, words, settings=settings, alone=True, stderr=stderr, quick=quick,
                expect=[*expect, ALLTOALL + f"calls={graphs}", ALLGATHER + f"calls={graphs}"])


def given(name, words, settings, expect, stderr=(), quick=False):
    return Case(f"key_{name}", "given", 4, words, settings=settings, alone=True, stderr=stderr, expect=expect,
                quick=quick)


def told(key, settings, expect):
    """The key in MPI_Dist_graph_create."""
    return Case(f"key_told_{key.partition('=')[0]}", "keys", 4, f"told hopscotch_{key}", settings=settings, alone=True,
                expect=expect)


def of(function, **algorithms):
    """Facts of the first communicator that the function made."""
    return [f"graphs.{function}.operations.MPI_Neighbor_{name}.algorithm={wanted}"
            for name, wanted in algorithms.items()]


def said(name, value, what):
    return [f"warning: info key hopscotch_{name} has the value '{value}', which is {what}"]


def cases(facts):
    yield key("algorithm", 4, "ring hopscotch_algorithm=alltoall=merged,allgather=trivial", [COMBINING],
              [ALLTOALL + "algorithm=merged", ALLGATHER + "algorithm=trivial"])
    # As long as the MPI library takes them: 255 or 1023 characters, less than one more entry.
    longest = (14 if facts.openmpi else 59) * "alltoallw=merged," + "allgather=trivial"
    yield key("algorithm_long", 4, f"ring hopscotch_algorithm={longest}", [COMBINING],
              [ALLGATHER + "algorithm=trivial"])
    yield key("algorithm_ignored", 4, "ring hopscotch_algorithm=fast none=0 odd:hopscotch_algorithm=trivial "
              "hopscotch_algorithm=trivial odd:hopscotch_algorithm=combining", [MERGED],
              [ALLTOALL + "algorithm=merged"], said("algorithm", "fast", "no algorithm"), quick=True)

    yield told("algorithm=alltoall=merged,allgather=trivial", [COMBINING],
               of("MPI_Dist_graph_create", alltoall="merged", allgather="trivial"))

    # A grid of 2x3 does not explain a ring of 6.
    yield key("dims", 6, "ring hopscotch_dims=6", [COMBINING, NOT_INFERRED, "HOPSCOTCH_DIMS=2x3"],
              [ISOMORPHIC, "graph.grid.found=hint", "graph.grid.dims=[6]"])
    yield key("dims_ignored", 4, "ring hopscotch_dims=four hopscotch_dims=5p none=0 odd:hopscotch_dims=4p "
              "hopscotch_dims=4p odd:hopscotch_dims=2x2", [COMBINING, NOT_INFERRED], NO_GRID,
              said("dims", "four", "no process grid like 4x4x2"), quick=True)
    # It would explain the neighbors of all five, were it not for four processes.
    yield key("dims_small", 5, "edge hopscotch_dims=2x2", [COMBINING, NOT_INFERRED], NO_GRID)

    yield from given_later()
    if facts.openmpi: # which knows one node here
        return
    yield key("reorder", 4, "ring hopscotch_reorder=on", [nodes(2)],
              ["graph.reorder~mapped by", "graph.reorder~; 8 edges between nodes before"])
    yield key("objective", 4, "ring hopscotch_objective=max", [nodes(2), REORDER],
              ["graph.reorder~; 4 edges from the node with most to others before"])
    yield told("reorder=on", [nodes(2)], ["graphs.MPI_Dist_graph_create.reorder~mapped by"])
    yield key("reorder_off", 4, "ring hopscotch_reorder=off none=0 odd:hopscotch_reorder=off "
              "hopscotch_reorder=on odd:hopscotch_reorder=off", [nodes(2), REORDER], ["graph.reorder~not asked for"],
              quick=True)
    yield key("reorder_ignored", 4, "ring hopscotch_reorder=maybe", [nodes(2), REORDER], ["graph.reorder~mapped by"],
              said("reorder", "maybe", "not on or off"))


def given_later():
    """To duplicates, communicators that exist, and those that others are made from."""
    off = "hopscotch_algorithm=native"
    by_key = "declined=info key hopscotch_algorithm=native"
    unlike = ["warning: processes give different values of the info key hopscotch_algorithm, which has no effect",
              r"\A(?!(?s:.*which has no effect.*which has no effect))"] # one of them says it
    graph, duplicate, cart = "MPI_Dist_graph_create_adjacent", "MPI_Comm_dup_with_info", "MPI_Cart_create"
    yield given("duplicate", "duplicate hopscotch_algorithm=alltoall=trivial,allgather=merged", [COMBINING],
                [*of(graph, alltoall="combining", allgather="combining"),
                 *of(duplicate, alltoall="trivial", allgather="merged")], quick=True)
    yield given("duplicate_off", f"duplicate {off}", [COMBINING],
                [*of(duplicate, alltoall="native"), f"graphs.{duplicate}.{by_key}"])
    yield given("duplicate_on", "duplicate hopscotch_algorithm=merged", ["HOPSCOTCH_ALGORITHM=native"],
                [*of(graph, alltoall="native"), *of(duplicate, alltoall="merged", allgather="merged")])
    yield given("duplicate_odd", "duplicate odd:hopscotch_algorithm=trivial", [MERGED],
                of(duplicate, alltoall="merged"), unlike)
    yield given("duplicate_ignored", "duplicate hopscotch_dims=4 hopscotch_reorder=on", [MERGED],
                of(duplicate, alltoall="merged"),
                [f"warning: info key hopscotch_{name} has no effect in {duplicate}" for name in ("dims", "reorder")])

    yield given("later", "later hopscotch_algorithm=merged", [COMBINING],
                [*of(graph, alltoall="combining"), *of("MPI_Comm_set_info", alltoall="merged", allgather="merged"),
                 *of("MPI_Comm_dup", alltoall="merged")], quick=True)
    yield given("later_auto", "later hopscotch_algorithm=auto", [MERGED], of(graph, alltoall="merged"))
    yield given("later_off", f"later {off}", [],
                [*of("MPI_Comm_set_info", alltoall="native"), f"graphs.MPI_Comm_set_info.{by_key}",
                 *of("MPI_Comm_dup", alltoall="native")])
    yield given("later_on", "later hopscotch_algorithm=shared", ["HOPSCOTCH_ALGORITHM=native"],
                [*of(graph, alltoall="native"), *of("MPI_Comm_set_info", alltoall="shared")])
    yield given("later_odd", "later odd:hopscotch_algorithm=trivial", [MERGED], [*of(graph, alltoall="merged"),
                f"graphs.{graph}.operations.MPI_Neighbor_alltoall.calls=2"], unlike)
    yield given("later_ignored", "later hopscotch_dims=4 hopscotch_algorithm=fast", [MERGED],
                of(graph, alltoall="merged"),
                [*said("algorithm", "fast", "no algorithm"),
                 "warning: info key hopscotch_dims has no effect in MPI_Comm_set_info"])

    yield given("parent", f"parent {off}", [COMBINING],
                [*of(cart, alltoall="native"), f"graphs.{cart}.{by_key}"], quick=True)
    yield given("parent_part", "parent hopscotch_algorithm=alltoall=native,allgather=merged", [COMBINING],
                of(cart, alltoall="native", allgather="merged"))
    # Algorithms that are asked for begin with the first call.
    yield given("parent_at_once", "parent hopscotch_algorithm=merged", ["HOPSCOTCH_SET_UP_AFTER=3"],
                [*of(cart, alltoall="merged", allgather="merged"), "totals.native=0"])
    yield given("parent_odd", f"parent odd:{off}", [COMBINING], of(cart, alltoall="combining"), unlike)
    yield given("idup", "idup hopscotch_algorithm=trivial", [MERGED],
                [*of(cart, alltoall="trivial"), *of(graph, alltoall="trivial")])
    yield given("again", "again hopscotch_algorithm=merged", [],
                [*of("MPI_Comm_set_info", alltoall="merged", allgather="merged"), f"graphs.{graph}.{by_key}"])
    yield given("sub", f"sub {off}", [], [*of(cart, alltoall="native"), *of("MPI_Cart_sub", alltoall="native")])
