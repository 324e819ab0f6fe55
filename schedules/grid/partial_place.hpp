// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Places a partial grid at one process: finds the neighbor slots that are combined, and those that travel directly.
#pragma once

#include "schedules/grid/neighborhood.hpp"

#include <memory>

namespace hopscotch::schedules
{

/// Places the grid at one process. Requires: the edges belong to the lists from which the grid was made.
/// Throws: std::invalid_argument if they do not. Cost: O(t d log t).
Neighborhood place(std::shared_ptr<const PartialGrid> grid, Blocks blocks, const Edges& edges);

/// The edges that are not combined; the others become no_rank.
Edges direct_edges(const Neighborhood& neighborhood, Edges edges);

} // namespace hopscotch::schedules
