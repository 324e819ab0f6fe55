# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Waits between processes: processes that stay away or run ahead, threads, times of requests."""

from case import BY_BLOCK, LESS_WARNINGS, SHARED, Case, algorithm, nodes


def cases(facts):
    # While one process waits for a neighborhood operation, all others are inside other MPI calls.
    for name, ranks, dimensions in (("combining", 9, 2), ("combining_3d", 8, 3), ("combining_4", 4, 2), ("auto", 9, 2),
                                    ("merged", 4, 2), ("native", 4, 2), ("trivial", 4, 2), ("shared", 9, 2)):
        yield Case(f"deadlock_{name}", "deadlock", ranks, f"{dimensions} all",
                   settings=[algorithm(name.split("_")[0]), LESS_WARNINGS], alone=name != "combining",
                   quick=name == "combining_4")
    # Here the MPI library does not drive operations.
    for name in "auto", "combining", "shared", "trivial":
        yield Case(f"deadlock_threads_{name}", "deadlock", 4, "2 all",
                   settings=[algorithm(name), "MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE", LESS_WARNINGS],
                   alone=True)

    # MPI_THREAD_MULTIPLE.
    for name in "auto", "merged", "combining", "shared":
        for ranks in 2, 4:
            yield Case(f"threads_{name}_{ranks}", "threads", ranks, "3 5", settings=[algorithm(name)], alone=True,
                       quick=(name, ranks) == ("merged", 2))
    yield Case("threads_crossing", "threads", 3, "crossing 150", settings=[SHARED],
               expect=["totals.failed=0", "totals.accelerated>100"], alone=True)

    # The counted time of requests that one of two processes waits for. Native persistent ones stand some completion
    # functions only.
    for name, styles_for_persistent in ("native", 4), ("merged", 9), ("auto", 9):
        yield Case(f"waiting_{name}", "waiting", 2, f"{styles_for_persistent}", settings=[algorithm(name)], alone=True)

    # Senders ahead of their receivers: unread blocks stay.
    for name, machine in ("merged", 1), ("trivial", 1), ("shared", 1), ("aggregated", 2):
        settings = [algorithm(name), nodes(machine), BY_BLOCK]
        yield Case(f"ahead_{name}", "ahead", 8, settings=settings, expect=["totals.calls=24", "totals.native=0"],
                   quick=name in ("shared", "aggregated"))
        yield Case(f"ahead_line_{name}", "ahead", 4, "line", settings=settings,
                   expect=["totals.calls=6", "totals.native=0"])
    for ranks in 2, 4:
        yield Case(f"ahead_ring_{ranks}", "ahead", ranks, "ring", settings=[SHARED],
                   expect=["totals.calls=100", "totals.native=0"])
    # In the 66th call the words in shared memory begin anew: an exchange that has not been used before must not take
    # its own for them.
    yield Case("ahead_changing", "ahead", 8, "70 65", settings=[SHARED], expect=["totals.calls=70", "totals.native=0"])

    # After it has begun eight nonblocking calls a process may stay away from MPI: its neighbors need nothing more from
    # it.
    for name, by, ranks, machine, chosen in (("auto", "auto", 3, 1, "shared"), ("merged", "merged", 3, 1, "merged"),
                                             ("shared", "shared", 2, 1, "shared"), ("nodes", "auto", 4, 2, "shared")):
        yield Case(f"absent_{name}", "absent", ranks, settings=[algorithm(by), nodes(machine)],
                   expect=["totals.calls=56", "totals.native=0",
                           f"graph.operations.MPI_Ineighbor_alltoall.algorithm={chosen}"])
