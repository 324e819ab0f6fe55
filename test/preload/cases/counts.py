# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Counts that differ from edge to edge and call to call, counts that disagree, and wrong arguments."""

from case import AGGREGATED, COMBINING, MERGED, OPERATIONS, SHARED, TRIVIAL, VERIFY, Case, algorithm, nodes

COUNTED = OPERATIONS + "MPI_Neighbor_alltoallv."
ONE_SIZE = "MPI 4.0, 8.6: in MPI_Neighbor_alltoall all blocks have the same size"


def steady():
    """Counts that differ from process to process, edge to edge and call to call: no message more than if all were
    equal."""
    for ints in 1, 50, 1300: # the last are 62 kB at most
        # 4 or 8, 10 calls, 9 processes
        for name, messages in ("combining", 360), ("merged", 720), ("trivial", 720), ("shared", 0):
            yield Case(f"steady_{name}_{ints}", "steady", 9, f"2 {ints} 10", settings=[algorithm(name)],
                       expect=[COUNTED + f"algorithm={name}", COUNTED + "calls=10", COUNTED + f"messages={messages}"],
                       quick=(name, ints) == ("merged", 50))
    yield Case("steady_27", "steady", 27, "3 20 5", settings=[COMBINING],
               expect=[COUNTED + "messages=810", COUNTED + "messages_trivial=3510"]) # 6 and 26, 5 calls


def mismatch(facts):
    """Counts that disagree. With a cut-off some blocks travel directly. One process alone shares no memory."""
    for ranks in 1, 2, 4:
        for form in "blocking", "nonblocking", "persistent":
            for name in ["trivial", "merged", "combining"] + (["shared"] if ranks > 1 else []):
                yield Case(f"mismatch_{form}_{name}_{ranks}", "mismatch", ranks, form, settings=[algorithm(name)],
                           alone=True, quick=(form, name, ranks) == ("blocking", "merged", 4))
            yield Case(f"mismatch_{form}_cutoff_{ranks}", "mismatch", ranks, f"{form} 100",
                       settings=[COMBINING, "HOPSCOTCH_CUTOFF=100"], alone=True)
    for ranks, form, name in ((3, "persistent", "combining"), (9, "blocking", "combining"), (9, "blocking", "merged"),
                              (12, "nonblocking", "combining")):
        yield Case(f"mismatch_{form}_{name}_{ranks}", "mismatch", ranks, form, settings=[algorithm(name)], alone=True,
                   stderr=[ONE_SIZE] if (ranks, name) == (9, "combining") else [])
    # While the MPI library's function is tried, only regular calls have sizes that are compared before; none have once
    # it has won. Here no trial of the 80 calls of a graph with small blocks of one size comes to its end.
    yield Case("mismatch_blocking_auto_9", "mismatch", 9, "blocking", settings=["HOPSCOTCH_BASELINE=off"], alone=True)
    # Nor of the 40 calls under Open MPI 4.1, which has no forms of large counts.
    yield Case("mismatch_regular_auto_9", "mismatch", 9, "blocking regular",
               settings=[f"HOPSCOTCH_TRIALS={15 if facts.openmpi else 30}"], alone=True, expect=["totals.native>0"])
    for label, settings in ("auto", []), ("auto_nodes", [nodes(3)]), ("nodes", [AGGREGATED, nodes(3)]):
        yield Case(f"mismatch_persistent_{label}", "mismatch", 9, "persistent", settings=settings, alone=True)
    yield Case("mismatch_two_nodes", "mismatch", 4, "blocking", settings=[SHARED, nodes(2)], alone=True)


