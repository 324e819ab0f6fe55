// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what a process does in a collective whose blocks are aggregated, from the neighbor lists of its node.
#pragma once

#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/node_plan.hpp"

namespace hopscotch::schedules
{

/// What the processes of a node know of each other's neighbor lists.
struct NodeNeighborhood {
    /// Of one kind of blocks.
    struct Paths {
        Route route;
        Leaders theirs; // of the nodes around this one
    };

    NodeLists lists; // of this node
    Paths individual;
    Paths common;
    /// The largest staging buffer of any process of the graph, in blocks and messages. The same on all processes.
    int most_blocks = 0;
    int most_messages = 0;

    /// What this process does in a collective, its parallel edges matching as `edges` says. Local.
    AggregationPart part(const Nodes& nodes, const Edges& edges, Blocks blocks) const;

  private:
    const Paths& paths(Blocks blocks) const;
};

} // namespace hopscotch::schedules
