# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Communicators that come and go, one after the other or many at once: those alike, made in one place, are kept as
one."""

from case import COMBINING, MERGED, NATIVE, OPERATIONS, SHARED, VERIFY, Case, algorithm, nodes

SPARSE = "HOPSCOTCH_ALLTOALLV=on"


def left():
    """All objects of the MPI library are given back: libleft.so names those that are not."""
    for name, program, ranks, arguments, settings in (
            ("requests", "lifetimes", 4, "requests", [MERGED]),
            ("freed", "lifetimes", 4, "freed", [MERGED]),
            ("sparse", "lifetimes", 8, "freed_sparse", [MERGED, SPARSE]),
            ("alone", "alone", 4, "orders 1000", []),
            ("verified", "verified", 4, "persistent", [VERIFY, MERGED]),
            ("types", "varying", 3, "random 5 3", [MERGED]),
            ("nonblocking", "nonblocking", 3, "random 5 3", [COMBINING]),
            ("failed", "failing", 3, "", [COMBINING]),
            ("mapped", "keys", 4, "ring hopscotch_reorder=on", [nodes(2)]),
            ("device", "nonblocking", 2, "random 5 3", [NATIVE, "DEVICE_BUFFERS=mixed"])):
        yield Case(f"left_{name}", program, ranks, arguments, settings=settings, alone=True,
                   behind="left_device" if name == "device" else "left")


def cases(facts):
    yield Case("lifetimes_cycles", "lifetimes", 4, "cycles 300", settings=[MERGED],
               expect=["graphs.0.graphs=300", "graphs.0.operations.MPI_Neighbor_alltoall.calls=300",
                       "graphs.1.graphs=1", "totals.calls=602"], quick=True)
    # Graphs alike that go away are counted as one, with calls and without.
    yield Case("lifetimes_cycles_native", "lifetimes", 4, "cycles 300", settings=[NATIVE],
               expect=["graphs.0.graphs=300", "graphs.0.operations.MPI_Neighbor_alltoall.calls=300",
                       "totals.native=602"])
    yield Case("lifetimes_unused_native", "lifetimes", 4, "unused", settings=[NATIVE],
               expect=["graphs.0.graphs=10", "totals.accelerated=0"], quick=True)
    yield Case("lifetimes_idup", "lifetimes", 4, "idup",
               expect=[f"graphs.unknown.operations.{function}.reason~made by a nonblocking call"
                       for function in ("MPI_Neighbor_alltoall", "MPI_Ineighbor_alltoall")]
               + ["totals.native=4", "totals.failed=1",
                  "graphs.unknown.operations.MPI_Ineighbor_alltoall.time_s.total>0"])
    site = OPERATIONS + "MPI_Ineighbor_alltoall.call_sites.0."
    persistent = [OPERATIONS + "MPI_Neighbor_alltoall_init.call_sites.0.calls=3"]
    yield Case("lifetimes_requests", "lifetimes", 4, "requests", settings=["HOPSCOTCH_CALLSITES=call", MERGED],
               expect=["graph.call_site.1~lifetimes", site + "calls=5", site + "time_s.total>0",
                       site + "call_site.0~lifetimes",
                       *(persistent if facts.has_persistent else [])])
    # In six places graphs are used after eight that were not. Every seventh needs new tags with Open MPI, and is set
    # up at once.
    yield Case("lifetimes_unused", "lifetimes", 4, "unused", settings=[SHARED, "HOPSCOTCH_SET_UP_AFTER=auto"],
               expect=["graphs.0.graphs=10", "graphs.0.operations.MPI_Neighbor_alltoall.algorithm=shared",
                       "graphs.2.graphs=1", "graphs.2.declined~went away unused",
                       "totals.native>0" if facts.openmpi else "totals.native=2",
                       f"totals.calls={36 if facts.has_persistent else 34}"], quick=True)
    yield Case("lifetimes_freed", "lifetimes", 4, "freed", settings=[MERGED], alone=True, quick=True)
    yield Case("lifetimes_freed_sparse", "lifetimes", 8, "freed_sparse", settings=[MERGED, SPARSE],
               alone=True, expect=["graphs.MPI_Alltoallv.operations.MPI_Ialltoallv.failed=1"])
    # After eight graphs the search for a grid fails, in a call.
    if not facts.openmpi: # 4.1 crashes at MPI_PROC_NULL in a list, natively too
        yield Case("lifetimes_unprepared", "renewed", 4, "other 5 30",
                   settings=["CORRUPT=graphs", "HOPSCOTCH_SET_UP_AFTER=3"], alone=True,
                   behind="corrupting",
                   stderr=["a communicator could not be set up .* the MPI library carries its calls"])

    # The set-up waits for calls, as a setting says or as graphs of the same place went away after few.
    late = "HOPSCOTCH_SET_UP_AFTER"
    called = ["totals.calls>0"]
    carried_late = [*called, "totals.accelerated>0"]
    for after in 0, 1, 3, 10:
        yield Case(f"renewed_{after}", "renewed", 4, f"40 {after + 1}", settings=[f"{late}={after}"],
                   quick=after == 3, expect=carried_late if after < 10 else called)
        yield Case(f"renewed_blocking_{after}", "renewed", 3, f"40 {after + 11} blocking",
                   settings=[f"{late}={after}"], expect=carried_late)
    for ranks in 1, 2, 4, 9:
        yield Case(f"renewed_auto_{ranks}", "renewed", ranks, f"60 {ranks + 20}", settings=[f"{late}=auto"])
        yield Case(f"renewed_auto_blocking_{ranks}", "renewed", ranks, f"60 {ranks + 30} blocking",
                   settings=[f"{late}=auto"])
        yield Case(f"renewed_threads_{ranks}", "renewed", ranks, f"40 {ranks + 40} threads", settings=[f"{late}=3"],
                   expect=called)
    for name, setting in (("nodes", nodes(2)), ("verified", VERIFY), ("combining", COMBINING)):
        yield Case(f"renewed_{name}", "renewed", 4, "40 50", settings=[f"{late}=3", setting])
    # Calls on each of ten graphs, and on a last one: after two graphs with at most ten calls the next wait for ten,
    # unless they have the lists of an earlier one, and all processes are on one node.
    for lists, calls, last, after, native in (
            ("other", 1, 30, "auto", 8 * 1 + 10), ("other", 11, 30, "auto", 0), ("other", 5, 30, "0", 0),
            ("like", 5, 30, "auto", 0), ("like", 5, 30, "3", 11 * 3), ("like", 5, 5, "1000", 10 * 5 + 5)):
        if lists == "other" and facts.openmpi: # as above
            continue
        carried = 10 * calls + last - native
        why = [] if carried else ["graphs.0.operations.0.reason~call on Hopscotch carries them"]
        yield Case(f"renewed_{lists}_{calls}_{last}_{after}", "renewed", 4, f"{lists} {calls} {last}",
                   settings=[f"{late}={after}", "HOPSCOTCH_TRIALS=off"], quick=native == 18,
                   expect=[f"totals.native={native}", f"totals.accelerated={carried}", *why])

    if not facts.openmpi: # which makes communicators and requests by other functions
        yield from left()

    # The time of an exchange by itself is measured at the end: as far as there is time, and no process waits for ever.
    for milliseconds in 0, 1000:
        yield Case(f"alone_orders_{milliseconds}", "alone", 4, f"orders {milliseconds}", expect=["totals.failed=0"])
        yield Case(f"alone_half_{milliseconds}", "alone", 4, f"half {milliseconds}", expect=["totals.failed=0"])
    yield Case("alone_nodes", "alone", 4, "half 1000", settings=[nodes(2)], expect=["totals.failed=0"])
    yield Case("alone_off", "alone", 4, "orders 1000", settings=["HOPSCOTCH_BASELINE=off"],
               expect=["graphs.0.alone=[]", "graphs.1.alone=[]", "bottom_line~not measured"])
    yield Case("alone_verified", "alone", 2, "orders 1000", settings=["HOPSCOTCH_VERIFY=on"],
               expect=["graphs.0.alone=[]", "totals.differences=0"])
    yield Case("alone_failed", "alone", 4, "failed 1000", expect=["graphs.0.alone=[]", "totals.failed=1"], alone=True)
