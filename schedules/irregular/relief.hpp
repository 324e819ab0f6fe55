// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets blocks travel directly or over common neighbors where that saves messages on a partial grid.
#pragma once

#include "schedules/grid/partial_grid.hpp"
#include "schedules/grid/search_budget.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// Lets blocks travel directly if the messages that forward them save nothing, and over a neighbor of both ends if its
/// messages can take them along. Afterwards no process with more than three neighbors sends more messages than without
/// the grid, and few send as many. Sets the numbers of messages, of blocks and of combined edges. False if no message
/// is saved any more. Without enough steps in the budget the grid remains as it is. Shape: destinations[r] is the list
/// of rank r. Local; the same on all processes.
bool relieve(PartialGrid& grid, const std::vector<std::vector<int>>& destinations, SearchBudget& budget);

} // namespace hopscotch::schedules
