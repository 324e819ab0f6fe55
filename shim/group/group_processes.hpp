// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the processes of a new group learn their nodes, and those on a node each other's cores and memory.
#pragma once

#include "shim/base/process_memory.hpp"
#include "shim/base/usable_cores.hpp"
#include "shim/mpi/next.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::shim
{

/// The values that a process gives to the others on its node.
struct NodeMate {
    int rank = 0; // in the group
    UsableCores cores;
    MemoryProof memory;
};

/// The processes of a group, as one of them knows them.
struct GroupProcesses {
    std::vector<int> first;      // for each rank the lowest one on its node
    std::vector<NodeMate> mates; // the processes on this node, by rank
};

/// The processes of a private communicator. `tag`: used by no other message there. `nodes`: first_on_node() of the
/// communicator if it is known, else null. Collective: over the communicator. Throws: MpiError.
GroupProcesses learn_processes(MPI_Comm comm, int tag, const std::vector<int>* nodes);

/// The number of processes of this job on this machine. `mates`: those of the group on this node, a lower bound: the
/// launcher knows of processes outside the group, and MPICH can divide one machine into several nodes. Local.
int launched_here(std::size_t mates);

} // namespace hopscotch::shim
