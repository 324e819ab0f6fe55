// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses the cells of processes on a grid, for graphs that no grid explains as a whole. A wrong guess costs time,
// never data: its other edges travel directly.
#pragma once

#include "schedules/grid/grid_choice.hpp"
#include "schedules/irregular/partial_choice.hpp"

#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// Ranks row by row on each different torus among the candidates, in their order: edges that leave the mesh of a
/// candidate are missing on it.
std::vector<Embedding> in_rank_order(const std::vector<Candidate>& candidates);

/// By the order of the lists: entry i of all lists together must be a permutation of the processes, and these
/// permutations must commute. Each dimension is one of them. Tori with any ranks have such lists if all processes name
/// their neighbors in one order, sheared tori as well. None for other lists. Source: Träff & Hunold, ICPP 2019,
/// section 5 (other regular structures). Cost: O(p t log p).
std::optional<Embedding> by_list_order(const std::vector<std::vector<int>>& destinations);

/// Places that the program has shown: one cell of a grid for each process. None if they are no embedding.
std::optional<Embedding> by_shown_places(const std::vector<int>& dims, std::vector<int> cell_of_rank);

/// The best of all guesses: places that are `shown`, `trusted` grids; with `infer` also list order and the tori of so
/// many processes; unless these explain nine tenths of the edges with few messages, known numberings, and then grids
/// with holes. None if no grid saves a message, or the budget ends before one was priced. Local; the same on all
/// processes.
std::optional<PartialGrid> find_partial_grid(const std::optional<Embedding>& shown,
                                             const std::vector<Candidate>& trusted, bool infer,
                                             const std::vector<std::vector<int>>& destinations, SearchBudget& budget);

} // namespace hopscotch::schedules
