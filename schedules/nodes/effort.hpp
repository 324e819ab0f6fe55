// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The work of processes and nodes in a schedule, phase by phase, and its time by the LogGP model; the largest block
// size for which messages between nodes should be aggregated.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/nodes.hpp"
#include "schedules/plan/cost.hpp"
#include "schedules/plan/schedule.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The work of the busiest process, and of the busiest node, in one phase.
struct Effort {
    double sent = 0; // messages to other nodes
    double received = 0;
    double handovers = 0; // within the node, to others and from others
    double copied_blocks = 0;
    double leaving_blocks = 0; // from the node to others

    /// The larger of each.
    void join(const Effort& other) noexcept;
};

/// For each phase the efforts of one process; leaving_blocks are those this process itself sends. A block is copied
/// once at each end, unless it is a whole message to another node.
std::vector<Effort> efforts(const Schedule& schedule, int rank, const Nodes& nodes);

/// Aggregated blocks, and those that stay on the node. Phases on the node and between nodes take turns: the process
/// writes its cells and looks at the blocks it sends on; it gathers and sends its messages; it delivers the received
/// blocks and looks at those it sends on next. A block that one process wants in several slots counts once. A handover
/// is a look at the cells or at a message of another process. Blocks within the node are exchanged while the first
/// messages travel.
std::vector<Effort> efforts(const AggregationPart& part, const Edges& edges, Blocks blocks, const Nodes& nodes);

/// The busiest of all processes and nodes: `all` has the efforts of each rank.
/// Shape: the same number of phases for each.
std::vector<Effort> busiest(const std::vector<std::vector<Effort>>& all, const Nodes& nodes);

/// Seconds for one call: phase after phase, in each the longer of two times, then the latency of its last message. The
/// two times are the work of processes, and the transfer through the interfaces between the first message's sending and
/// the last one's receiving.
/// Source: Alexandrov, Ionescu, Schauser, Scheiman, LogGP, SPAA 1995, doi:10.1145/215399.215427, with a gap shared by
/// the processes of a node.
double predicted_seconds(const std::vector<Effort>& phases, double block_bytes, const Network& network) noexcept;

/// The work of processes in an algorithm, phase by phase.
using Efforts = std::vector<Effort>;

/// The work of one process for aggregated, merged and, with a process grid, combining messages. The same number of
/// phases on all processes. `grid`, `stencil`: null if there is none.
std::vector<Efforts> compared_efforts(const AggregationPart& aggregated, const Edges& edges, Blocks blocks,
                                      const Nodes& nodes, const Topology* grid, const Stencil* stencil);

/// Aggregating is faster than merging up to this many bytes, a power of two; 0 if combining is faster than both for the
/// smallest blocks. `busiest`: compared_efforts of the busiest process and node.
std::size_t aggregating_pays_up_to(const std::vector<Efforts>& busiest, const Network& network) noexcept;

} // namespace hopscotch::schedules
