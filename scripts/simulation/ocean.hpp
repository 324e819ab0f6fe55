// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The neighbors of an ocean model with a north fold, and the grid that explains most of them.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/partial_grid.hpp"

#include <memory>
#include <vector>

namespace simulation
{

/// The lists of all processes: those of the grid, and across the fold, where the last row meets itself, the other way
/// round. Requires: two dimensions, the second one periodic.
std::vector<hopscotch::schedules::Edges> folded(const hopscotch::schedules::Topology& grid,
                                                const hopscotch::schedules::Stencil& stencil);

/// The part of the grid that the library combines along, as if the program had shown the places of its processes.
/// Throws: std::invalid_argument if it explains too little.
std::shared_ptr<const hopscotch::schedules::PartialGrid>
partial_grid_of(const hopscotch::schedules::Topology& grid, const std::vector<hopscotch::schedules::Edges>& lists);

} // namespace simulation
