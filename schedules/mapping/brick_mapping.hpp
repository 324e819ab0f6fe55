// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The mapping that gives each node a brick of the process grid, all of one shape.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/mapping/edge_weights.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// The shape of bricks of so many processes that fill the grid and have the fewest edges leaving them, or edges of the
/// least weight; empty if no bricks of that size fill it. Cost: O(t d) per shape.
std::vector<int> best_brick(const Topology& grid, const Stencil& stencil, int processes_per_node,
                            const EdgeWeights& weights = {});

/// The rank of a process: brick after brick, row-major, and so within each. Requires: bricks of this shape fill the
/// grid. Cost: O(d).
int brick_rank(const Topology& grid, const std::vector<int>& shape, int process);

} // namespace hopscotch::schedules
