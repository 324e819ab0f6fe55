/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
 * SPDX-License-Identifier: BSD-3-Clause
 * The names of "Topological Collectives for MPI-2" (2008) for programs written against the proposal. These names begin
 * with MPI_, so this header is included on request only. Functions and their documentation: <hopscotch/topological.h>.
 */
#ifndef HOPSCOTCH_MPI2_TOPOLOGICAL_H
#define HOPSCOTCH_MPI2_TOPOLOGICAL_H

#include <hopscotch.h>

#define MPI_Neighbor_xchg Hop_Neighbor_xchg
#define MPI_Neighbor_xchgv Hop_Neighbor_xchgv
#define MPI_Comm_neighbors_count Hop_Comm_neighbors_count
#define MPI_Comm_neighbors Hop_Comm_neighbors
#define MPI_Cart_shift_xchg Hop_Cart_shift_xchg

#endif
