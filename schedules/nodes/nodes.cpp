// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/nodes.hpp"

#include "schedules/grid/lattice.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace hopscotch::schedules
{

namespace
{

/// Size along each dimension of the smallest grid around the ranks.
std::vector<int> extents(const Topology& grid, const std::vector<int>& ranks)
{
    std::vector<int> least = grid.coordinates(ranks.front());
    std::vector<int> most = least;
    for (const int rank : ranks) {
        const std::vector<int> coordinates = grid.coordinates(rank);
        for (std::size_t k = 0; k < least.size(); ++k) {
            least[k] = std::min(least[k], coordinates[k]);
            most[k] = std::max(most[k], coordinates[k]);
        }
    }
    for (std::size_t k = 0; k < least.size(); ++k)
        most[k] += 1 - least[k];
    return most;
}

/// The grid of nodes if bricks of this shape fill the grid; else none.
std::optional<Topology> grid_of(const Topology& grid, const std::vector<int>& shape)
{
    std::vector<int> dims = grid.dims();
    std::vector<bool> periods;
    for (int k = 0; k < grid.dimensions(); ++k) {
        if (dims[k] % shape[k] != 0)
            return std::nullopt;
        dims[k] /= shape[k];
        periods.push_back(grid.periodic(k));
    }
    return Topology(std::move(dims), std::move(periods));
}

} // namespace

Nodes nodes_of(const std::vector<int>& labels)
{
    Nodes nodes;
    std::map<int, int> number;
    for (std::size_t rank = 0; rank < labels.size(); ++rank) {
        const auto [entry, is_new] = number.try_emplace(labels[rank], nodes.count());
        if (is_new)
            nodes.ranks.emplace_back();
        nodes.of_rank.push_back(entry->second);
        nodes.ranks[entry->second].push_back(static_cast<int>(rank));
    }
    return nodes;
}

int Nodes::position(int rank) const
{
    const std::vector<int>& mates = ranks[of_rank[rank]];
    return static_cast<int>(std::lower_bound(mates.begin(), mates.end(), rank) - mates.begin());
}

std::optional<Bricks> bricks(const Topology& grid, const Nodes& nodes)
{
    Bricks result;
    result.shape = extents(grid, nodes.ranks.front());
    const std::size_t processes = nodes.ranks.front().size();
    const std::optional<Topology> node_grid = grid_of(grid, result.shape);
    if (!node_grid ||
        static_cast<std::size_t>(node_grid->size()) * processes != static_cast<std::size_t>(grid.size()) ||
        node_grid->size() != nodes.count())
        return std::nullopt;
    result.grid = *node_grid;
    result.place.assign(nodes.ranks.size(), no_rank);
    for (int rank = 0; rank < grid.size(); ++rank) {
        std::vector<int> coordinates = grid.coordinates(rank);
        for (int k = 0; k < grid.dimensions(); ++k)
            coordinates[k] /= result.shape[k];
        const int place = node_grid->rank(coordinates.data());
        int& known = result.place[nodes.of_rank[rank]];
        if (known == no_rank)
            known = place;
        if (known != place)
            return std::nullopt;
    }
    return result;
}

Stencil between_nodes(const Stencil& stencil, const Bricks& bricks, Blocks blocks)
{
    const int dimensions = stencil.dimensions();
    const Topology brick(bricks.shape, std::vector<bool>(bricks.shape.size(), false));
    Stencil result(dimensions, {});
    std::vector<int> offset(static_cast<std::size_t>(dimensions));
    for (int process = 0; process < brick.size(); ++process) {
        const std::vector<int> coordinates = brick.coordinates(process);
        std::set<std::vector<int>> seen;
        for (int i = 0; i < stencil.size(); ++i) {
            for (int k = 0; k < dimensions; ++k) {
                const int shift = floor_of(coordinates[k] + stencil.shift(i, k), bricks.shape[k]);
                offset[k] = bricks.grid.canonical_shift(k, shift);
            }
            const bool stays = std::all_of(offset.begin(), offset.end(), [](int shift) { return shift == 0; });
            if (!stays && (blocks == Blocks::individual || seen.insert(offset).second))
                result.append(offset.data());
        }
    }
    return sorted(result);
}

} // namespace hopscotch::schedules
