// The grid a communicator is named after.
#pragma once

#include "schedules/topology.hpp"
#include "shim/hop_border.hpp"

#include <vector>

namespace hopscotch::shim
{

/// Kept as an attribute; not inherited by duplicates.
struct CartesianName {
    int dimorder = 0; // HOP_ROWMAJOR or HOP_COLMAJOR
    std::vector<int> order;
    std::vector<bool> periodic;
    int size = 0;

    int dimensions() const noexcept { return static_cast<int>(order.size()); }

    /// The coordinates of a rank. Requires: 0 <= rank < size.
    std::vector<int> coordinates(int rank) const;

    /// The rank at coordinates; MPI_PROC_NULL beyond a border.
    int rank_at(const int* coordinates) const noexcept;

    /// The rank at sign * relative from `source`; MPI_PROC_NULL beyond a border and for a source without name.
    int rank_from(int source, const int* relative, int sign) const;

    /// The same box and ranks as a row-major topology: its dimensions reversed where the first varies fastest.
    schedules::Topology topology() const;
};

/// The name of a communicator, or null.
const CartesianName* find_name(MPI_Comm comm);

/// Throws: Refused{MPI_ERR_COMM} where there is none.
const CartesianName& name_of(MPI_Comm comm);

/// Throws: Refused{MPI_ERR_RANK} unless it is a rank of comm.
void demand_rank(MPI_Comm comm, int rank);

/// Whether all processes gave comm the same name. Collective: over comm.
bool same_name(MPI_Comm comm);

} // namespace hopscotch::shim
