// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a mapping would spare a job whose processes are on nodes already, and the rank that it gives to each of them.
#include "schedules/mapping/remapping.hpp"

#include "schedules/grid/ordering.hpp"

#include <algorithm>

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

Remapping best_remapping(const Topology& grid, const Stencil& stencil, const Nodes& nodes)
{
    const std::vector<int> sizes = sizes_of(nodes);
    Remapping remapping;
    remapping.mapper = best_mapper(grid, stencil, sizes);
    remapping.now = edges_between_nodes(grid, stencil, nodes.of_rank);
    remapping.mapped =
        edges_between_nodes(grid, stencil, Mapping(remapping.mapper, grid, stencil, sizes).node_of_rank());
    remapping.mapped = std::min(remapping.mapped, remapping.now);
    return remapping;
}

int new_rank(Mapper mapper, const Topology& grid, const Stencil& stencil, const Nodes& nodes, int rank)
{
    const int node = nodes.of_rank[static_cast<std::size_t>(rank)];
    int process = nodes.position(rank);
    for (int before = 0; before < node; ++before)
        process += static_cast<int>(nodes.ranks[static_cast<std::size_t>(before)].size());
    return mapped_rank(mapper, grid, stencil, sizes_of(nodes), process);
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
