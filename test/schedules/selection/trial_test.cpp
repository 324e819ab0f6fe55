// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The way of a trial from candidate to candidate, the algorithm it keeps, and the time between agreements.
#include "test/catch.hpp"

#include "schedules/selection/trial.hpp"

#include <limits>

using namespace hopscotch::schedules;

namespace
{

constexpr Surroundings roomy{false, false};

Trial trial_of(const std::vector<Algorithm>& algorithms)
{
    std::vector<Choice> choices;
    for (const Algorithm algorithm : algorithms)
        choices.push_back({algorithm, {}});
    return Trial(choices);
}

/// The algorithm that is kept for these agreed times. Units: ns.
Algorithm kept(const std::vector<Algorithm>& algorithms, const std::vector<std::int64_t>& agreed, Surroundings where)
{
    Trial trial = trial_of(algorithms);
    trial.conclude(agreed, where);
    return trial.best().algorithm;
}

} // namespace

TEST_CASE("A trial gives each candidate five calls, then it is exhausted")
{
    Trial trial = trial_of({Algorithm::combining, Algorithm::merged});
    std::string calls;
    while (!trial.exhausted()) {
        calls += name(trial.next_candidate().algorithm)[0];
        trial.note(0.5);
    }
    CHECK(calls == "cccccmmmmm");
    CHECK_FALSE(trial.decided());
    CHECK(trial.best().algorithm == Algorithm::combining); // in the predicted order
    CHECK(trial.nanoseconds() == std::vector<std::int64_t>{500000001, 500000001});
}

TEST_CASE("A trial of an earlier run has its times and its winner")
{
    const Trial trial({{Algorithm::combining, {}}, {Algorithm::merged, {}}}, {2.0, 1.0}, 1);
    CHECK(trial.decided());
    CHECK(trial.winner() == 1);
    CHECK(trial.candidates()[0].seconds == 2.0);
    CHECK(trial.candidates()[1].seconds == 1.0);
    CHECK(trial_of({Algorithm::merged}).winner() == 0); // nothing to try
}

TEST_CASE("A trial gives each candidate as many calls as it is told")
{
    Trial trial({{Algorithm::combining, {}}, {Algorithm::merged, {}}}, 2);
    std::string calls;
    while (!trial.exhausted())
        calls += name(trial.next_candidate().algorithm)[0];
    CHECK(calls == "ccmm");
}

TEST_CASE("The calls of a trial may end in any order, and as many as one likes are not measured")
{
    Trial trial({{Algorithm::combining, {}}, {Algorithm::merged, {}}}, 3, 2);
    while (!trial.exhausted())
        trial.next_candidate();
    for (const std::size_t call : {5u, 0u, 3u, 1u, 2u, 4u})
        trial.note(call, static_cast<double>(call));
    CHECK(trial.nanoseconds() == std::vector<std::int64_t>{2000000001, 5000000001});
}

TEST_CASE("A candidate leaves once a measured call is long, and ten times as long as the fastest of all")
{
    const auto calls_with = [](double fastest, double seconds) {
        Trial trial = trial_of({Algorithm::shared, Algorithm::native, Algorithm::merged});
        std::string calls;
        while (!trial.exhausted()) {
            calls += name(trial.next_candidate().algorithm)[0];
            trial.note(calls.back() == 'n' ? seconds : calls == "ss" ? fastest : 2 * fastest);
            trial.leave_if_hopeless(trial.last_nanoseconds());
        }
        CHECK(trial.nanoseconds()[1] == static_cast<std::int64_t>(seconds * 1e9) + 1);
        return calls;
    };
    CHECK(calls_with(0.5, 5.0) == "sssssnnnnnmmmmm");
    CHECK(calls_with(0.5, 5.1) == "sssssnnmmmmm"); // the first one is not measured
    CHECK(calls_with(0.0001, 0.09) == "sssssnnnnnmmmmm");
    CHECK(calls_with(0.0001, 0.11) == "sssssnnmmmmm");
}

TEST_CASE("A candidate takes no call from the next one, whichever of its calls is long")
{
    for (std::size_t slow = 1; slow <= 5; ++slow) {
        Trial trial = trial_of({Algorithm::shared, Algorithm::native, Algorithm::merged});
        std::string calls;
        while (!trial.exhausted()) {
            calls += name(trial.next_candidate().algorithm)[0];
            trial.note(calls.size() == 5 + slow ? 6.0 : 0.5);
            trial.leave_if_hopeless(trial.last_nanoseconds());
        }
        CHECK(calls == "sssss" + std::string(slow == 1 ? 5 : slow, 'n') + "mmmmm");
    }
}

