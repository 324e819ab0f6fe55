// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a schedule asks of processes and nodes, phase by phase, and how long that takes by the LogGP model.
#pragma once

#include "schedules/nodes/nodes.hpp"
#include "schedules/plan/cost.hpp"
#include "schedules/plan/schedule.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// What a phase asks of the busiest process, and of the busiest node.
struct Effort {
    double sent = 0; // messages to other nodes
    double received = 0;
    double handovers = 0; // within the node, to others and from others
    double copied_blocks = 0;
    double leaving_blocks = 0; // from the node to others

    /// The larger of each.
    void join(const Effort& other) noexcept;
};

/// The copies of a block. packed: one at each end; none for a block that is a whole message to another node. staging:
/// an aggregated schedule in shared memory. There a process tells all others at once, and reads messages from other
/// nodes in the place where they arrive.
enum class Copying : unsigned char { packed, staging };

/// For each phase the efforts of one process; leaving_blocks are those this process itself sends.
std::vector<Effort> efforts(const Schedule& schedule, int rank, const Nodes& nodes, Copying copying);

/// The busiest of all processes and nodes: `all` has the efforts of each rank.
/// Shape: the same number of phases for each.
std::vector<Effort> busiest(const std::vector<std::vector<Effort>>& all, const Nodes& nodes);

/// Seconds for one call: phase after phase, in each the longer of what processes do and what the interfaces let
/// through between the first message's sending and the last one's receiving, then the latency of its last message.
/// Source: Alexandrov, Ionescu, Schauser, Scheiman, LogGP, SPAA 1995, doi:10.1145/215399.215427, with a gap shared by
/// the processes of a node.
double predicted_seconds(const std::vector<Effort>& phases, double block_bytes, const Network& network) noexcept;

} // namespace hopscotch::schedules
