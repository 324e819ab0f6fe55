// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hands the neighbor lists of communicators from the MPI library and to it.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/mapping/edge_weights.hpp"
#include "shim/mpi/next.hpp"

#include <optional>

namespace hopscotch::shim
{

/// MPI_UNWEIGHTED of the MPI library in the process: a data symbol with some libraries, and this one refers to none.
const int* unweighted() noexcept;

using schedules::WeightedLists;

/// The lists of this process, as the MPI library gives them. Local. Throws: MpiError.
WeightedLists weighted_lists(MPI_Comm distributed_graph);

/// A distributed graph of these processes, in their order. Collective: over processes. Throws: MpiError.
MPI_Comm make_distributed_graph(MPI_Comm processes, WeightedLists lists, MPI_Info info);

/// The lists of this process in the order of its blocks, MPI_PROC_NULL as schedules::no_rank; destination_order is set,
/// source_order is that of list order until it is learned. Local.
/// Source: MPI 4.0, 8.6, for the neighbors of Cartesian communicators: per dimension the one before, the one after.
schedules::Edges neighbor_lists(MPI_Comm comm, int topology_kind);

/// The process grid of a communicator with a Cartesian topology; none for other communicators. Local.
std::optional<schedules::Topology> cartesian_grid(MPI_Comm comm);

} // namespace hopscotch::shim
