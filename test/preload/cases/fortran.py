# SPDX-FileCopyrightText: 2026 The Hopscotch authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fortran: calls arrive as MPI_X (mpif.h, use mpi) or as PMPI_X (use mpi_f08)."""

from case import COMBINING, ISOMORPHIC, MOORE_2D, OPERATIONS, Case


def cases(facts):
    yield Case("fortran_mpif", "fortran_mpif", 9, settings=[COMBINING],
               expect=[*MOORE_2D, "graph.grid.found=recorded"], check_messages=True)
    yield Case("fortran_mpi", "fortran_mpi", 8, settings=[COMBINING],
               expect=[ISOMORPHIC, "graph.grid.found=parent", "graph.rounds=3"], check_messages=True)
    yield Case("fortran_requests", "fortran_requests", 9, settings=[COMBINING],
               expect=[OPERATIONS + "MPI_Ineighbor_allgather.algorithm=combining",
                       OPERATIONS + "MPI_Ineighbor_allgather.calls=4",
                       OPERATIONS + "MPI_Neighbor_alltoallv_init.calls=4"])
    yield Case("fortran_requests_mpif", "fortran_requests_mpif", 9, settings=[COMBINING],
               expect=[OPERATIONS + "MPI_Ineighbor_alltoallv.calls=4",
                       OPERATIONS + "MPI_Neighbor_alltoallv_init.calls=4"])
    yield Case("fortran_f08", "fortran_f08", 9, settings=[COMBINING],
               expect=[*MOORE_2D, "graph.grid.found=recorded",
                       "graphs.MPI_Comm_dup.operations.MPI_Neighbor_alltoall.calls=4"], check_messages=True,
               quick=True)
