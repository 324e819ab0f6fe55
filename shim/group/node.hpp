// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Divides processes by the node they are on.
#pragma once

#include "shim/mpi/next.hpp"

#include <vector>

namespace hopscotch::shim
{

/// The processes of comm that are on this one's node, in their order there; to be freed. They are those of
/// MPI_COMM_TYPE_SHARED, unless that puts each process of comm on a node of its own (MPICH 5 built for UCX does so even
/// for processes of one machine): then they are those of one host. Collective: over comm.
/// Throws: MpiError.
MPI_Comm split_by_node(MPI_Comm comm);

/// Those on one host, divided further as MPICH's settings for trying several nodes on one machine say:
/// MPIR_CVAR_NOLOCAL, MPIR_CVAR_NUM_CLIQUES, MPIR_CVAR_CLIQUES_BY_BLOCK. Collective: over comm. Throws: MpiError.
MPI_Comm split_by_host(MPI_Comm comm);

/// For each rank of comm the lowest rank on its node. Collective: over comm. Throws: MpiError.
std::vector<int> first_on_node(MPI_Comm comm);

/// The number of nodes of the processes of comm. If no more communicators can be made, the number of their hosts.
/// Collective: over comm, which must return errors. Throws: MpiError.
int count_nodes(MPI_Comm comm);

} // namespace hopscotch::shim
