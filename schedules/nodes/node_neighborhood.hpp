// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Derives a process's part in a collective with aggregated blocks from the neighbor lists of its node.
#pragma once

#include "schedules/nodes/aggregation_part.hpp"
#include "schedules/nodes/node_plan.hpp"

namespace hopscotch::schedules
{

/// The knowledge that the processes of a node have of each other's neighbor lists.
struct NodeNeighborhood {
    /// Routes for one kind of blocks.
    struct Paths {
        Route route;
        Leaders theirs; // leaders of the nodes around this one
    };

    NodeLists lists; // lists of this node
    Paths individual;
    Paths common;
    /// The largest staging buffer of any process of the graph, in blocks and messages. The same on all processes.
    int most_blocks = 0;
    int most_messages = 0;

    /// This process's part in a collective; `edges` gives the match of its parallel edges. Local.
    AggregationPart part(const Nodes& nodes, const Edges& edges, Blocks blocks) const;

  private:
    const Paths& paths(Blocks blocks) const;
};

} // namespace hopscotch::schedules
