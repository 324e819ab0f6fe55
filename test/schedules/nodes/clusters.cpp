// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs on several nodes: the shared knowledge of the processes of each node, and the plans that follow.
#include "test/schedules/nodes/clusters.hpp"

using namespace hopscotch::schedules;

Cluster::Cluster(const Job& job, Nodes nodes, Blocks blocks, const Route& route)
    : nodes_(std::move(nodes)), blocks_(blocks)
{
    for (int node = 0; node < nodes_.count(); ++node)
        plans_.push_back(plan_node(nodes_, lists_of(job, nodes_, node), blocks, route));
    theirs_.resize(plans_.size());
    for (int node = 0; node < nodes_.count(); ++node) {
        for (const auto& [other, ranks] : plans_[node].leaders.senders)
            theirs_[other].senders[node] = ranks;
        for (const auto& [other, ranks] : plans_[node].leaders.receivers)
            theirs_[other].receivers[node] = ranks;
    }
}

AggregationPart Cluster::aggregation_part(const Job& job, int rank) const
{
    const int node = nodes_.of_rank[rank];
    return hopscotch::schedules::aggregation_part(plans_[node], nodes_, job.edges[rank], blocks_, theirs_[node]);
}

Blocks blocks_of(TestedOperation operation)
{
    return operation == TestedOperation::alltoall ? Blocks::individual : Blocks::common;
}

Nodes brick_nodes(const Topology& grid, const std::vector<int>& shape)
{
    std::vector<int> labels;
    for (int rank = 0; rank < grid.size(); ++rank) {
        int label = 0;
        for (int k = 0; k < grid.dimensions(); ++k)
            label = label * grid.extent(k) + grid.coordinates(rank)[k] / shape[k];
        labels.push_back(label);
    }
    return nodes_of(labels);
}

Route dimension_wise(const Job& job, const Nodes& nodes, TestedOperation operation, int most_blocks)
{
    const Bricks found = bricks(job.topology, nodes).value();
    return {most_blocks, found.grid, found.place, between_nodes(job.planned_stencil(), found, blocks_of(operation))};
}

NodeLists lists_of(const Job& job, const Nodes& nodes, int node)
{
    NodeLists lists{node, {}, {}};
    for (const int rank : nodes.ranks[node]) {
        lists.destinations.push_back(job.edges[rank].destinations);
        lists.sources.push_back(job.edges[rank].sources);
    }
    return lists;
}

Nodes random_nodes(int ranks, int nodes, std::mt19937& random)
{
    std::vector<int> labels;
    for (int rank = 0; rank < ranks; ++rank)
        labels.push_back(std::uniform_int_distribution<int>(0, nodes - 1)(random));
    return nodes_of(labels);
}
