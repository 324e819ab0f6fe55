// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Chooses the ranks of the processes of a topology, by agreement or by each process alone.
#pragma once

#include "schedules/grid/whole_graph.hpp"
#include "schedules/mapping/remapping.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/info_value.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// The ranks of processes that are mapped to nodes, with the gain. They are the same on all processes.
struct NewRanks {
    schedules::Remapping remapping;
    bool weighted = false;
    std::vector<int> of_rank; // process with each rank; empty if all stay as they are
};

/// The result of the mapping, as a text for the report.
std::string in_words(const NewRanks& ranks);

/// The new ranks, found by the first process alone, since that takes O(p t). `own_weights`: weights of the edges that
/// leave this process, by offset; none if it gave none, and each weighs 1. Collective: over consensus. Throws:
/// MpiError.
NewRanks agreed_ranks(CollectiveConsensus& consensus, const schedules::StencilOnGrid& mapped,
                      const schedules::Nodes& nodes, std::vector<int> own_weights, schedules::Objective objective);

/// The new ranks of all processes with all edges of weight 1, without communication. Local.
std::vector<int> ranks_of_all(const schedules::StencilOnGrid& mapped, const schedules::Nodes& nodes);

/// The grid of a graph of MPI_Graph_create, by the settings and the lists of all processes; none if no grid explains
/// them. Local; the same on all processes.
std::optional<schedules::StencilOnGrid> grid_of_lists(const std::vector<std::vector<int>>& neighbors);

/// The objective of the info key "hopscotch_objective"; without it the sum. Local.
schedules::Objective wanted_objective(MPI_Info info);

} // namespace hopscotch::shim
