// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Which trials are remembered, and for what.
#include "test/catch.hpp"

#include "shim/selection/learned_trials.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

Trial trial_of(Algorithm first, Algorithm second)
{
    return Trial({{first, {}}, {second, {}}});
}

} // namespace

TEST_CASE("A trial is remembered by shape, kind of calls and candidates, the last one of each")
{
    constexpr std::uint64_t shape = 17;
    const TrialKey key{Collective::alltoall, Completion::blocking, 63};
    const Trial asked = trial_of(Algorithm::merged, Algorithm::native);
    CHECK_FALSE(learned_trial(shape, key, asked));
    TrialOfCall made{Call::Neighbor_alltoall, asked};
    made.trial.conclude({100, 50}, {});
    learn_trial(shape, key, made);
    REQUIRE(learned_trial(shape, key, asked));
    CHECK(learned_trial(shape, key, asked)->trial.best().algorithm == Algorithm::native);
    made.trial.conclude({50, 100}, {});
    learn_trial(shape, key, made);
    CHECK(learned_trial(shape, key, asked)->trial.best().algorithm == Algorithm::merged);

    CHECK_FALSE(learned_trial(shape + 1, key, asked));
    CHECK_FALSE(learned_trial(shape, {Collective::alltoallv, Completion::blocking, 63}, asked));
    CHECK_FALSE(learned_trial(shape, {Collective::alltoall, Completion::persistent, 63}, asked));
    CHECK_FALSE(learned_trial(shape, {Collective::alltoall, Completion::blocking, 127}, asked));
    CHECK_FALSE(learned_trial(shape, key, trial_of(Algorithm::merged, Algorithm::trivial)));
}
