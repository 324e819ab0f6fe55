// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The header of a program written against the 2008 proposal: its functions as the program declares them itself.
#ifndef PUBLISHED_MPI2_TOPOLOGICAL_H
#define PUBLISHED_MPI2_TOPOLOGICAL_H

#include <mpi.h>

int MPI_Neighbor_xchg(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm comm);
int MPI_Neighbor_xchgv(void* s, int sn[], int sd[], MPI_Datatype st, void* r, int rn[], int rd[], MPI_Datatype rt,
                       MPI_Comm comm);
int MPI_Comm_neighbors_count(MPI_Comm comm, int rank, int* n);
int MPI_Comm_neighbors(MPI_Comm comm, int rank, int n, int neighbors[]);
int MPI_Cart_shift_xchg(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int direction, int disp,
                        MPI_Comm comm);

#endif
