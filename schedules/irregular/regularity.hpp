// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells graphs that a grid may explain in part from those without any order, before grids are tried.
#pragma once

#include "schedules/grid/search_budget.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// False if no grid will save messages: no process has three neighbors, or nearly all ways of two edges are the only
/// ones between their ends. On a grid two different steps lead to the same process in either order.
/// Shape: destinations[r] is the list of rank r. Cost: some 2^14 ways.
bool may_be_regular(const std::vector<std::vector<int>>& destinations, SearchBudget& budget);

} // namespace hopscotch::schedules
