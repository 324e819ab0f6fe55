// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Two things of allgather alone: the best dimension order of its routing tree, and everyone as neighbor.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/schedule.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// Edges of the routing tree when the dimensions are traversed in the given order: the blocks each process sends (V).
/// Repeated offsets count once; an edge whose shift is zero is no edge.
/// Source: Träff & Hunold, ICPP 2019, Proposition 3.3. Figure 2's neighborhood gives 12 in increasing and 6 in
/// decreasing order: its left tree has 12 edges; the 7 printed for the right one counts its nodes, root included.
int tree_volume(const Stencil& stencil, const std::vector<int>& dimension_order);

/// The order with the smallest tree volume, the lexicographically first of several: all orders are compared up to 6
/// dimensions, beyond that by increasing C_k. Cost: O(2^d t d), for the volume a dimension adds depends on the set of
/// dimensions before it only.
std::vector<int> best_dimension_order(const Stencil& stencil);

/// Every process's block to all processes, over the grid made a torus, dimension by dimension: the first one with the
/// smallest messages, so that it should be the one between nodes. Receive slot r is for the block of process r.
/// Rounds, and phases: the sum of log2 of the extents, each rounded up. Volume: one less than there are processes.
/// Collective: local; all processes must pass the same grid. Cost: O(p d) for p processes.
Schedule global_allgather(const Topology& grid, int rank);

} // namespace hopscotch::schedules
