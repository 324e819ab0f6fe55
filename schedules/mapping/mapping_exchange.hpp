// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Improves a mapping of a small grid: processes of different nodes change places while that spares edges between nodes.
#pragma once

#include "schedules/mapping/mapping_cost.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// The node of each rank after the exchanges: never worse for the objective than before, and each node keeps its size.
/// Shape: as for edges_between_nodes. Cost: O(p^3) per pass, so for small grids only; a few passes.
/// Source: Kernighan & Lin, Bell System Technical Journal 49, 1970: a pass makes the best exchange of processes not yet
/// exchanged in it, good or bad, until there are none left, and keeps the best mapping it saw.
std::vector<int> exchanged(const Topology& grid, const Stencil& stencil, std::vector<int> node_of_rank,
                           const EdgeWeights& weights = {}, Objective objective = Objective::sum);

} // namespace hopscotch::schedules
