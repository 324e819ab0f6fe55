// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the process grid and the stencil with the fewest messages, for a graph that no grid explains as a whole.
#pragma once

#include "schedules/grid/partial_grid.hpp"
#include "schedules/grid/search_budget.hpp"
#include "schedules/irregular/embedded_graph.hpp"

#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// The embedding and the stencil with the fewest messages of all processes in an alltoall; none if that saves no
/// message against one for each pair of neighbors. The first of equal ones. Only a few are priced: those in which the
/// fewest offsets make up most of the edges, or of a sample of them. Shape: destinations[r] is the list of rank r.
/// Local; the same on all processes.
std::optional<PartialGrid> best_partial_grid(const std::vector<Embedding>& embeddings,
                                             const std::vector<std::vector<int>>& destinations, SearchBudget& budget);

} // namespace hopscotch::schedules
