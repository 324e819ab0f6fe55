// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Searches the process grid that explains the neighbor lists of all processes of a graph.
#pragma once

#include "shim/graph/graph.hpp"
#include "shim/graph/known_grids.hpp"
#include "shim/mpi/collective_consensus.hpp"

#include <functional>
#include <optional>

namespace hopscotch::shim
{

/// Tries candidate grids in order of trust: the parent's and the user's, those the program recorded, then inferred
/// ones. Source: DESIGN's broadcast and comparison, after Träff & Hunold, ICPP 2019, section 2.2: the process with most
/// neighbors broadcasts its list, every process compares its own with it in each grid, one bitwise-and ends a stage.
class GridSearch
{
  public:
    /// Local. `graph` has its edges; `parent_grid` is the same on all processes, `hints` may not be.
    GridSearch(CollectiveConsensus& consensus, Graph& graph, const Settings& settings,
               const std::optional<schedules::Topology>& parent_grid, const std::vector<Candidate>& hints);

    /// Fills graph.topology, stencil and found, or graph.declined. Hints are used when all processes have the same.
    /// Collective: over the communicator, with the same arguments.
    void run(int root, int root_degree, bool hints_agree);

  private:
    bool choose(const std::vector<Candidate>& candidates);
    bool choose_covering(const std::vector<Candidate>& trusted);
    bool choose_among(const std::vector<Candidate>& candidates, schedules::Survivors survivors,
                      const std::function<schedules::Stencil(std::size_t candidate)>& stencil_of);
    std::string decline(const std::vector<Candidate>& trusted);

    CollectiveConsensus& consensus_;
    Graph& graph_;
    const Settings& settings_;
    std::vector<Candidate> common_; // the same on all processes
    std::vector<Candidate> hints_;
    int root_ = 0;
    std::vector<int> root_destinations_;
    std::size_t tried_ = 0;
};

} // namespace hopscotch::shim
