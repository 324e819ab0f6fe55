// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The header of a program written against the 2020 paper: its functions as the program declares them itself, by the
// names of the listings and of the published library, with its constants. Nothing of ours.
#ifndef PUBLISHED_MPIORTHOLIB_H
#define PUBLISHED_MPIORTHOLIB_H

#include <mpi.h>

enum { ROWMAJOR = 1, COLMAJOR = 2, MANHATTAN_DISTANCE = 1, CHEBYCHEV_DISTANCE = 2 };
enum { TUW_ROWMAJOR = 1, TUW_COLMAJOR = 2, TUW_MANHATTAN_DISTANCE = 1, TUW_CHEBYCHEV_DISTANCE = 2 };

// ---- Listings 1 to 6

int Comm_base(MPI_Comm comm, MPI_Comm* base);
int Cart_name(MPI_Comm comm, int d, int dimorder, int order[], int period[], int* size);
int Cart_test(MPI_Comm comm, int* flag, int* d, int* size);
int Cart_get(MPI_Comm comm, int* dimorder, int d, int order[], int period[]);
int Cart_rank(MPI_Comm comm, int coordinates[], int* rank);
int Cart_coordinates(MPI_Comm comm, int rank, int coordinates[]);
int Cart_relative_rank(MPI_Comm comm, int source, int relative[], int* rank);
int Cart_relative_coordinates(MPI_Comm comm, int source, int dest, int relative[]);
int Cart_relative_shift(MPI_Comm comm, int rank, int relative[], int* in, int* out);
int Cart_allranks(MPI_Comm comm, int n, int coordinates[], int ranks[]);
int Cart_allranks_relative(MPI_Comm comm, int source, int n, const int relatives[], int ranks[]);
int Cart_create_sub(MPI_Comm comm, int dimension[], MPI_Comm* sub);
int Cart_neighbors_count(MPI_Comm comm, int rank, int metric, int shadow, int depth, int* n);
int Cart_neighbors(MPI_Comm comm, int rank, int metric, int shadow, int depth, int n, int neighbors[]);

// ---- the published library

int TUW_Comm_base(MPI_Comm comm, MPI_Comm* base);
int TUW_Cart_name(MPI_Comm comm, int d, int dimorder, int order[], int period[], int* size);
int TUW_Cart_test(MPI_Comm comm, int* flag, int* d, int* size);
int TUW_Cart_testall(MPI_Comm comm, int* flag, int* d, int* size);
int TUW_Cart_get(MPI_Comm comm, int* dimorder, int d, int order[], int period[]);
int TUW_Cart_rank(MPI_Comm comm, int coordinates[], int* rank);
int TUW_Cart_coordinates(MPI_Comm comm, int rank, int coordinates[]);
int TUW_Cart_relative_rank(MPI_Comm comm, int source, int relative[], int* rank);
int TUW_Cart_relative_coordinates(MPI_Comm comm, int source, int dest, int relative[]);
int TUW_Cart_relative_shift(MPI_Comm comm, int rank, int relative[], int* in, int* out);
int TUW_Cart_allranks(MPI_Comm comm, int n, int coordinates[], int ranks[]);
int TUW_Cart_allranks_relative(MPI_Comm comm, int source, int n, int relatives[], int ranks[]);
int TUW_Cart_neighbors_count(MPI_Comm comm, int rank, int metric, int shadow, int depth, int* n);
int TUW_Cart_neighbors(MPI_Comm comm, int rank, int metric, int shadow, int depth, int n, int neighbors[]);
int TUW_Cart_stencil_count(MPI_Comm comm, int metric, int depth, int* n);
int TUW_Cart_stencil(MPI_Comm comm, int metric, int depth, int n, int coordinates[]);
int TUW_Cart_stencil_diff(MPI_Comm comm, int n0, int list0[], int n1, int list1[], int* n, int list[]);
int TUW_Cart_create_sub(MPI_Comm comm, int dimension[], MPI_Comm* sub);
int TUW_Comm_subgraph(MPI_Comm graph, MPI_Comm sub, MPI_Comm* subgraph);
int tuw_isCartesian(MPI_Comm comm, MPI_Comm graph);

int TUW_Barrier(MPI_Comm comm);
int TUW_Bcast(void* b, int n, MPI_Datatype t, int root, MPI_Comm comm);
int TUW_Gather(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root, MPI_Comm comm);
int TUW_Gatherv(void* s, int sn, MPI_Datatype st, void* r, int rn[], int rd[], MPI_Datatype rt, int root,
                MPI_Comm comm);
int TUW_Scatter(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root, MPI_Comm comm);
int TUW_Scatterv(void* s, int sn[], int sd[], MPI_Datatype st, void* r, int rn, MPI_Datatype rt, int root,
                 MPI_Comm comm);
int TUW_Allgather(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm comm);
int TUW_Allgatherv(void* s, int sn, MPI_Datatype st, void* r, int rn[], int rd[], MPI_Datatype rt, MPI_Comm comm);
int TUW_Alltoall(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm comm);
int TUW_Alltoallv(void* s, int sn[], int sd[], MPI_Datatype st, void* r, int rn[], int rd[], MPI_Datatype rt,
                  MPI_Comm comm);
int TUW_Alltoallw(void* s, int sn[], MPI_Aint sd[], MPI_Datatype st[], void* r, int rn[], MPI_Aint rd[],
                  MPI_Datatype rt[], MPI_Comm comm);
int TUW_Reduce(void* s, void* r, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm comm);
int TUW_Allreduce(void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm);
int TUW_Reduce_scatter_block(void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm);
int TUW_Reduce_scatter(void* s, void* r, int n[], MPI_Datatype t, MPI_Op op, MPI_Comm comm);
int TUW_Scan(void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm);
int TUW_Exscan(void* s, void* r, int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm);

#endif
