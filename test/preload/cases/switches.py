# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Settings that switch something on or off, and programs that do."""

from case import ALLTOALL, COMBINING, MOORE_2D, SHARED, Case, once


def cases(facts):
    yield Case("off", "stencil", 4, settings=["HOPSCOTCH=off"], no_report=True, quiet=True, quick=True)
    yield Case("off_orthogonal", "stencil", 2, settings=["HOPSCOTCH=off", "HOPSCOTCH_SEMANTICS=orthogonal"],
               no_report=True, stderr=[once("HOPSCOTCH_SEMANTICS=orthogonal is without effect")])
    yield Case("info", "varying", 4, "dims=4 parent=shuffled stencil=star:1", settings=["HOPSCOTCH_LOG=info"],
               alone=True, stderr=[r"\A\S+ info: the report is in \S+\nhopscotch: .*\n\Z"]) # nothing else to tell
    yield Case("report_off", "stencil", 4, settings=["HOPSCOTCH_REPORT=off"], no_report=True, quiet=True)
    yield Case("unknown_variable", "stencil", 2, settings=["HOPSCOTCH_ALGORITM=native"],
               expect=["totals.accelerated>0"],
               stderr=["HOPSCOTCH_ALGORITM.*HOPSCOTCH_ALGORITHM", once("ALGORITM is no setting")])
    yield Case("invalid_value", "stencil", 2, alone=True, no_report=True, status=2, quick=True,
               settings=["HOPSCOTCH_ALGORITHM=fastest", "HOPSCOTCH_YIELD=perhaps"],
               stderr=["HOPSCOTCH_ALGORITHM.*fastest.*combining", once("error: HOPSCOTCH_ALGORITHM=fastest"),
                       once("error: HOPSCOTCH_YIELD=perhaps")])
    # The families that have MPICH's interface; they cannot be asked which processes are without the library.
    libraries = {"intel": "Intel(R) MPI Library 2021.5 for Linux* OS", "mvapich": "MVAPICH2 Version      : 2.3.7",
                 "cray": "MPI VERSION    : CRAY MPICH version 8.1.27", "parastation": "ParaStation MPI 5.9"}
    for name, version in libraries.items() if facts.mpi == "mpich" else ():
        yield Case(f"library_{name}", "stencil", 2, "-i 5", settings=[f"LIBRARY={version}"], behind="limiting",
                   expect=["totals.accelerated=10"], quick=name == "mvapich")
    yield Case("library_other", "stencil", 2, "-i 5", settings=["LIBRARY=Other MPI 1.0"], behind="limiting",
               no_report=True, lacking="" if facts.mpi == "mpich" else "its name does not tell its family",
               stderr=[once("built for MPICH, but the program uses Other MPI 1.0; all calls pass straight through")])
    yield Case("cutoff", "varying", 9, "dims=3x3 counts=1,200,2,100", settings=[COMBINING, "HOPSCOTCH_CUTOFF=100"],
               expect=MOORE_2D)
    yield Case("cutoff_large", "stencil", 4, "-d 2 -n 1000 -i 3", settings=[COMBINING, "HOPSCOTCH_CUTOFF=100"],
               expect=[ALLTOALL + "algorithm=merged"])
    # In front of the shared memory there is room for 8240 bytes: 8 blocks of 257 ints, or one of 2060.
    yield Case("front", "varying", 9, "dims=3x3 counts=257,258,2060,2061,1", settings=[SHARED])
    yield Case("pcontrol", "pcontrol", 4)
    yield Case("asymmetric", "asymmetric", 4, expect=["graphs.MPI_Graph_create.declined~the lists disagree"])
