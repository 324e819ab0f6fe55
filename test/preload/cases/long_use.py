# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Many calls, and as many communicators as there can be. A million calls: scripts/develop/endure."""

from case import (AGGREGATED, COMBINING, MERGED, NATIVE, NOTHING_LEFT, SHARED, TRIVIAL, VERIFY, Case, algorithm,
                  nodes)


def walks(facts):
    """Random walks through all that a program may do with its communicators; everything is accounted for."""
    if facts.mpi != "mpich" or not facts.older_than(5, 0):  # others say other things of wrong calls
        return
    for name, ranks, seed, settings in (
            ("auto", 4, 16, []), ("predicted", 3, 17, ["HOPSCOTCH_TRIALS=off"]), ("merged", 4, 33, [MERGED]),
            ("combining", 4, 12, [COMBINING]), ("cutoff", 3, 51, [COMBINING, "HOPSCOTCH_CUTOFF=100"]),
            ("shared", 3, 46, [SHARED]), ("aggregated", 4, 47, [AGGREGATED, nodes(2), "HOPSCOTCH_REORDER=all"]),
            ("verified", 2, 50, [VERIFY]), ("trivial", 2, 15, [TRIVIAL, "HOPSCOTCH_SET_UP_AFTER=2"]),
            ("native", 2, 30, [NATIVE]), ("two_nodes", 4, 34, [SHARED, nodes(2)]),
            ("once", 3, 43, [SHARED, "HOPSCOTCH_ONE_COPY=1"]),
            ("rounds", 4, 52, [COMBINING, "HOPSCOTCH_COMBINING=rounds", "HOPSCOTCH_SET_UP_AFTER=1"]),
            ("sparse", 5, 7, [MERGED, "HOPSCOTCH_ALLTOALLV=on"])):
        yield Case(f"walk_{name}", "walk", ranks, f"{seed} 50" + (" single" if seed % 3 == 0 else ""),
                   settings=settings, behind="witness", alone=True, check_account=True,
                   stderr=[NOTHING_LEFT, r"\A(?!(?s:.*)left behind)"])
    yield Case("walk_off", "walk", 2, "18 50", settings=["HOPSCOTCH=off"], no_report=True)


def cases(facts):
    yield from walks(facts)
    # Many graph communicators at once, and one after the other.
    none_failed = ["totals.failed=0"]
    yield Case("resources_live", "resources", 2, "live 2000", expect=none_failed, alone=True, soak=True)
    yield Case("resources_threads", "resources", 2, "threads 2040", expect=[*none_failed, "totals.native=0"],
               alone=True, soak=True)
    if not facts.openmpi: # 4.1 crashes where it has no communicator left, natively too
        yield Case("resources_few", "resources", 2, "few", expect=none_failed, alone=True, soak=True)
    yield Case("resources_held", "resources", 2, "held", expect=none_failed)
    yield Case("resources_files", "resources", 4, "files 300", settings=[SHARED], expect=["totals.accelerated=1"],
               soak=True)
    yield Case("resources_cycles", "resources", 4, "cycles 100", expect=none_failed, alone=True, soak=True)

    for ranks, name, machine in ((4, "auto", 1), (4, "combining", 1), (6, "shared", 1), (8, "aggregated", 2),
                                 (3, "merged", 1), (2, "auto", 1)):
        yield Case(f"long_run_{name}_{ranks}", "long_run", ranks, f"{ranks} 1500",
                   settings=[algorithm(name), nodes(machine)], expect=["totals.calls=1500", *none_failed], alone=True,
                   soak=True)
    yield Case("long_run_verified", "long_run", 4, "9 500", settings=[VERIFY],
               expect=["totals.calls=500", *none_failed, "totals.compared>200"], alone=True, soak=True)
