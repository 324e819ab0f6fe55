/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * The names of "Cartesian Collective Communication" (ICPP 2019) for programs written against them: those of the paper's
 * listings (Cart_alltoall) and as in its published library (TUW_Cart_neighbor_alltoall). Such programs compile
 * unchanged with this directory in the include path. Functions and their documentation: <hopscotch/cartesian.h>. Not to
 * be included together with mpiortholib.h: the two papers give different functions the same names.
 */
#ifndef HOPSCOTCH_TUWCARTESIANS_H
#define HOPSCOTCH_TUWCARTESIANS_H

#ifdef HOPSCOTCH_MPIORTHOLIB_H
#error "tuwcartesians.h and mpiortholib.h give different functions the same names; include one of them"
#endif

#include <hopscotch.h>

/* ---- as in the paper's listings */

#define Cart_neighborhood_create Hop_Cart_neighborhood_create
#define Cart_relative_rank Hop_Cart_relative_rank
#define Cart_relative_shift Hop_Cart_relative_shift
#define Cart_relative_coord Hop_Cart_relative_coord
#define Cart_neighbor_count Hop_Cart_neighbor_count
#define Cart_neighbor_get Hop_Cart_neighbor_get
#define Cart_alltoall Hop_Cart_alltoall
#define Cart_alltoallv Hop_Cart_alltoallv
#define Cart_alltoallw Hop_Cart_alltoallw
#define Cart_allgather Hop_Cart_allgather
#define Cart_allgatherv Hop_Cart_allgatherv
#define Cart_allgatherw Hop_Cart_allgatherw
#define Cart_alltoall_init Hop_Cart_alltoall_init
#define Cart_alltoallv_init Hop_Cart_alltoallv_init
#define Cart_alltoallw_init Hop_Cart_alltoallw_init
#define Cart_allgather_init Hop_Cart_allgather_init
#define Cart_allgatherv_init Hop_Cart_allgatherv_init
#define Cart_allgatherw_init Hop_Cart_allgatherw_init

/* ---- as in the published library */

#define TUW_CART_GRAPH (MPI_GRAPH + MPI_CART + MPI_DIST_GRAPH)

#define TUW_Cart_neighborhood_create Hop_Cart_neighborhood_create
#define TUW_Cart_relative_rank Hop_Cart_relative_rank
#define TUW_Cart_relative_shift Hop_Cart_relative_shift
#define TUW_Cart_relative_coord Hop_Cart_relative_coord
#define TUW_Cart_neighbors_count Hop_Cart_axis_neighbors_count
#define TUW_Cart_neighbors Hop_Cart_axis_neighbors
#define TUW_Cart_neighborhood_count Hop_Cart_neighbor_count
#define TUW_Cart_neighborhood_get Hop_Cart_neighbor_get
#define TUW_Cart_neighborhood_get_relative Hop_Cart_neighbor_get_relative
#define TUW_Cart_neighborhood_find_rank Hop_Cart_neighbor_find_rank
#define TUW_Cart_neighborhood_find_coord Hop_Cart_neighbor_find_coord
#define TUW_Cart_neighbor_alltoall Hop_Cart_alltoall
#define TUW_Cart_neighbor_alltoallv Hop_Cart_alltoallv
#define TUW_Cart_neighbor_alltoallw Hop_Cart_alltoallw
#define TUW_Cart_neighbor_allgather Hop_Cart_allgather
#define TUW_Cart_neighbor_allgatherv Hop_Cart_allgatherv
#define TUW_Cart_neighbor_allgatherw Hop_Cart_allgatherw
#define TUW_Cart_neighbor_alltoall_init Hop_Cart_alltoall_init
#define TUW_Cart_neighbor_alltoallv_init Hop_Cart_alltoallv_init
#define TUW_Cart_neighbor_allgather_init Hop_Cart_allgather_init
#define TUW_Cart_neighbor_allgatherv_init Hop_Cart_allgatherv_init
#define TUW_Cart_neighbor_alltoall_free Hop_Cart_alltoall_free
#define TUW_Cart_neighbor_allgather_free Hop_Cart_allgather_free

#ifdef __cplusplus
extern "C" {
#endif

/* The published header gives the w forms of _init displacements of type int, but the operations take MPI_Aint. An _init
 * needs no displacements, so either is served; they must only be there. */

static inline int TUW_Cart_neighbor_alltoallw_init(const void* sendbuf, const int sendcounts[], const void* sdispls,
                                                   const MPI_Datatype sendtypes[], void* recvbuf,
                                                   const int recvcounts[], const void* rdispls,
                                                   const MPI_Datatype recvtypes[], MPI_Comm cartcomm)
{
    return Hop_Cart_alltoallw_init(sendbuf, sendcounts, (const MPI_Aint*)sdispls, sendtypes, recvbuf, recvcounts,
                                   (const MPI_Aint*)rdispls, recvtypes, cartcomm);
}

static inline int TUW_Cart_neighbor_allgatherw_init(const void* sendbuf, int sendcount, MPI_Datatype sendtype,
                                                    void* recvbuf, const int recvcounts[], const void* rdispls,
                                                    const MPI_Datatype recvtypes[], MPI_Comm cartcomm)
{
    return Hop_Cart_allgatherw_init(sendbuf, sendcount, sendtype, recvbuf, recvcounts, (const MPI_Aint*)rdispls,
                                    recvtypes, cartcomm);
}

#ifdef __cplusplus
}
#endif

#endif
