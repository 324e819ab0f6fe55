// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Divides processes by the node they are on.
#pragma once

#include "shim/mpi/next.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::shim
{

/// The number of this process's node: equal for processes on one node, different otherwise. A node is a host, or a
/// container with a network of its own, divided further as MPICH's settings for trying several nodes on one machine
/// say: MPIR_CVAR_NOLOCAL, MPIR_CVAR_NUM_CLIQUES, MPIR_CVAR_CLIQUES_BY_BLOCK. The MPI library is not asked:
/// MPI_Comm_split_type makes a communicator by several collectives, and MPICH 5 built for UCX puts each process on a
/// node of its own. Local. Throws: MpiError.
std::uint64_t own_node();

/// For each rank the lowest rank on its node. `nodes`: own_node() of each rank. Local.
std::vector<int> first_on_node(const std::vector<std::uint64_t>& nodes);

/// For each rank of comm the lowest rank on its node. Collective: over comm. Throws: MpiError.
std::vector<int> first_on_node(MPI_Comm comm);

/// The number of nodes of the processes of comm. Collective: over comm, which must return errors. Throws: MpiError.
int count_nodes(MPI_Comm comm);

} // namespace hopscotch::shim
