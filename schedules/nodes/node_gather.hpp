// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allgather between nodes: a node gathers everyone's blocks like one process, in messages that its processes share.
#pragma once

#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/nodes.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// A message that every node sends and receives, with all blocks of the nodes from its sender on, counted round a ring.
struct NodeHop {
    int phase = 0;
    int distance = 0; // the sender is so many nodes ahead of the receiver
    int nodes = 0;    // with blocks in the message
};

/// In each phase a node that has the blocks of s nodes receives up to r - 1 messages with as many each. The fewest
/// phases for which the smallest node has a process for each message of a phase, and for these the smallest r.
/// Sources: Bruck, Ho, Kipnis, Upfal, Weathersby, Efficient algorithms for all-to-all communications in multiport
/// message-passing systems, IEEE TPDS 8(11), 1997; Bienz, Gautam, Kharel, A locality-aware Bruck allgather, 2022,
/// arXiv:2206.03564.
std::vector<NodeHop> node_hops(int nodes, int least_on_node);

/// The staging buffers of the processes that receive messages; no node needs larger ones.
std::vector<StagingBuffer> gather_buffers(const Nodes& nodes);

/// The part of one process. Its blocks go to and come from all ranks in order (edges_to_everyone); blocks within the
/// node are exchanged elsewhere. Local. Cost: O(p log p) for p processes.
AggregationPart gather_part(const Nodes& nodes, int rank);

} // namespace hopscotch::schedules
