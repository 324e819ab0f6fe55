// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The hyperplane mapping cuts the process grid in two again and again.
#pragma once

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/mapping/edge_weights.hpp"
#include "schedules/nodes/node_ranges.hpp"

#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// The amount by which the offsets point along each dimension: the sum of the squared cosines of the angles between
/// them, each times the weight of its offset. In millionths, so that rounding does not tell dimensions alike from each
/// other.
/// Source: Hunold et al., CLUSTER 2020: a hyperplane shall cut the dimension along which the offsets point least.
std::vector<std::int64_t> directions(const Stencil& stencil, const EdgeWeights& weights = {});

/// The rank of a process: hyperplanes at the beginning of nodes, as near to the middle as possible, cut the grid until
/// each part is one node. First the dimension of the least direction, of dimensions alike the longest. If no hyperplane
/// begins a node (nodes of different sizes), the longest dimension is cut in the middle. Cost: O(log p) cuts, each
/// tried at as many places as the dimension is long at most.
int hyperplane_rank(const Topology& grid, const std::vector<std::int64_t>& directions, const NodeRanges& nodes,
                    int process);

} // namespace hopscotch::schedules
