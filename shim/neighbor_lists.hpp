// The neighbor lists of a communicator with a topology, as the MPI library has them.
#pragma once

#include "schedules/neighborhood.hpp"
#include "schedules/topology.hpp"
#include "shim/next.hpp"

#include <optional>

namespace hopscotch::shim
{

/// The lists of this process in the order of its blocks, MPI_PROC_NULL as schedules::no_rank; destination_order is set,
/// source_order is that of list order until it is learned. Local.
/// Source: MPI 4.0, 8.6, for the neighbors of Cartesian communicators: per dimension the one before, the one after.
schedules::Edges neighbor_lists(MPI_Comm comm, int topology_kind);

/// The same of a communicator that MPI_Dist_graph_create_adjacent will make of these lists and not reorder, but for the
/// orders, which are not set. None when the arguments are not valid. Local. Shape: `rank` and the lists' entries are
/// below `size`, or MPI_PROC_NULL.
std::optional<schedules::Edges> announced_lists(int rank, int size, int indegree, const int sources[], int outdegree,
                                                const int destinations[]);

/// Sets destination_order and source_order, both as the lists have their entries. Local.
void count_parallel_edges(schedules::Edges& edges);

/// The process box of a communicator with a Cartesian topology; none for other communicators. Local.
std::optional<schedules::Topology> cartesian_box(MPI_Comm comm);

} // namespace hopscotch::shim
