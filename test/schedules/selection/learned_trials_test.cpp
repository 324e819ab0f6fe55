// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Remembered trials, and the calls that they serve.
#include "test/catch.hpp"

#include "schedules/selection/learned_trials.hpp"
#include "schedules/selection/selection_rules.hpp"

using namespace hopscotch::schedules;

namespace
{

Trial trial_of(Algorithm first, Algorithm second)
{
    return Trial({{first, {}}, {second, {}}});
}

} // namespace

TEST_CASE("Communicators have one shape if grid, stencil, nodes and cores are alike")
{
    const Topology grid({2, 2}, {true, false});
    const Stencil stencil(2, {1, 0});
    const Nodes nodes = nodes_of({0, 0, 1, 1});
    const std::uint64_t shape = shape_of(grid, stencil, nodes, {false, false});
    CHECK(shape == shape_of(grid, stencil, nodes, {false, false}));
    CHECK(shape != shape_of(Topology({4, 1}, {true, false}), stencil, nodes, {false, false}));
    CHECK(shape != shape_of(Topology({2, 2}, {true, true}), stencil, nodes, {false, false}));
    CHECK(shape != shape_of(grid, Stencil(2, {0, 1}), nodes, {false, false}));
    CHECK(shape != shape_of(grid, stencil, nodes_of({0, 1, 0, 1}), {false, false}));
    CHECK(shape != shape_of(grid, stencil, nodes, {false, true}));
}

TEST_CASE("Nonblocking calls follow their own trial, or that of blocking ones if it suits them")
{
    Facts facts;
    const std::size_t high = tried_with(facts, 8).high;
    Trials trials;
    const auto decide = [&](Completion completion, Algorithm first) {
        TrialOfCall made{"MPI_Neighbor_alltoall", trial_of(first, Algorithm::trivial)};
        made.trial.conclude({50, 100}, {});
        trials.insert_or_assign({facts.collective, completion, high}, made);
    };
    CHECK(trial_to_follow(trials, facts, Completion::nonblocking, 8) == nullptr);
    trials.insert({{facts.collective, Completion::blocking, high},
                   {"MPI_Neighbor_alltoall", trial_of(Algorithm::merged, Algorithm::trivial)}});
    CHECK(trial_to_follow(trials, facts, Completion::blocking, 8) == nullptr); // it goes on
    for (const Algorithm unsuitable : {Algorithm::native, Algorithm::combining}) {
        decide(Completion::blocking, unsuitable);
        CHECK(trial_to_follow(trials, facts, Completion::nonblocking, 8) == nullptr);
        CHECK(trial_to_follow(trials, facts, Completion::blocking, 8)->best().algorithm == unsuitable);
    }
    decide(Completion::blocking, Algorithm::merged);
    CHECK(trial_to_follow(trials, facts, Completion::nonblocking, 8)->best().algorithm == Algorithm::merged);
    facts.may_forward = false; // nobody drives operations in flight
    CHECK(trial_to_follow(trials, facts, Completion::nonblocking, 8) == nullptr);
    decide(Completion::nonblocking, Algorithm::combining);
    CHECK(trial_to_follow(trials, facts, Completion::nonblocking, 8)->best().algorithm == Algorithm::combining);
}

TEST_CASE("A trial is remembered by shape, kind of calls and candidates, the last one of each")
{
    constexpr std::uint64_t shape = 17;
    const TrialKey key{Collective::alltoall, Completion::blocking, 63};
    LearnedTrials learned;
    const Trial asked = trial_of(Algorithm::merged, Algorithm::native);
    CHECK_FALSE(learned.find(shape, key, asked));
    TrialOfCall made{"MPI_Neighbor_alltoall", asked};
    made.trial.conclude({100, 50}, {});
    learned.learn(shape, key, made);
    REQUIRE(learned.find(shape, key, asked));
    CHECK(learned.find(shape, key, asked)->trial.best().algorithm == Algorithm::native);
    made.trial.conclude({50, 100}, {});
    learned.learn(shape, key, made);
    CHECK(learned.find(shape, key, asked)->trial.best().algorithm == Algorithm::merged);

    CHECK_FALSE(learned.find(shape + 1, key, asked));
    CHECK_FALSE(learned.find(shape, {Collective::alltoallv, Completion::blocking, 63}, asked));
    CHECK_FALSE(learned.find(shape, {Collective::alltoall, Completion::persistent, 63}, asked));
    CHECK_FALSE(learned.find(shape, {Collective::alltoall, Completion::blocking, 127}, asked));
    CHECK_FALSE(learned.find(shape, key, trial_of(Algorithm::merged, Algorithm::trivial)));
    CHECK_FALSE(learned.find(shape, key, Trial({{Algorithm::merged, {}}})));
    CHECK_FALSE(learned.find(shape, key, Trial({{Algorithm::merged, {}, 100}, {Algorithm::native, {}}})));
    CHECK(learned.find(shape, key, Trial({{Algorithm::merged, reason::one_node}, {Algorithm::native, {}}})));
}
