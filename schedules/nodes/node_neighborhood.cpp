// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Derives a process's part in a collective with aggregated blocks from the neighbor lists of its node.
#include "schedules/nodes/node_neighborhood.hpp"

namespace hopscotch::schedules
{

AggregationPart NodeNeighborhood::part(const Nodes& nodes, const Edges& edges, Blocks blocks) const
{
    return aggregation_part(plan_node(nodes, lists, blocks, paths(blocks).route), nodes, edges, blocks,
                            paths(blocks).theirs);
}

const NodeNeighborhood::Paths& NodeNeighborhood::paths(Blocks blocks) const
{
    return blocks == Blocks::common ? common : individual;
}

} // namespace hopscotch::schedules
