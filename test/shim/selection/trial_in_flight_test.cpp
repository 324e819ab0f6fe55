// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A trial of nonblocking calls: the order of candidates, the measured times, and the first call of the outcome.
#include "test/catch.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/selection/trial_in_flight.hpp"
#include "test/processes.hpp"

#include <thread>

using namespace hopscotch::schedules;
using namespace hopscotch::shim;

namespace
{

constexpr std::size_t measured = 2;
constexpr std::size_t calls_of_each = 3 * measured; // twice, as many calls begin again

struct TwoCandidates {
    TestGroup test = test_group();
    TrialInFlight trial{{{Algorithm::merged, {}}, {Algorithm::combining, {}}},
                        measured,
                        test.group,
                        test.tags.silent_agreement(Collective::alltoall)};

    /// Calls of the first candidate take `first`, those of the other `other` seconds, of measured calls.
    void carry(double first, double other)
    {
        while (!trial.exhausted()) {
            const auto [choice, call] = trial.next_call();
            const bool begins = call % calls_of_each < calls_of_each - measured;
            trial.note(call, begins ? 100.0 : choice.algorithm == Algorithm::merged ? first : other);
        }
    }

    void agree()
    {
        while (!trial.advance())
            std::this_thread::yield();
    }
};

} // namespace

TEST_CASE("Calls of a trial in flight go to the candidates one after the other")
{
    TwoCandidates two;
    for (std::size_t i = 0; i < 2 * calls_of_each; ++i) {
        CHECK_FALSE(two.trial.exhausted());
        const auto [choice, call] = two.trial.next_call();
        CHECK(call == i);
        CHECK(choice.algorithm == (i < calls_of_each ? Algorithm::merged : Algorithm::combining));
        CHECK_FALSE(two.trial.advance());
        two.trial.note(call, 1.0);
    }
    CHECK(two.trial.exhausted());
    CHECK_FALSE(two.trial.holds_from());
    two.agree();
}

TEST_CASE("The times of the slowest process decide, from the same call on everywhere")
{
    TwoCandidates two;
    two.carry(1.0, world().rank == world().size - 1 ? 2.0 : 0.5);
    const std::uint64_t made = 50 + static_cast<std::uint64_t>(world().rank);
    CHECK(two.trial.may_make(made));
    two.agree();
    CHECK(two.trial.trial().best().algorithm == Algorithm::merged);
    REQUIRE(two.trial.holds_from());
    CHECK(*two.trial.holds_from() > made);
    CHECK(two.trial.may_make(made + 1000000));
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    CHECK(consensus.all_equal(static_cast<std::int64_t>(*two.trial.holds_from())));
    if (consensus.all(core_time().ran >= 0)) { // the system keeps books
        CHECK(two.trial.others_share() >= 0.0);
        CHECK(two.trial.others_share() <= 1.0);
    }
}

TEST_CASE("The longest call of a candidate does not count, nor do its first ones")
{
    TwoCandidates two;
    while (!two.trial.exhausted()) {
        const auto [choice, call] = two.trial.next_call();
        const bool first_measured = call % calls_of_each == calls_of_each - measured;
        const double usual = choice.algorithm == Algorithm::merged ? 4.0 : 1.0;
        two.trial.note(call, first_measured || call % calls_of_each < calls_of_each - measured ? 90.0 : usual);
    }
    two.agree();
    CHECK(two.trial.trial().best().algorithm == Algorithm::combining);
    CHECK(two.trial.trial().candidates().front().seconds == about(4.0));
}

TEST_CASE("A process that has named a call does not pass it before it knows the first call of the outcome")
{
    if (world().size != 2)
        return;
    TwoCandidates two;
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    constexpr std::uint64_t grace = 32;
    two.carry(1.0, 2.0);
    CHECK(two.trial.may_make(1000)); // it has named none
    const auto look_often = [&two] {
        for (int looks = 0; looks < 1000; ++looks)
            two.trial.advance();
    };
    if (world().rank == 0)
        look_often();
    CHECK(consensus.all(true));
    if (world().rank == 1) {
        look_often(); // it hears the times of the other process, which cannot name a call meanwhile
        CHECK(two.trial.may_make(1000 + grace));
        CHECK_FALSE(two.trial.may_make(1001 + grace));
        CHECK_FALSE(two.trial.holds_from());
    }
    CHECK(consensus.all(true));
    two.agree();
    CHECK(*two.trial.holds_from() == 1001 + grace);
    CHECK(two.trial.may_make(1001 + grace));
}
