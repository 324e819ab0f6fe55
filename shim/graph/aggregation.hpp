// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns the facts about a new communicator that aggregation between nodes needs.
#pragma once

#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/effort.hpp"
#include "shim/graph/graph.hpp"
#include "shim/group/process_group.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

using schedules::NodeNeighborhood;

/// The values of all processes of the node, by position. Collective: over the processes of the node. Throws: MpiError.
std::vector<std::vector<int>> gather_on_node(const Ground& ground, const std::vector<int>& own);

/// The shared knowledge of the processes of a node: each other's neighbor lists, and the ranks that send messages
/// between nodes.
/// Collective: over the graph. Throws: MpiError.
std::shared_ptr<const NodeNeighborhood> learn_node_neighborhood(const Ground& ground, const Graph& graph);

/// Replaces the efforts of this process, for each algorithm, by those of the busiest process and of the busiest node,
/// as schedules::busiest does. Collective: over the graph.
void agree_on_busiest(const Ground& ground, std::vector<schedules::Efforts>& algorithms);

/// Sets graph.aggregated_up_to from the work of the busiest process and node for merged, combining and aggregated
/// messages.
/// Requires: graph.node_neighborhood. Collective: over the graph. Throws: MpiError.
/// Cost: that of planning each of them, and two allreduces.
void predict_aggregation(const Ground& ground, Graph& graph);

} // namespace hopscotch::shim
