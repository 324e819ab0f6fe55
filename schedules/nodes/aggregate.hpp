// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The node-aware schedule for any neighbor lists and any placement of processes: the blocks between two nodes share
// messages.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/nodes/node_plan.hpp"
#include "schedules/plan/schedule.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// What one process of the node does. Phase 0 stays on the node: every process hands its blocks to the processes that
/// carry them. Then, for each phase of the plan, one phase in which the leaders exchange messages with other nodes,
/// and one in which they hand on to the node what has come. Blocks between processes of the node go in the first phase
/// with messages to other nodes, after these. All processes of all nodes have the same number of phases.
/// `theirs`: the leaders of other nodes, those that send to this node and receive from it.
/// Requires: the plan was made from lists that hold those of `edges`; edges.source_order may match parallel edges in
/// any way. Collective: local. Cost: O(b log b) for the b blocks of all processes of the node.
Schedule aggregated(const NodePlan& plan, const Nodes& nodes, const Edges& edges, Blocks blocks, const Leaders& theirs);

} // namespace hopscotch::schedules
