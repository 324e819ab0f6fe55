# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""MPI_Alltoallv and MPI_Alltoallw with few blocks, carried by graphs of these blocks."""

import itertools

from case import COMBINING, LESS_WARNINGS, MERGED, NATIVE, SHARED, VERIFY, Case, algorithm, nodes

ON = "HOPSCOTCH_ALLTOALLV=on"
HIDDEN = "graphs.MPI_Alltoallv."
CALLS = HIDDEN + "operations.MPI_Alltoallv."
OF_DEADLOCK = ("MPI_Ialltoallv", "MPI_Ialltoallw", "MPI_Alltoallv_init", "MPI_Alltoallw_init")
FUNCTIONS = (*OF_DEADLOCK, "MPI_Alltoallv", "MPI_Alltoallw")
PASSED = "graphs.unknown.operations.MPI_Alltoallv."


def random_cases():
    seeds = itertools.count(1)
    for ranks, number in (1, 20), (2, 20), (7, 10), (8, 15), (9, 10), (12, 12), (18, 6), (27, 4), (36, 2):
        ways = {"auto": []}
        if ranks in (8, 12):
            ways.update({name: [algorithm(name)] for name in ("merged", "trivial", "combining", "shared")})
            ways.update({"verify": [VERIFY], "nodes": [nodes(3), "HOPSCOTCH_TRIALS=2"],
                         "aggregated": [algorithm("aggregated"), nodes(2)], "off": ["HOPSCOTCH_ALLTOALLV=off"]})
        for name, settings in ways.items():
            yield Case(f"sparse_{name}_{ranks}", "sparse", ranks, f"random {next(seeds)} {number}",
                       settings=[*settings, *([] if name == "off" else [ON])],
                       expect=["totals.compared>0"] if VERIFY in settings else [], alone=True,
                       quick=(name, ranks) == ("auto", 8))


def patterns():
    """Numbers, errors and VERIFY of calls with blocks that their graph does not have."""
    for name, settings in ("merged", [MERGED]), ("shared", [SHARED, nodes(2)]), ("verified", [MERGED, VERIFY]):
        yield Case(f"pattern_sent_{name}", "pattern", 8, "sent", settings=[ON, *settings], behind="counting",
                   alone=True, check_account=True, expect=["totals.failed=0"])
    # Of native calls the blocks of the graph: 4 calls of 8 processes with 2 blocks of 12 bytes.
    yield Case("pattern_sent_native", "pattern", 8, "sent", settings=[ON, NATIVE], behind="counting", alone=True,
               expect=[f"{HIDDEN}operations.{function}.{number}" for function in FUNCTIONS
                       for number in ("calls=4", "messages=64", "bytes=768")])
    yield Case("pattern_short", "pattern", 8, "short", settings=[ON, MERGED], alone=True, expect=["totals.failed=8"])
    # The MPI library's error may have a class that names no cause.
    for name, behind in ("verified", {}), ("unnamed", {"behind": "corrupting"}):
        yield Case(f"pattern_short_{name}", "pattern", 8, "short", alone=True, **behind,
                   settings=[ON, MERGED, VERIFY, "CORRUPT=unnamed"],
                   stderr=["HOPSCOTCH_VERIFY: MPI_Ialltoallv by merged.* fails with MPI_ERR_TRUNCATE"])
    for form, function in ("blocking", "MPI_Alltoallv"), ("nonblocking", "MPI_Ialltoallv"):
        yield Case(f"pattern_verified_{form}", "pattern", 8, f"verified {form}", alone=True, behind="corrupting",
                   settings=[ON, MERGED, VERIFY, "CORRUPT=data"], status=1,
                   stderr=[f"found a difference in {function} by trivial.*block 0 .from rank 2., byte 123"])
    yield Case("pattern_wrong", "pattern", 8, "wrong", settings=[ON, MERGED],
               expect=["totals.failed=48", "totals.native=48", "totals.calls=49"])
    yield Case("pattern_passed", "pattern", 4, "passed", settings=[ON],
               expect=["totals.calls=18", "totals.native=18", "totals.failed=6"])
    yield Case("pattern_star", "pattern", 8, "star", settings=[ON], expect=["totals.calls=10", "totals.native=10"])


def cases(facts):
    if not facts.openmpi: # 4.1 fails with several operations under way, natively too
        yield from random_cases()

    # The first call agrees on nothing yet. The graph is a torus in one dimension.
    yield Case("sparse_ring", "sparse", 27, "ring 40 40", settings=[ON, SHARED],
               expect=[CALLS + "algorithm=shared", CALLS + "calls=39", PASSED + "calls=1", HIDDEN + "neighbors.max=6",
                       HIDDEN + "isomorphic=true", "totals.failed=0"])
    yield Case("sparse_ring_nodes", "sparse", 27, "ring 40 40", settings=[ON, COMBINING, nodes(3)],
               expect=[CALLS + "algorithm=combining"])
    yield Case("sparse_ring_merged", "sparse", 27, "ring 5 40", settings=[ON, MERGED],
               expect=[CALLS + "algorithm=merged", CALLS + "messages=648"])
    yield Case("sparse_ring_native", "sparse", 27, "ring 5 40", settings=[ON, NATIVE],
               expect=[CALLS + "algorithm=native", CALLS + "reason~HOPSCOTCH_ALGORITHM=native"])
    # Six of nine is not sparse.
    yield Case("sparse_dense", "sparse", 9, "ring 5 40", settings=[ON],
               expect=[PASSED + "calls=5", PASSED + "reason~not sparse", "graphs.0.declined~not sparse"])
    yield Case("sparse_single", "sparse", 1, "ring 5 40", settings=[ON],
               expect=[PASSED + "calls=5", PASSED + "reason~single process"])
    # While one process waits for an operation, all others are inside other MPI calls, as in waits.py.
    for name, ranks, dimensions, settings in (("auto", 8, 1, []), ("merged", 8, 1, []), ("shared", 8, 1, []),
                                              ("trivial", 8, 1, []), ("native", 8, 1, []), ("combining", 32, 2, []),
                                              ("aggregated", 8, 1, [nodes(2)])):
        if not facts.openmpi: # as above
            yield Case(f"sparse_deadlock_{name}", "deadlock", ranks, f"{dimensions} among_all all",
                       settings=[ON, algorithm(name), LESS_WARNINGS, *settings], alone=name != "auto",
                       expect=[f"{HIDDEN}operations.{function}.algorithm={name}"
                               for function in OF_DEADLOCK if name != "auto"])
    # Freed graphs are one in the report: each goes with its communicator.
    yield Case("sparse_freed", "sparse", 12, "ring 3 40 10", settings=[ON, MERGED],
               expect=[HIDDEN + "graphs=10", CALLS + "calls=20", "totals.failed=0"])
    yield Case("sparse_between", "guests", 4, "between", settings=[ON],
               expect=[PASSED + "calls=2", PASSED + "reason~inter-communicator", "totals.failed=0"])
    if not facts.openmpi:
        yield from patterns()
    yield Case("sparse_off", "sparse", 27, "ring 5 40", expect=["totals.calls=0", "graphs=[]"])
