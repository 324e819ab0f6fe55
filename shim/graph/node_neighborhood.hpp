// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns, when a communicator is made, what the processes of a node know of each other's neighbor lists, and who sends
// messages between nodes.
#pragma once

#include "schedules/aggregation_part.hpp"
#include "schedules/node_plan.hpp"
#include "shim/graph/graph.hpp"
#include "shim/mpi/process_group.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

struct NodeNeighborhood {
    /// Of one kind of blocks.
    struct Paths {
        schedules::Route route;
        schedules::Leaders theirs; // of the nodes around this one
    };

    schedules::Nodes nodes;
    schedules::NodeLists lists; // of this node
    Paths individual;
    Paths common;
    /// The largest staging buffer of any process of the graph, in blocks and messages. The same on all processes.
    int most_blocks = 0;
    int most_messages = 0;

    /// What this process does in a collective, its parallel edges matching as `edges` says. Local.
    schedules::AggregationPart part(const schedules::Edges& edges, schedules::Blocks blocks) const;

    /// The same as messages on the node and beyond it. Local.
    schedules::Schedule schedule(const schedules::Edges& edges, schedules::Blocks blocks) const;

  private:
    const Paths& paths(schedules::Blocks blocks) const;
};

/// What every process of the node gives, by position. Collective: over the processes of the node. Throws: MpiError.
std::vector<std::vector<int>> gather_on_node(const Ground& ground, const std::vector<int>& own);

/// Collective: over the graph. Throws: MpiError.
std::shared_ptr<const NodeNeighborhood> learn_node_neighborhood(const Ground& ground, const Graph& graph);

} // namespace hopscotch::shim
