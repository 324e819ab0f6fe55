// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The message-combining schedule of neighborhood allgather: one routing tree, the best dimension order.
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

/// A process's block travels along a tree whose level k holds the distinct k-prefixes of the offsets; subtrees that
/// make the same step share a message. Send slot 0 is the process's block; repeated offsets are delivered to all their
/// slots. On a mesh the tree is cut where no target remains inside the grid. Phases: as in combining_alltoall, in the
/// given order.
/// Throws: std::invalid_argument when dimension_order is no permutation of the dimensions.
/// Collective: local; all processes must pass the same topology, stencil and order. Cost: O(t d) on a torus.
/// Source: Träff & Hunold, ICPP 2019, Algorithm 2, Proposition 3.3.
Schedule combining_allgather(const Neighborhood& neighborhood, const std::vector<int>& dimension_order);

/// Every process's block to all processes, over the grid made a torus: a phase per dimension, the first one with the
/// smallest messages, so that it should be the one between nodes. Receive slot r is for the block of process r.
/// Rounds: the sum of (extent - 1) over the dimensions. Volume: one less than there are processes.
/// Collective: local; all processes must pass the same grid. Cost: O(p d) for p processes.
Schedule global_allgather(const Topology& grid, int rank);

} // namespace hopscotch::schedules
