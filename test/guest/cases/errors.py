# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors: exceptions out of functions of the program, fatal errors, handlers that are set and counted."""

from guest import Guest

# Rows of one program that differ in settings alone.
WAYS = {"": [], "_off": ["HOPSCOTCH=off"], "_merged": ["HOPSCOTCH_ALGORITHM=merged"]}


def guests(facts):
    for what in ("plain", "neighborhood", "forms", "callbacks"):
        for way, settings in WAYS.items():
            yield Guest(f"throwing_{what}{way}", "throwing", arguments=what, settings=settings)
    for way in ("auto", "merged", "shared", "combining"):
        yield Guest(f"throwing_ours_{way}", "throwing", arguments="ours", settings=[f"HOPSCOTCH_ALGORITHM={way}"],
                    status=0, only_preloaded=True)
    for which in ("blocking", "cartesian", "allgather", "nonblocking", "persistent", "type", "uncommitted", "null",
                  "freed"):
        yield Guest(f"fatal_{which}", "fatal", arguments=which,
                    lacking="" if facts.has_persistent or which != "persistent" else "no persistent collectives")
    for which, name in ("sizes", "MPI_Neighbor_alltoallv"), ("sizes_wait", "MPI_Ineighbor_alltoallv"):
        yield Guest(f"fatal_{which}", "fatal", arguments=which, only_preloaded=True, seconds=6,
                    says=f"^hopscotch.*: {name} fails, and errors are fatal|^Abort|^PID \\*\\*\\* ")
    yield Guest("handlers_once", "handlers", arguments="once")
    yield Guest("handlers_inherited", "handlers", arguments="inherited")
    for algorithm in "auto", "merged":
        yield Guest(f"handlers_threads_{algorithm}", "handlers", arguments="threads",
                    settings=[f"HOPSCOTCH_ALGORITHM={algorithm}"])
