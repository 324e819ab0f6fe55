// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The mapping that walks through strips of the process grid, as wide as a node's part of the grid shall be.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/mapping/edge_weights.hpp"

#include <vector>

namespace hopscotch::schedules
{

/// The number of strips side by side along each dimension: 1 along the longest, along which the strips run. A node's
/// part of the grid shall have the proportions of the box around the stencil, and so cut few edges; with weights, those
/// of the weights that one step along each dimension cuts. If nodes differ in size, `processes_per_node` is their mean.
/// Source: Hunold et al., CLUSTER 2020, without weights.
std::vector<int> strips_along(const Topology& grid, const Stencil& stencil, int processes_per_node,
                              const EdgeWeights& weights = {});

/// The rank of a process: the strips follow each other forth and back, and in each its layers, row-major. The widths of
/// strips side by side differ by 1 at most. `counts`: of strips_along. Cost: O(d).
int stencil_strips_rank(const Topology& grid, const std::vector<int>& counts, int process);

} // namespace hopscotch::schedules
