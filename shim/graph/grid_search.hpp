// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Searches the process grid that explains the neighbor lists of all processes of a graph.
#pragma once

#include "schedules/grid/grid_choice.hpp"
#include "shim/graph/graph.hpp"
#include "shim/group/collective_consensus.hpp"

#include <vector>

namespace hopscotch::shim
{

/// True if both processes of every edge name it equally often. Collective: over the communicator.
bool lists_agree(CollectiveConsensus& consensus, const Graph& graph);

/// The grids that the program and the user have shown.
struct ShownGrids {
    std::vector<schedules::Candidate> trusted; // of so many processes as the graph
    std::vector<schedules::Candidate> larger;
};

/// Fills graph.topology, stencil, periodic and found, or graph.declined; requires all other members of the graph except
/// those learned from its edges. Returns true if the lists agree, as above. Tries `shown` grids, the parent's and the
/// user's and those the program recorded, then, with `infer`, others. `root`: a process with most destinations,
/// `root_degree` of them. `partly`: if no grid explains all lists, graph.partial is one that explains some of their
/// edges, unless the lists are too long. Collective: over the communicator, with the same arguments. Source: a
/// broadcast and a comparison, after Träff & Hunold, ICPP 2019, section 2.2: the process with most neighbors broadcasts
/// its list, every process compares its own with it in each grid, and one bitwise AND ends a stage.
bool search_grid(CollectiveConsensus& consensus, Graph& graph, const ShownGrids& shown, bool infer, bool partly,
                 int root, int root_degree);

} // namespace hopscotch::shim
