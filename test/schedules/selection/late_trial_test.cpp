// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A trial of nonblocking calls: which of them count, whatever order they complete in.
#include "schedules/selection/late_trial.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

constexpr std::size_t measured = 2;
constexpr std::size_t calls_of_each = 3 * measured;

} // namespace

TEST_CASE("Calls of a late trial are averaged without the longest and without those that begin, by hand")
{
    LateTrial trial({{Algorithm::merged, {}}, {Algorithm::combining, {}}}, measured);
    for (std::size_t i = 0; i < 2 * calls_of_each; ++i) {
        CHECK_FALSE(trial.exhausted());
        CHECK(trial.calls() == i);
        CHECK(trial.next_candidate().algorithm == (i < calls_of_each ? Algorithm::merged : Algorithm::combining));
        CHECK_FALSE(trial.all_complete());
    }
    CHECK(trial.exhausted());
    const double seconds[2 * calls_of_each] = {9, 9, 9, 9, 7, 4, 9, 9, 9, 9, 2, 8};
    for (std::size_t i = 2 * calls_of_each; i-- > 0;)
        trial.note(i, seconds[i]);
    CHECK(trial.all_complete());
    CHECK(trial.nanoseconds() == std::vector<std::int64_t>{4000000001, 2000000001}); // rounded up
    trial.conclude({4000000000, 2000000000}, {});
    CHECK(trial.trial().best().algorithm == Algorithm::combining);
}
