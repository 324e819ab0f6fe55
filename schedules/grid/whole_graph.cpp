// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/whole_graph.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

using Lists = std::vector<std::vector<int>>;

bool explains_all(const Topology& grid, const Stencil& stencil, const Lists& neighbors)
{
    for (std::size_t rank = 0; rank < neighbors.size(); ++rank)
        if (!explains(grid, stencil, static_cast<int>(rank), neighbors[rank], neighbors[rank]))
            return false;
    return true;
}

std::optional<StencilOnGrid> best_of(std::vector<StencilOnGrid> found)
{
    if (found.empty())
        return std::nullopt;
    std::vector<Stencil> stencils;
    for (const StencilOnGrid& each : found)
        stencils.push_back(each.stencil);
    StencilOnGrid& winner = found[best(stencils)];
    winner.stencil = sorted(winner.stencil);
    return std::move(winner);
}

} // namespace

StencilOnGrid nearest_neighbors(const Topology& grid)
{
    return {grid, sorted(canonical(star(grid.dimensions(), 1), grid))};
}

std::optional<StencilOnGrid> explained(const Lists& neighbors, const std::vector<Candidate>& candidates)
{
    const auto shorter = [](const std::vector<int>& one, const std::vector<int>& other) {
        return one.size() < other.size();
    };
    const auto longest = std::max_element(neighbors.begin(), neighbors.end(), shorter);
    const int root = static_cast<int>(longest - neighbors.begin());
    std::vector<StencilOnGrid> found;
    for (const Candidate& candidate : candidates) {
        Stencil stencil = offsets(candidate.topology, root, *longest);
        if (explains_all(candidate.topology, stencil, neighbors))
            found.push_back({candidate.topology, std::move(stencil)});
    }
    if (!found.empty())
        return best_of(std::move(found));
    for (std::size_t i = 0; i < std::min(candidates.size(), most_covered(neighbors.size() * longest->size())); ++i) {
        const Topology& grid = candidates[i].topology;
        std::optional<Stencil> stencil = covering(grid, neighbors);
        if (stencil && is_told_by(*stencil, static_cast<int>(longest->size())) &&
            explains_all(grid, *stencil, neighbors))
            found.push_back({grid, std::move(*stencil)});
    }
    return best_of(std::move(found));
}

} // namespace hopscotch::schedules
