# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Resources that one process or all cannot have: every process does without, and the report gives the reason."""

from case import AGGREGATED, ALLTOALL, LESS_WARNINGS, SHARED, Case, nodes

STENCIL = "-d 2 -c -i 20"


def resources():
    """By librefusing.so."""
    for function, rank in ("memfd_create", 0), ("ftruncate", 0), ("open", 2), ("mmap", 3), ("fallocate", 1):
        refuse = [f"REFUSE={function}", f"REFUSE_RANK={rank}"]
        yield Case(f"refused_shared_{function}", "stencil", 4, STENCIL, settings=[SHARED, *refuse], behind="refusing",
                   quick=function == "mmap",
                   expect=[ALLTOALL + "reason~no memory is shared", "totals.calls=40", "totals.failed=0"])
        yield Case(f"refused_aggregated_{function}", "stencil", 4, STENCIL, settings=[AGGREGATED, nodes(2), *refuse],
                   behind="refusing", expect=[ALLTOALL + "algorithm=merged", "totals.failed=0"])
    yield Case("refused_nothing", "stencil", 4, STENCIL, settings=[SHARED, "REFUSE=nothing"], behind="refusing",
               expect=["totals.native=0", "totals.failed=0", "copied_twice=null"])
    yield Case("refused_reading", "varying", 4, "random 11 10", alone=True, behind="refusing",
               settings=[SHARED, "HOPSCOTCH_ONE_COPY=1", "HOPSCOTCH_LOG=info", "REFUSE=process_vm_readv",
                         "REFUSE_RANK=1"],
               expect=["copied_twice~process_vm_readv"], stderr=["info: large blocks are copied twice"])
    for name, settings, shown in (("on", ["HOPSCOTCH_PTRACER=on"], {"stderr": ["all processes may read this one"]}),
                                  ("off", [], {"quiet": True})):
        yield Case(f"ptracer_{name}", "stencil", 2, "-d 2 -i 1", settings=[SHARED, "REFUSE=tracers", *settings],
                   alone=True, behind="refusing", **shown)
    yield Case("refused_auto", "long_run", 4, "3 500", settings=["REFUSE=mmap", "REFUSE_RANK=1"], alone=True,
               behind="refusing", expect=["totals.calls=500", "totals.failed=0"], soak=True)


def clock(facts):
    """With a clock that goes back MPICH from 4.1 on waits for ever by itself."""
    waits = not facts.older_than(4, 1)
    yield Case("clock_back", "long_run", 4, "4 1000", settings=["REFUSE=clock"], alone=True, behind="refusing",
               expect=["totals.calls=1000", "totals.time_s>-1", "totals.time_s<1000", "elapsed_s>-1", "elapsed_s<1000"],
               lacking="this MPI library needs a clock that goes on" if waits else "")


def memory():
    """No memory for one allocation of the shim on one process: all do without, or the job ends with a line that says
    why."""
    for moment, first, last in ("create", 1, 8), ("duplicate", 1, 14):
        yield Case(f"refused_memory_{moment}", "memory", 3, f"{moment} {first} {last}", alone=True, behind="refusing",
                   expect=["totals.failed=0", "graphs.unknown.operations.0.reason~could not look",
                           "graphs.unknown.operations.1.function=MPI_Neighbor_alltoall"], # one reason for each function
                   stderr=["could not be looked at"])
    yield Case("refused_memory_later", "memory", 3, "create 60 60", alone=True, no_report=True, status=2,
               behind="refusing", stderr=["hopscotch.1. error: no memory to prepare a communicator"])
    yield Case("refused_memory_init", "memory", 3, "init 1 1", alone=True, no_report=True, status=None,
               behind="refusing", stderr=["Fatal error.*memory"])
    yield Case("refused_memory_report", "memory", 3, "report 1 1", alone=True, no_report=True, status=2,
               behind="refusing", stderr=["hopscotch.1. error: no memory to gather the report"])


def steps():
    """By libfaulty.so: a call of the set-up fails, one after the other. On all processes the MPI library carries the
    calls; a process on which alone it failed ends the job, since others wait for it."""
    # No sample keeps a process group. libunwind, which opens a pipe, is not loaded.
    settings = ["HOPSCOTCH_BASELINE=off", "HOPSCOTCH_CALLSITES=off", LESS_WARNINGS]
    for name, which, machine in (("mpi", "mpi all", 1), ("nodes", "mpi all", 2), ("system", "system all", 1),
                                 ("system_0", "system 0", 1), ("system_1", "system 1", 1),
                                 ("memory", "memory 0 1 12", 1), ("init", "Init all", 1),
                                 ("silent", "none all", 1)):
        yield Case(f"stepwise_{name}", "stepwise", 2, which, settings=[*settings, nodes(machine)], alone=True,
                   behind="faulty left", quick=name in ("system_1", "silent"), expect=["totals.failed=0"])
    for which in "Allgather 1", "Allreduce 2": # of the first graph, over our communicator of all processes
        name, number = which.split()
        yield Case(f"stepwise_world_{name}", "stepwise", 2, f"{name} all world {number}", settings=settings, alone=True,
                   behind="faulty", expect=["totals.failed=0", "totals.native>0"])
    for which in "Comm_create_group", "Allgather", "Bcast", "Isend", "Irecv":
        yield Case(f"stepwise_alone_{which}", "stepwise", 2, f"{which} 1", settings=settings, alone=True,
                   behind="faulty", status=1, expect=["partial~an MPI function failed"],
                   stderr=["hopscotch.1. error: an MPI function has failed on this process alone"])


def cases(facts):
    if facts.openmpi:
        return
    yield from resources()
    yield from clock(facts)
    yield from memory()
    yield from steps()
    # Handles of the standard ABI are no one's but its own.
    for name, settings in ("standard_abi", []), ("standard_abi_off", ["HOPSCOTCH=off"]):
        yield Case(name, "stencil", 4, STENCIL, settings=settings, no_report=True, behind="standard_abi",
                   stderr=["standard ABI of MPI 5.0; all calls pass"])