TEST_CASE("The last candidate may leave, and a trial that begins again compares with its own calls alone")
{
    Trial trial({{Algorithm::merged, {}}, {Algorithm::native, {}}}, 3, 0);
    const auto calls_with = [&trial](double merged, double native) {
        std::size_t calls = 0;
        for (; !trial.exhausted(); ++calls) {
            trial.note(trial.next_candidate().algorithm == Algorithm::native ? native : merged);
            trial.leave_if_hopeless(trial.last_nanoseconds());
        }
        trial.conclude({1000, 2000}, roomy);
        trial.rest(0);
        return calls;
    };
    CHECK(calls_with(0.5, 6.0) == 4);
    trial.begin_again();
    CHECK(trial.last_nanoseconds() == 0);
    CHECK(calls_with(8.0, 8.0) == 6);
    CHECK(trial.nanoseconds().front() == 8000000001);
}

TEST_CASE("Of the calls of a candidate the fastest counts")
{
    Trial trial = trial_of({Algorithm::merged, Algorithm::native});
    for (const double seconds : {0.25, 4.0, 2.0, 3.0, 8.0}) {
        trial.next_candidate();
        trial.note(seconds);
    }
    CHECK(trial.nanoseconds().front() == 2000000001);
}

TEST_CASE("On average the longest call does not count, nor does it in the middle")
{
    Trial trial = trial_of({Algorithm::merged, Algorithm::native});
    for (const double seconds : {0.25, 4.0, 2.0, 3.0, 8.0}) {
        trial.next_candidate();
        trial.note(seconds);
    }
    CHECK(trial.nanoseconds(Trial::Counts::average).front() == 3000000001);
    CHECK(trial.nanoseconds(Trial::Counts::median).front() == 4000000001);
    Trial short_one({{Algorithm::merged, {}}, {Algorithm::native, {}}}, 2);
    for (const double seconds : {0.25, 4.0}) {
        short_one.next_candidate();
        short_one.note(seconds);
    }
    CHECK(short_one.nanoseconds(Trial::Counts::average).front() == 4000000001);
}

TEST_CASE("With few cores a trial that begins again adds to its measurements, on several nodes with more calls")
{
    const bool one_node = GENERATE(false, true);
    const Surroundings crowded{one_node, true};
    Trial trial({{Algorithm::merged, {}}, {Algorithm::native, {}}}, 3);
    const auto carry = [&](double seconds) {
        std::size_t calls = 0;
        for (; !trial.exhausted(); ++calls) {
            trial.next_candidate();
            trial.note(seconds);
        }
        trial.conclude(trial.nanoseconds(Trial::Counts::median), crowded);
        trial.rest(0);
        return calls;
    };
    CHECK(carry(8.0) == 6);
    trial.begin_again();
    CHECK(carry(2.0) == (one_node ? 6 : 12));
    CHECK(trial.candidates().front().seconds == about(one_node ? 8.0 : 2.0)); // from 8, 8 and twice or five times 2
    for (int again = 0; again < 5; ++again) {
        trial.begin_again();
        carry(2.0);
    }
    trial.begin_again();
    CHECK(carry(2.0) == (one_node ? 6 : 48));
    CHECK(trial.candidates().front().seconds == about(2.0));
}

TEST_CASE("A trial of one candidate is decided")
{
    CHECK(trial_of({Algorithm::shared}).decided());
    CHECK_FALSE(trial_of({Algorithm::shared, Algorithm::merged}).decided());
}

TEST_CASE("The prediction stays if nothing is clearly faster")
{
    const std::vector<Algorithm> both{Algorithm::combining, Algorithm::merged};
    CHECK(kept(both, {10000, 9500}, roomy) == Algorithm::combining);
    CHECK(kept(both, {10000, 9499}, roomy) == Algorithm::merged);
    CHECK(kept(both, {10000, 9001}, {false, true}) == Algorithm::combining); // times differ on oversubscribed nodes
    CHECK(kept(both, {10000, 8999}, {false, true}) == Algorithm::merged);
    CHECK(kept(both, {10000, 5001}, {true, true}) == Algorithm::combining);
    CHECK(kept(both, {10000, 4999}, {true, true}) == Algorithm::merged);
    CHECK(kept(both, {1999, 1001}, {true, false}) == Algorithm::combining); // no longer than the differences between
                                                                            // processes
    CHECK(kept(both, {1999, 999}, {true, false}) == Algorithm::merged);
    CHECK(kept(both, {2001, 1800}, {true, false}) == Algorithm::merged);
}

