// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses which cells of a grid have no process, where the ranks number the others row by row: an ocean model that
// leaves out land does so.
#pragma once

#include "schedules/irregular/partial_choice.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// One embedding for each common stencil that has as many neighbors as the process with most. Where a process has all
/// of them on both sides of its own rank, their order tells their offsets; from there on the others are placed next to
/// those that are, in the order of the ranks. Processes that cannot be placed get any cell. `most_looks`: at places
/// where a process may be. Local.
std::vector<Embedding> around_holes(const std::vector<std::vector<int>>& destinations, std::size_t most_looks);

} // namespace hopscotch::schedules
