// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the gain of a mapping for a job with processes on nodes already, and the rank of each of them.
#include "schedules/mapping/remapping.hpp"

#include "schedules/grid/ordering.hpp"

namespace hopscotch::schedules
{

namespace
{

std::vector<int> sizes_of(const Nodes& nodes)
{
    std::vector<int> sizes;
    for (const std::vector<int>& ranks : nodes.ranks)
        sizes.push_back(static_cast<int>(ranks.size()));
    return sizes;
}

} // namespace

Remapping best_remapping(const Topology& grid, const Stencil& stencil, const Nodes& nodes, const EdgeWeights& weights,
                         Objective objective)
{
    const std::vector<int> sizes = sizes_of(nodes);
    Remapping remapping;
    remapping.objective = objective;
    remapping.mapper = best_mapper(grid, stencil, sizes, weights, objective);
    remapping.now = edges_between_nodes(grid, stencil, nodes.of_rank, weights);
    const Mapping mapping(remapping.mapper, grid, stencil, sizes, weights, objective);
    remapping.mapped = edges_between_nodes(grid, stencil, mapping.node_of_rank(), weights);
    if (is_less(objective, remapping.now, remapping.mapped))
        remapping.mapped = remapping.now;
    return remapping;
}

std::vector<int> new_ranks(const Remapping& remapping, const Topology& grid, const Stencil& stencil, const Nodes& nodes,
                           const EdgeWeights& weights)
{
    const Mapping mapping(remapping.mapper, grid, stencil, sizes_of(nodes), weights, remapping.objective);
    std::vector<int> result(nodes.of_rank.size());
    int process = 0; // counted node by node
    for (const std::vector<int>& ranks : nodes.ranks)
        for (const int rank : ranks)
            result[static_cast<std::size_t>(rank)] = mapping.rank(process++);
    return result;
}

std::int64_t edges_in_all(const Topology& grid, const Stencil& stencil)
{
    return edges_between_nodes(grid, stencil, identity(grid.size())).sum; // each process on a node of its own
}

EdgeCounts count_edges(const Topology& grid, const Stencil& stencil, const Nodes& nodes)
{
    constexpr std::int64_t most_edges = 1 << 22;
    if (std::int64_t{grid.size()} * stencil.size() > most_edges)
        return {};
    const Remapping remapping = best_remapping(grid, stencil, nodes);
    return {edges_in_all(grid, stencil), remapping.now.sum, remapping.now.most, remapping.mapped.sum,
            remapping.mapped.most};
}

} // namespace hopscotch::schedules
