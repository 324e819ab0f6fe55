// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of a mapping of processes to nodes: edges between nodes, in all and at the node with most.
#include "schedules/mapping/mapping_cost.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace hopscotch::schedules
{

bool is_less(Objective objective, const EdgesBetweenNodes& one, const EdgesBetweenNodes& other) noexcept
{
    if (objective == Objective::most)
        return std::tie(one.most, one.sum) < std::tie(other.most, other.sum);
    return std::tie(one.sum, one.most) < std::tie(other.sum, other.most);
}

bool operator<(const EdgesBetweenNodes& one, const EdgesBetweenNodes& other) noexcept
{
    return is_less(Objective::sum, one, other);
}

EdgesBetweenNodes edges_between_nodes(const Topology& grid, const Stencil& stencil,
                                      const std::vector<int>& node_of_rank, const EdgeWeights& weights)
{
    if (node_of_rank.size() != static_cast<std::size_t>(grid.size()))
        throw std::invalid_argument("mapping: " + std::to_string(grid.size()) + " processes, but nodes of " +
                                    std::to_string(node_of_rank.size()));
    check_shape(weights, grid, stencil);
    const int last_node = *std::max_element(node_of_rank.begin(), node_of_rank.end());
    std::vector<std::int64_t> leaving(static_cast<std::size_t>(last_node) + 1);
    EdgesBetweenNodes edges;
    for (int rank = 0; rank < grid.size(); ++rank)
        for (int i = 0; i < stencil.size(); ++i) {
            const int neighbor = grid.neighbor(rank, stencil.offset(i));
            if (neighbor == no_rank || node_of_rank[neighbor] == node_of_rank[rank])
                continue;
            const std::int64_t weight = weight_of(weights, stencil, rank, i);
            edges.sum += weight;
            leaving[node_of_rank[rank]] += weight;
        }
    edges.most = *std::max_element(leaving.begin(), leaving.end());
    return edges;
}

} // namespace hopscotch::schedules
