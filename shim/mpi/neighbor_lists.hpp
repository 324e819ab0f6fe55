// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads the neighbor lists of a communicator with a topology, as the MPI library has them.
#pragma once

#include "schedules/neighborhood.hpp"
#include "schedules/topology.hpp"
#include "shim/mpi/next.hpp"

#include <optional>

namespace hopscotch::shim
{

/// The lists of this process in the order of its blocks, MPI_PROC_NULL as schedules::no_rank; destination_order is set,
/// source_order is that of list order until it is learned. Local.
/// Source: MPI 4.0, 8.6, for the neighbors of Cartesian communicators: per dimension the one before, the one after.
schedules::Edges neighbor_lists(MPI_Comm comm, int topology_kind);

/// The process grid of a communicator with a Cartesian topology; none for other communicators. Local.
std::optional<schedules::Topology> cartesian_grid(MPI_Comm comm);

} // namespace hopscotch::shim
