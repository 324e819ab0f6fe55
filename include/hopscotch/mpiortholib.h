/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * The names of "Collectives and Communicators: A Case for Orthogonality" (EuroMPI 2020) for programs written against
 * them: those of the paper's listings (Cart_name) and those of its published library (TUW_Cart_name). Such programs
 * compile unchanged with this directory in the include path. Functions and their documentation: <hopscotch/naming.h>
 * and <hopscotch/orthogonal.h>. If the paper and the library differ, the names of each keep their own meaning:
 * Cart_neighbors gives offsets, TUW_Cart_neighbors ranks.
 *
 * The listings also use MPI's own names with the proposed meaning (MPI_Allreduce on a graph communicator). With
 * HOPSCOTCH_ORTHOGONAL_NAMES defined before this header, those names have it in the including file; or run the program
 * with HOPSCOTCH_SEMANTICS=orthogonal. Without either they keep MPI's meaning.
 * Not to be included together with tuwcartesians.h: the two papers give different functions the same names.
 */
#ifndef HOPSCOTCH_MPIORTHOLIB_H
#define HOPSCOTCH_MPIORTHOLIB_H

#ifdef HOPSCOTCH_TUWCARTESIANS_H
#error "tuwcartesians.h and mpiortholib.h give different functions the same names; include one of them"
#endif

#include <hopscotch.h>

/* ---- as in the paper's listings */

#define ROWMAJOR HOP_ROWMAJOR
#define COLMAJOR HOP_COLMAJOR
#define MANHATTAN_DISTANCE HOP_MANHATTAN_DISTANCE
#define CHEBYCHEV_DISTANCE HOP_CHEBYCHEV_DISTANCE

#define Comm_base Hop_Comm_base
#define Cart_name Hop_Cart_name
#define Cart_test Hop_Cart_test
#define Cart_get Hop_Cart_get
#define Cart_rank Hop_Cart_rank
#define Cart_coordinates Hop_Cart_coordinates
#define Cart_relative_rank Hop_Cart_relative_rank_from
#define Cart_relative_coordinates Hop_Cart_relative_coordinates
#define Cart_relative_shift Hop_Cart_relative_shift_from
#define Cart_allranks_relative Hop_Cart_allranks_relative
#define Cart_create_sub Hop_Cart_create_sub
#define Cart_neighbors_count Hop_Cart_neighbors_count
#define Cart_neighbors Hop_Cart_neighbors

/* Listing 4 declares Cart_allranks(comm, n, coordinates, ranks); Listing 7 calls it with a source rank, as
 * Cart_allranks_relative. Both are served, by the number of arguments. */
#define Cart_allranks(...)                                                                                             \
    HOPSCOTCH_SIXTH(__VA_ARGS__, Hop_Cart_allranks_relative, Hop_Cart_allranks, HOPSCOTCH_NONE, HOPSCOTCH_NONE)        \
    (__VA_ARGS__)
#define HOPSCOTCH_SIXTH(a, b, c, d, e, sixth, ...) sixth

/* ---- as in the published library */

#define TUW_ROWMAJOR HOP_ROWMAJOR
#define TUW_COLMAJOR HOP_COLMAJOR
#define TUW_MANHATTAN_DISTANCE HOP_MANHATTAN_DISTANCE
#define TUW_CHEBYCHEV_DISTANCE HOP_CHEBYCHEV_DISTANCE

#define TUW_Comm_base Hop_Comm_base
#define TUW_Comm_subgraph Hop_Comm_subgraph
#define TUW_Cart_name Hop_Cart_name
#define TUW_Cart_test Hop_Cart_test
#define TUW_Cart_testall Hop_Cart_testall
#define TUW_Cart_get Hop_Cart_get
#define TUW_Cart_rank Hop_Cart_rank
#define TUW_Cart_coordinates Hop_Cart_coordinates
#define TUW_Cart_relative_rank Hop_Cart_relative_rank_from
#define TUW_Cart_relative_coordinates Hop_Cart_relative_coordinates
#define TUW_Cart_relative_shift Hop_Cart_relative_shift_from
#define TUW_Cart_allranks Hop_Cart_allranks
#define TUW_Cart_allranks_relative Hop_Cart_allranks_relative
#define TUW_Cart_create_sub Hop_Cart_create_sub
#define TUW_Cart_neighbors_count Hop_Cart_neighbors_count
#define TUW_Cart_neighbors Hop_Cart_neighbors_ranks
#define TUW_Cart_stencil_count Hop_Cart_stencil_count
#define TUW_Cart_stencil Hop_Cart_stencil
#define TUW_Cart_stencil_diff Hop_Cart_stencil_diff

#define TUW_Barrier Hop_Barrier
#define TUW_Bcast Hop_Bcast
#define TUW_Gather Hop_Gather
#define TUW_Gatherv Hop_Gatherv
#define TUW_Scatter Hop_Scatter
#define TUW_Scatterv Hop_Scatterv
#define TUW_Allgather Hop_Allgather
#define TUW_Allgatherv Hop_Allgatherv
#define TUW_Alltoall Hop_Alltoall
#define TUW_Alltoallv Hop_Alltoallv
#define TUW_Alltoallw Hop_Alltoallw
#define TUW_Reduce Hop_Reduce
#define TUW_Allreduce Hop_Allreduce
#define TUW_Reduce_scatter_block Hop_Reduce_scatter_block
#define TUW_Reduce_scatter Hop_Reduce_scatter
#define TUW_Scan Hop_Scan
#define TUW_Exscan Hop_Exscan

#ifdef __cplusplus
extern "C" {
#endif

/** Hop_Comm_is_cartesian as a value; 0 after an error. */
static inline int tuw_isCartesian(MPI_Comm comm, MPI_Comm cart)
{
    int flag = 0;
    return Hop_Comm_is_cartesian(comm, cart, &flag) == MPI_SUCCESS && flag;
}

#ifdef __cplusplus
}
#endif

/* ---- MPI's names with the proposed meaning, on request */

#ifdef HOPSCOTCH_ORTHOGONAL_NAMES
#define MPI_Barrier Hop_Barrier
#define MPI_Bcast Hop_Bcast
#define MPI_Gather Hop_Gather
#define MPI_Gatherv Hop_Gatherv
#define MPI_Scatter Hop_Scatter
#define MPI_Scatterv Hop_Scatterv
#define MPI_Allgather Hop_Allgather
#define MPI_Allgatherv Hop_Allgatherv
#define MPI_Allgatherw Hop_Allgatherw
#define MPI_Alltoall Hop_Alltoall
#define MPI_Alltoallv Hop_Alltoallv
#define MPI_Alltoallw Hop_Alltoallw
#define MPI_Reduce Hop_Reduce
#define MPI_Allreduce Hop_Allreduce
#define MPI_Reduce_scatter_block Hop_Reduce_scatter_block
#define MPI_Reduce_scatter Hop_Reduce_scatter
#define MPI_Scan Hop_Scan
#define MPI_Exscan Hop_Exscan
#define MPI_Comm_split Hop_Comm_split
#define MPI_Comm_split_type Hop_Comm_split_type
#define MPI_Comm_create Hop_Comm_create
#define MPI_Comm_create_group Hop_Comm_create_group
#define MPI_Win_create Hop_Win_create
#define MPI_Win_fence Hop_Win_fence
#define MPI_Win_free Hop_Win_free
#endif

#endif
