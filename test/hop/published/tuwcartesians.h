// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The header of a program written against the 2019 paper: its functions as the program declares them itself, by the
// names of the listings and of the published library. No macro, nothing of ours.
#ifndef PUBLISHED_TUWCARTESIANS_H
#define PUBLISHED_TUWCARTESIANS_H

#include <mpi.h>

// ---- Listings 1 to 3 and section 2

int Cart_neighborhood_create(MPI_Comm comm, int d, const int order[], const int period[], int t, const int target[],
                             const int weight[], MPI_Info info, int reorder, MPI_Comm* cart);
int Cart_relative_rank(MPI_Comm cart, const int relative[], int* rank);
int Cart_relative_shift(MPI_Comm cart, const int relative[], int* in, int* out);
int Cart_relative_coord(MPI_Comm cart, int rank, int relative[]);
int Cart_neighbor_count(MPI_Comm cart, int* t);
int Cart_neighbor_get(MPI_Comm cart, int in, int source[], int sourceweight[], int out, int target[],
                      int targetweight[]);
int Cart_alltoall(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int Cart_alltoallv(void* s, const int sn[], const int sd[], MPI_Datatype st, void* r, const int rn[], const int rd[],
                   MPI_Datatype rt, MPI_Comm cart);
int Cart_alltoallw(void* s, const int sn[], const MPI_Aint sd[], const MPI_Datatype st[], void* r, const int rn[],
                   const MPI_Aint rd[], const MPI_Datatype rt[], MPI_Comm cart);
int Cart_allgather(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int Cart_allgatherv(void* s, int sn, MPI_Datatype st, void* r, const int rn[], const int rd[], MPI_Datatype rt,
                    MPI_Comm cart);
int Cart_allgatherw(void* s, int sn, MPI_Datatype st, void* r, const int rn[], const MPI_Aint rd[],
                    const MPI_Datatype rt[], MPI_Comm cart);
int Cart_alltoall_init(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int Cart_alltoallv_init(void* s, const int sn[], const int sd[], MPI_Datatype st, void* r, const int rn[],
                        const int rd[], MPI_Datatype rt, MPI_Comm cart);
int Cart_alltoallw_init(void* s, const int sn[], const MPI_Aint sd[], const MPI_Datatype st[], void* r, const int rn[],
                        const MPI_Aint rd[], const MPI_Datatype rt[], MPI_Comm cart);
int Cart_allgather_init(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int Cart_allgatherv_init(void* s, int sn, MPI_Datatype st, void* r, const int rn[], const int rd[], MPI_Datatype rt,
                         MPI_Comm cart);
int Cart_allgatherw_init(void* s, int sn, MPI_Datatype st, void* r, const int rn[], const MPI_Aint rd[],
                         const MPI_Datatype rt[], MPI_Comm cart);

// ---- the published library

int TUW_Cart_neighborhood_create(MPI_Comm comm, int d, const int order[], const int period[], int t, const int target[],
                                 const int weight[], MPI_Info info, int reorder, MPI_Comm* cart);
int TUW_Cart_relative_rank(MPI_Comm cart, const int relative[], int* rank);
int TUW_Cart_relative_shift(MPI_Comm cart, const int relative[], int* in, int* out);
int TUW_Cart_relative_coord(MPI_Comm cart, int rank, int relative[]);
int TUW_Cart_neighbors_count(MPI_Comm cart, int* out, int* in);
int TUW_Cart_neighbors(MPI_Comm cart, int in, int source[], int out, int target[]);
int TUW_Cart_neighborhood_count(MPI_Comm cart, int* t);
int TUW_Cart_neighborhood_get(MPI_Comm cart, int in, int source[], int sourceweight[], int out, int target[],
                              int targetweight[]);
int TUW_Cart_neighborhood_get_relative(MPI_Comm cart, int t, int target[], int weight[]);
int TUW_Cart_neighborhood_find_rank(MPI_Comm cart, int rank, int in, int source[], int* inmult, int out, int target[],
                                    int* outmult);
int TUW_Cart_neighborhood_find_coord(MPI_Comm cart, const int relative[], int in, int source[], int* inmult, int out,
                                     int target[], int* outmult);
int TUW_Cart_neighbor_alltoall(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int TUW_Cart_neighbor_alltoallv(void* s, const int sn[], const int sd[], MPI_Datatype st, void* r, const int rn[],
                                const int rd[], MPI_Datatype rt, MPI_Comm cart);
int TUW_Cart_neighbor_alltoallw(void* s, const int sn[], const MPI_Aint sd[], const MPI_Datatype st[], void* r,
                                const int rn[], const MPI_Aint rd[], const MPI_Datatype rt[], MPI_Comm cart);
int TUW_Cart_neighbor_allgather(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int TUW_Cart_neighbor_allgatherv(void* s, int sn, MPI_Datatype st, void* r, const int rn[], const int rd[],
                                 MPI_Datatype rt, MPI_Comm cart);
int TUW_Cart_neighbor_allgatherw(void* s, int sn, MPI_Datatype st, void* r, const int rn[], const MPI_Aint rd[],
                                 const MPI_Datatype rt[], MPI_Comm cart);
int TUW_Cart_neighbor_alltoall_init(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int TUW_Cart_neighbor_alltoallv_init(void* s, int sn[], int sd[], MPI_Datatype st, void* r, int rn[], int rd[],
                                     MPI_Datatype rt, MPI_Comm cart);
int TUW_Cart_neighbor_alltoallw_init(void* s, int sn[], int sd[], MPI_Datatype st[], void* r, int rn[], int rd[],
                                     MPI_Datatype rt[], MPI_Comm cart);
int TUW_Cart_neighbor_allgather_init(void* s, int sn, MPI_Datatype st, void* r, int rn, MPI_Datatype rt, MPI_Comm cart);
int TUW_Cart_neighbor_allgatherv_init(void* s, int sn, MPI_Datatype st, void* r, int rn[], int rd[], MPI_Datatype rt,
                                      MPI_Comm cart);
int TUW_Cart_neighbor_allgatherw_init(void* s, int sn, MPI_Datatype st, void* r, int rn[], int rd[], MPI_Datatype rt[],
                                      MPI_Comm cart);
int TUW_Cart_neighbor_alltoall_free(MPI_Comm cart);
int TUW_Cart_neighbor_allgather_free(MPI_Comm cart);

#endif