TEST_CASE("The library's function must be clearly faster than the algorithm that has beaten the prediction")
{
    const std::vector<Algorithm> all{Algorithm::combining, Algorithm::merged, Algorithm::native};
    CHECK(kept(all, {10000, 8000, 7761}, roomy) == Algorithm::merged);
    CHECK(kept(all, {10000, 8000, 7759}, roomy) == Algorithm::native);
    CHECK(kept(all, {10000, 9600, 9499}, roomy) == Algorithm::native);
    Trial trial = trial_of(all);
    trial.conclude({10000, 8000, 4000}, roomy);
    CHECK(trial.decided());
    CHECK(trial.best().reason == reason::native_was_fastest);
    CHECK(trial.candidates()[1].seconds == about(8e-6));
}

TEST_CASE("Candidates near the fastest are tried again after a while, and again after a longer one")
{
    Trial trial = trial_of({Algorithm::shared, Algorithm::merged, Algorithm::native});
    CHECK_FALSE(trial.is_due(1000000)); // in progress
    trial.conclude({10000, 4000, 129000}, roomy);
    trial.rest(100);
    CHECK_FALSE(trial.in_progress());
    CHECK_FALSE(trial.is_due(163));
    REQUIRE(trial.is_due(164));
    trial.begin_again();
    CHECK(trial.in_progress());
    CHECK(trial.best().algorithm == Algorithm::merged); // meanwhile
    std::string calls;
    while (!trial.exhausted()) {
        calls += name(trial.next_candidate().algorithm)[0];
        trial.note(0.5);
    }
    CHECK(calls == "sssssmmmmm");
    CHECK(trial.nanoseconds().back() == std::numeric_limits<std::int64_t>::max());
    trial.conclude({3000, 4000, std::numeric_limits<std::int64_t>::max()}, roomy);
    trial.rest(180);
    CHECK(trial.best().algorithm == Algorithm::shared);
    CHECK(trial.candidates()[2].seconds == about(129e-6)); // the first time
    CHECK_FALSE(trial.is_due(180 + 511));
    CHECK(trial.is_due(180 + 512));
}

TEST_CASE("The MPI library's function is measured once more after it has become warm, unless it is hopeless")
{
    Trial trial = trial_of({Algorithm::shared, Algorithm::native});
    trial.conclude({1000, 32000}, roomy);
    trial.rest(0);
    trial.begin_again();
    REQUIRE(trial.in_progress());
    trial.conclude({1000, 8000}, roomy);
    CHECK(trial.candidates()[1].seconds == about(8e-6));
    trial.rest(64);
    trial.begin_again();
    CHECK_FALSE(trial.in_progress());
}

TEST_CASE("Nothing is tried again if all others were far from the fastest, or not all know the same")
{
    Trial trial = trial_of({Algorithm::shared, Algorithm::merged});
    trial.conclude({10000, 40001}, roomy);
    trial.rest(0);
    REQUIRE(trial.is_due(64));
    trial.begin_again();
    CHECK_FALSE(trial.in_progress());
    CHECK_FALSE(trial.is_due(1000000));
    Trial learned = trial_of({Algorithm::shared, Algorithm::merged});
    learned.conclude({10000, 10000}, roomy);
    learned.rest(0);
    learned.keep_for_good();
    CHECK_FALSE(learned.is_due(1000000));
}

TEST_CASE("Processes talk soon after a trial, then less and less often")
{
    Agreements agreements;
    Trial trial = trial_of({Algorithm::combining, Algorithm::merged});
    agreements.calls = 10;
    agreements.trial = &trial;
    agreements.adjourn();
    CHECK(agreements.trial == nullptr);
    std::vector<std::uint64_t> pauses;
    for (int i = 0; i < 5; ++i) {
        pauses.push_back(agreements.next_call - agreements.calls);
        agreements.calls = agreements.next_call;
        agreements.adjourn();
    }
    CHECK(pauses == std::vector<std::uint64_t>{64, 128, 256, 512, 512});
    agreements.trial = &trial;
    agreements.trial_calls = 199;
    agreements.go_on();
    CHECK(agreements.trial == &trial);
    CHECK(agreements.next_call == agreements.calls + 1);
    agreements.go_on(); // it takes too long
    CHECK(agreements.trial == nullptr);
    CHECK(agreements.next_call == agreements.calls + 64);
}

TEST_CASE("Calls of a late trial are averaged without the longest and without those that begin, by hand")
{
    constexpr std::size_t measured = 2;
    constexpr std::size_t calls_of_each = 3 * measured;
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