def arguments(facts):
    """Wrong arguments are answered as without the shim, and the next call works. MPICH 5.0.2, in its form for the
    standard ABI, says MPI_SUCCESS after a handler of the program, so that there is nothing to compare."""
    for label, ranks, settings in (("auto_2", 2, [algorithm("auto")]), ("merged_2", 2, [MERGED]),
                                   ("combining_3", 3, [COMBINING]), ("trivial_3", 3, [TRIVIAL]),
                                   ("shared_4", 4, [SHARED]), ("aggregated_4", 4, [AGGREGATED, nodes(2)]),
                                   ("verify_2", 2, [VERIFY])):
        yield Case(f"arguments_{label}", "arguments", ranks, "calls", settings=settings,
                   expect=["totals.accelerated>0"] + ([] if facts.standard_abi else ["totals.failed>0"]),
                   alone=facts.standard_abi)
    # Neither a communicator nor a key comes of wrong ones.
    # The MPI library gets the program's `reorder`, unless ranks are mapped here.
    for name, settings, reorder in ("", [], 1), ("_reordered", [nodes(2), "HOPSCOTCH_REORDER=all"], 0):
        yield Case(f"arguments_unmade{name}", "unmade", 3, settings=[*settings, "LIMIT=reorder"], behind="limiting",
                   stderr=[f"{made}, reorder {reorder}" for made in ("Cart_create", "Graph_create", "Dist_graph_create",
                                                                     "Dist_graph_create_adjacent")],
                   lacking="" if facts.mpi == "mpich" else "its calls are those that MPICH survives",
                   expect=["totals.accelerated>0", "totals.failed=0"])
    # A start that is refused is no call.
    for name, carried in ("auto", "accelerated"), ("native", "native"):
        yield Case(f"arguments_requests_{name}", "arguments", 2, "requests", settings=[algorithm(name)],
                   expect=["totals.calls=4", f"totals.{carried}=4", "totals.failed=0"])


def unequal(facts):
    """Each edge has a size of its own, which MPI forbids and the MPI library accepts."""
    for shape, ints, name in (("line", 8, "merged"), ("ring", 8, "trivial"), ("ring", 8, "shared"), ("ring", 8, "auto"),
                              ("rows", 20000, "merged")):
        yield Case(f"unequal_{shape}_{name}", "unequal", 4, f"{shape} {ints}", settings=[algorithm(name)],
                   expect=["totals.accelerated>0", "totals.failed=0"],
                   alone=facts.openmpi) # which looks whether both counts are one
    yield Case("unequal_divided", "unequal", 3, "ring 20000",
               settings=[SHARED, "HOPSCOTCH_INFER=off", "HOPSCOTCH_ONE_COPY=off"], alone=True, status=1,
               stderr=[ONE_SIZE])


def divided(facts):
    """On both sides of a limit; large blocks keep processes waiting for theirs asleep."""
    limits = (("cutoff", [COMBINING, "HOPSCOTCH_CUTOFF=100"], (40, "combining"), (400, "merged")),
              ("memory", [SHARED, "HOPSCOTCH_ONE_COPY=off"], (40, "shared"), (4000000, "merged")),
              ("nodes", [AGGREGATED, nodes(2)], (400000, "merged"), (40, "aggregated")))
    persistent = ["persistent"] if facts.has_persistent else []
    yield Case("divided_left", "divided", 3, "left nonblocking 40 4000000", settings=limits[1][1], alone=True, status=1,
               stderr=["processes disagree in one call of MPI_Ineighbor_alltoall .*: rank 1 gives blocks of 40 bytes "
                       ".shared., rank 2 gives blocks of 4000000 bytes .merged."])
    for label, settings, (most, by_most), (one, by_one) in limits:
        for form, function in ("blocking", "MPI_Neighbor_alltoall"), ("nonblocking", "MPI_Ineighbor_alltoall"):
            told = (f"processes disagree in one call of {function} on a communicator of MPI_Cart_create, "
                    "which could never end: .*rank ")
            yield Case(f"divided_{label}_{form}", "divided", 9, f"wrong {form} {most} {one}", settings=settings,
                       alone=True, status=1,
                       stderr=[told + f"[2567] gives blocks of {most} bytes .{by_most}.",
                               told + f"8 gives blocks of {one} bytes .{by_one}."])
        for form in persistent:
            yield Case(f"divided_{label}_{form}", "divided", 9, f"wrong {form} {most} {one}", settings=settings,
                       alone=True)
        for form in ["blocking", "nonblocking", *persistent]:
            yield Case(f"divided_late_{label}_{form}", "divided", 4, f"late {form} {most} {one}", settings=settings,
                       alone=True)


def cases(facts):
    yield from steady()
    yield from mismatch(facts)
    yield from arguments(facts)
    yield from unequal(facts)
    yield from divided(facts)
