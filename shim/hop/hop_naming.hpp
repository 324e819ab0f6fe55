// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names a communicator after a grid.
#pragma once

#include "schedules/grid/naming.hpp"
#include "shim/hop/hop_border.hpp"

namespace hopscotch::shim
{

/// Kept as an attribute; not inherited by duplicates.
struct CartesianName {
    schedules::Naming naming;
    int dimorder;  // HOP_ROWMAJOR, HOP_COLMAJOR or HOP_PERMUTED
    int processes; // processes of the communicator: fewer than points, or more

    int dimensions() const noexcept { return naming.dimensions(); }
    int size() const noexcept { return naming.size(); }

    /// True if a rank has a name: if it belongs to a process and to a point.
    bool names(int rank) const noexcept { return rank >= 0 && rank < processes && rank < size(); }

    /// The rank at coordinates; MPI_PROC_NULL beyond a border and at a point without process.
    int rank_at(const int* coordinates) const;

    /// The rank at sign * relative from `source`; MPI_PROC_NULL also for a source without name.
    int rank_from(int source, const int* relative, int sign) const;
};

/// The name of a communicator, or null. A communicator of MPI_Cart_create is named after its grid until it gets another
/// name.
const CartesianName* find_name(MPI_Comm comm);

/// Throws: Refused{MPI_ERR_COMM} if there is none.
const CartesianName& name_of(MPI_Comm comm);

/// Throws: Refused{MPI_ERR_RANK} unless it is a rank of comm.
void demand_rank(MPI_Comm comm, int rank);

/// True if all processes gave comm the same name. Collective: over comm.
bool same_name(MPI_Comm comm);

} // namespace hopscotch::shim
