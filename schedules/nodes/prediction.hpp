// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Predicts up to which block size messages between nodes should be aggregated.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/nodes/effort.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// What an algorithm asks of processes, phase by phase.
using Efforts = std::vector<Effort>;

/// What aggregated, merged and, where there is a process grid, combining messages ask of one process. The same number
/// of phases on all processes. `grid`, `stencil`: null where there is none.
std::vector<Efforts> compared_efforts(const AggregationPart& aggregated, const Edges& edges, Blocks blocks,
                                      const Nodes& nodes, const Topology* grid, const Stencil* stencil);

/// Aggregating is faster than merging up to this many bytes, of the powers of two; 0 when combining is faster than both
/// for the smallest blocks. `busiest`: compared_efforts of the busiest process and node.
std::size_t aggregating_pays_up_to(const std::vector<Efforts>& busiest, const Network& network) noexcept;

} // namespace hopscotch::schedules
