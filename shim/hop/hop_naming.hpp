// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names a communicator after a grid.
#pragma once

#include "schedules/grid/naming.hpp"
#include "shim/hop/hop_border.hpp"

namespace hopscotch::shim
{

/// Kept as an attribute; not inherited by duplicates.
struct CartesianName : schedules::ProcessNaming {
    int dimorder; // HOP_ROWMAJOR, HOP_COLMAJOR or HOP_PERMUTED
};

/// MPI_PROC_NULL for no_rank, else the same rank.
int mpi_rank(int rank) noexcept;

/// The name of a communicator, or null. A communicator of MPI_Cart_create is named after its grid until it gets another
/// name.
const CartesianName* find_name(MPI_Comm comm);

/// Throws: Refused{MPI_ERR_COMM} if there is none.
const CartesianName& name_of(MPI_Comm comm);

/// Throws: Refused{MPI_ERR_RANK} unless it is a rank of comm.
void demand_rank(MPI_Comm comm, int rank);

} // namespace hopscotch::shim
