// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Which rank each process of a topology shall have, as all of them agree or as each finds by itself.
#pragma once

#include "schedules/grid/whole_graph.hpp"
#include "schedules/mapping/remapping.hpp"
#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/info_value.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// The same on all processes.
struct NewRanks {
    schedules::Remapping remapping;
    bool weighted = false;
    std::vector<int> of_rank; // of the process with each rank; empty where all stay as they are
};

/// What reports say of ranks that were mapped.
std::string in_words(const NewRanks& ranks);

/// Found by the first process alone, since it takes O(p t). `own_weights`: of the edges that leave this process, by
/// offset; none where it gave none, and each weighs 1. Collective: over consensus. Throws: MpiError.
NewRanks agreed_ranks(CollectiveConsensus& consensus, const schedules::StencilOnGrid& known,
                      const schedules::Nodes& nodes, std::vector<int> own_weights, schedules::Objective objective);

/// The same where all edges weigh 1, without asking anybody. Local.
std::vector<int> ranks_of_all(const schedules::StencilOnGrid& known, const schedules::Nodes& nodes);

/// What MPI_Graph_create makes of these lists, of which all processes know all, as far as the settings tell; none
/// where no process grid explains them. Local; the same on all processes.
std::optional<schedules::StencilOnGrid> grid_of_lists(const std::vector<std::vector<int>>& neighbors);

/// What the info key "hopscotch_objective" asks for; the sum where it does not. Local.
schedules::Objective wanted_objective(MPI_Info info);

} // namespace hopscotch::shim
