// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The neighbors of an ocean model with a north fold, and the grid that explains most of them.
#include "scripts/simulation/ocean.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/irregular/embeddings.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

using namespace hopscotch::schedules;

namespace simulation
{

std::vector<Edges> folded(const Topology& grid, const Stencil& stencil)
{
    std::vector<Edges> result;
    for (int rank = 0; rank < grid.size(); ++rank)
        result.push_back(edges_of(grid, stencil, rank));
    const int columns = grid.extent(1);
    const int last_row = grid.size() - columns;
    for (int x = 0; x < columns; ++x)
        for (const int step : {-1, 0, 1}) {
            const int across = last_row + (2 * columns - 1 - x + step) % columns;
            if (across == last_row + x)
                continue;
            result[static_cast<std::size_t>(last_row + x)].destinations.push_back(across);
            result[static_cast<std::size_t>(across)].sources.push_back(last_row + x);
        }
    for (Edges& edges : result) {
        for (std::vector<int>* list : {&edges.destinations, &edges.sources})
            list->erase(std::remove(list->begin(), list->end(), no_rank), list->end());
        edges.destination_order = occurrence(edges.destinations);
        edges.source_order = occurrence(edges.sources);
    }
    return result;
}

std::shared_ptr<const PartialGrid> partial_grid_of(const Topology& grid, const std::vector<Edges>& lists)
{
    constexpr int steps = 1 << 24;
    std::vector<std::vector<int>> destinations;
    for (const Edges& edges : lists)
        destinations.push_back(edges.destinations);
    SearchBudget budget(steps);
    std::optional<PartialGrid> found =
        find_partial_grid(by_shown_places(grid.dims(), identity(grid.size())), {}, false, destinations, budget);
    if (!found)
        throw std::invalid_argument("the grid explains too few of the edges");
    return std::make_shared<const PartialGrid>(std::move(*found));
}

} // namespace simulation
