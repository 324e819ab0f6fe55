// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Helpers for trials of all processes: a graph that no grid explains, and facts that leave several candidates.
#pragma once

#include "shim/selection/entry_table.hpp"
#include "test/shim/graph/detected.hpp"

#include "schedules/selection/learned_trials.hpp"

struct TrialGround {
    TestGroup test = test_group();
    std::shared_ptr<hopscotch::shim::Graph> graph = std::make_shared<hopscotch::shim::Graph>();
    hopscotch::schedules::Trials trials;
    hopscotch::shim::Detected detected = detected_as(graph, test);
    hopscotch::shim::EntryTable table{detected};
    hopscotch::schedules::Facts facts;

    TrialGround()
    {
        graph->ranks = facts.ranks = world().size;
        graph->declined = facts.declined = hopscotch::schedules::reason::not_isomorphic;
        facts.one_block_size = true;
        facts.shared_bytes = 4000;
    }

    /// An entry that serves until a trial says more.
    void serve()
    {
        table.serve(
            table.find(hopscotch::shim::Call::MPI_Neighbor_alltoall, {hopscotch::schedules::Algorithm::merged, {}}));
    }
    bool serves() const { return table.serving(hopscotch::shim::Call::MPI_Neighbor_alltoall, 8) != nullptr; }
};
