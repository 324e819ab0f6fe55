// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Predicts the largest block size for which messages between nodes should be aggregated.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/nodes/effort.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The work of processes in an algorithm, phase by phase.
using Efforts = std::vector<Effort>;

/// The work of one process for aggregated, merged and, with a process grid, combining messages. The same number of
/// phases on all processes. `grid`, `stencil`: null if there is none.
std::vector<Efforts> compared_efforts(const AggregationPart& aggregated, const Edges& edges, Blocks blocks,
                                      const Nodes& nodes, const Topology* grid, const Stencil* stencil);

/// Aggregating is faster than merging up to this many bytes, a power of two; 0 if combining is faster than both for the
/// smallest blocks. `busiest`: compared_efforts of the busiest process and node.
std::size_t aggregating_pays_up_to(const std::vector<Efforts>& busiest, const Network& network) noexcept;

} // namespace hopscotch::schedules
