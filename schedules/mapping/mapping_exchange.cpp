// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Improves a mapping of a small grid: processes of different nodes change places while that spares edges between nodes.
#include "schedules/mapping/mapping_exchange.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Table = std::vector<std::vector<std::int64_t>>;

struct RankPair {
    int one;
    int other;
    std::int64_t spared; // edges between nodes that their exchange saves; negative if it costs some
};

/// Weight of all edges between two ranks, in both directions.
Table edges_between_ranks(const Topology& grid, const Stencil& stencil, const EdgeWeights& weights)
{
    const auto size = static_cast<std::size_t>(grid.size());
    Table edges(size, std::vector<std::int64_t>(size));
    for (int rank = 0; rank < grid.size(); ++rank)
        for (int i = 0; i < stencil.size(); ++i) {
            const int neighbor = grid.neighbor(rank, stencil.offset(i));
            if (neighbor == no_rank || neighbor == rank)
                continue;
            const std::int64_t weight = weight_of(weights, stencil, rank, i);
            edges[rank][neighbor] += weight;
            edges[neighbor][rank] += weight;
        }
    return edges;
}

/// Weight of all edges between each rank and the ranks of each node.
Table edges_to_nodes(const Table& edges, const std::vector<int>& node_of_rank)
{
    const auto nodes = static_cast<std::size_t>(*std::max_element(node_of_rank.begin(), node_of_rank.end())) + 1;
    Table result(edges.size(), std::vector<std::int64_t>(nodes));
    for (std::size_t rank = 0; rank < edges.size(); ++rank)
        for (std::size_t other = 0; other < edges.size(); ++other)
            result[rank][node_of_rank[other]] += edges[rank][other];
    return result;
}

/// The exchange that saves most edges, or costs fewest; none if all ranks that may move are on one node.
std::optional<RankPair> best_exchange(const Table& edges, const Table& to_nodes, const std::vector<int>& node_of_rank,
                                      const std::vector<char>& may_move)
{
    std::optional<RankPair> best;
    const int size = static_cast<int>(edges.size());
    for (int one = 0; one < size; ++one)
        for (int other = one + 1; other < size && may_move[one] != 0; ++other) {
            const int here = node_of_rank[one];
            const int there = node_of_rank[other];
            if (may_move[other] == 0 || here == there)
                continue;
            const std::int64_t spared = to_nodes[one][there] - to_nodes[one][here] + to_nodes[other][here] -
                                        to_nodes[other][there] - 2 * edges[one][other];
            if (!best || spared > best->spared)
                best = RankPair{one, other, spared};
        }
    return best;
}

void exchange_pair(const Table& edges, Table& to_nodes, std::vector<int>& node_of_rank, RankPair pair)
{
    const int here = node_of_rank[pair.one];
    const int there = node_of_rank[pair.other];
    for (std::size_t rank = 0; rank < edges.size(); ++rank) {
        const std::int64_t moved = edges[rank][pair.other] - edges[rank][pair.one];
        to_nodes[rank][here] += moved;
        to_nodes[rank][there] -= moved;
    }
    std::swap(node_of_rank[pair.one], node_of_rank[pair.other]);
}

} // namespace

std::vector<int> exchanged(const Topology& grid, const Stencil& stencil, std::vector<int> node_of_rank,
                           const EdgeWeights& weights, Objective objective)
{
    EdgesBetweenNodes fewest = edges_between_nodes(grid, stencil, node_of_rank, weights);
    const Table edges = edges_between_ranks(grid, stencil, weights);
    for (bool better = true; better;) {
        better = false;
        std::vector<int> tried = node_of_rank;
        std::int64_t sum = fewest.sum;
        Table to_nodes = edges_to_nodes(edges, tried);
        std::vector<char> may_move(tried.size(), 1);
        while (const std::optional<RankPair> pair = best_exchange(edges, to_nodes, tried, may_move)) {
            exchange_pair(edges, to_nodes, tried, *pair);
            may_move[pair->one] = may_move[pair->other] = 0;
            sum -= pair->spared;
            if (objective == Objective::sum && sum > fewest.sum)
                continue;
            const EdgesBetweenNodes cost = edges_between_nodes(grid, stencil, tried, weights);
            if (is_less(objective, cost, fewest)) {
                fewest = cost;
                node_of_rank = tried;
                better = true;
            }
        }
    }
    return node_of_rank;
}

} // namespace hopscotch::schedules
