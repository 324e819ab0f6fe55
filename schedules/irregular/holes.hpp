// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses the empty cells of a grid, like the seas of an ocean model; the other cells have their ranks row by row.
#pragma once

#include "schedules/irregular/partial_choice.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// One embedding for each common stencil with as many neighbors as the process with most. The order of its neighbors
/// tells a process in the middle of the grid their offsets. From there on the others are placed beside their neighbors,
/// in the order of the ranks. Processes that cannot be placed get any cell. Local.
std::vector<Embedding> around_holes(const std::vector<std::vector<int>>& destinations, SearchBudget& budget);

} // namespace hopscotch::schedules
