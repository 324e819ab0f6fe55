// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses where on a grid the processes of a graph lie that no grid explains as a whole. A wrong guess costs time,
// never data: what it does not explain travels directly.
#pragma once

#include "schedules/grid/grid_choice.hpp"
#include "schedules/irregular/partial_choice.hpp"

#include <optional>
#include <vector>

namespace hopscotch::schedules
{

/// Ranks row by row on each different torus among the candidates, the first first: what leaves its mesh is missing
/// there.
std::vector<Embedding> in_rank_order(const std::vector<Candidate>& candidates);

/// Where entry i of all lists together is a permutation of the processes, and these permutations commute: along every
/// dimension one of them leads to the next process. So it is on a torus whose processes have any numbers and name their
/// neighbors in one order, also where its borders are shifted against each other. None for other lists. Source: Träff &
/// Hunold, ICPP 2019, section 5 (other regular structures). Cost: O(p t log p).
std::optional<Embedding> by_list_order(const std::vector<std::vector<int>>& destinations);

/// The best of all guesses: `trusted` grids, then, with `infer`, by list order and the tori of so many processes; where
/// these do not explain nine tenths of the edges with few messages, also grids with holes. None where no grid saves a
/// message. `most_looks`: at edges, of each kind of guess. Local; the same on all processes.
std::optional<PartialGrid> find_partial_grid(const std::vector<Candidate>& trusted, bool infer,
                                             const std::vector<std::vector<int>>& destinations, std::size_t most_looks);

} // namespace hopscotch::schedules
