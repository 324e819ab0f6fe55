// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Trials of nonblocking calls: candidates in turn, an outcome that holds from the same call on, one trial at a time.
#include "test/catch.hpp"

#include "schedules/selection/selection_rules.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/group/progress.hpp"
#include "shim/mpi/threads.hpp"
#include "shim/selection/nonblocking_trials.hpp"
#include "test/shim/selection/trials.hpp"

using namespace hopscotch::schedules;
using namespace hopscotch::shim;

namespace
{

struct Nonblocking : TrialGround {
    NonblockingTrials nonblocking{detected, 2, trials, table};

    std::optional<NonblockingTrials::TriedPart> call(std::size_t bytes)
    {
        if (!nonblocking.is_due(Collective::alltoall))
            return std::nullopt;
        return nonblocking.next(Call::MPI_Ineighbor_alltoall, Collective::alltoall, bytes, [this] { return facts; });
    }

    /// True if one of the calls after a rest begins a trial.
    bool begins_after_rest(std::size_t bytes)
    {
        for (std::uint64_t call = 0; call <= Agreements::longest_pause; ++call)
            if (this->call(bytes))
                return call > Agreements::longest_pause / 2;
        return false;
    }
};

} // namespace

TEST_CASE("A trial of nonblocking calls begins with the first and is decided for the same call everywhere")
{
    Nonblocking job;
    job.serve();
    std::map<Algorithm, int> tried; // and the number of calls
    std::uint64_t calls = 0;
    for (; calls < 1000000 && job.trials.empty(); ++calls) {
        if (const auto part = job.call(8))
            ++tried[part->choice.algorithm];
        progress();
        give_way();
    }
    REQUIRE(job.trials.size() == 1);
    CHECK(job.trials.begin()->first.completion == Completion::nonblocking);
    CHECK(job.trials.begin()->second.trial.decided());
    CHECK(tried.size() > 1);
    CHECK(tried.count(Algorithm::native) == 0);
    for (const auto& [algorithm, number] : tried)
        CHECK(number == 3 * 2); // two are measured, after twice as many
    CHECK_FALSE(job.serves());
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    CHECK(consensus.all_equal(static_cast<std::int64_t>(calls)));
    CHECK(consensus.all_equal(static_cast<std::int64_t>(job.trials.begin()->second.trial.best().algorithm)));
    CHECK(job.nonblocking.calls() == calls);
    CHECK_FALSE(job.call(8)); // there is nothing to try
    CHECK(job.begins_after_rest(3000));
}

TEST_CASE("Calls of another size class take no part in a trial, and it ends if there are no others")
{
    Nonblocking job;
    CHECK(job.call(8).has_value());
    CHECK_FALSE(job.call(3000).has_value());
    CHECK(job.call(8).has_value()); // the trial goes on
    const auto make_others = [&job] {
        for (std::uint64_t call = 0; call <= Agreements::most_trial_calls; ++call)
            CHECK_FALSE(job.call(3000).has_value());
    };
    make_others();
    CHECK(job.trials.empty());
    CHECK(job.begins_after_rest(8));
    make_others();
    CHECK_FALSE(job.call(8).has_value()); // it rests
    job.nonblocking.be_due();
    CHECK(job.call(8).has_value());
}

TEST_CASE("A process that is ahead waits for the outcome, and takes it in the same call as the others")
{
    if (world().size != 2)
        return;
    Nonblocking job;
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    std::uint64_t calls = 0;
    while (job.call(8))
        ++calls;
    const auto look_often = [] {
        for (int looks = 0; looks < 1000; ++looks)
            progress();
    };
    if (world().rank == 0)
        look_often();
    CHECK(consensus.all(true));
    if (world().rank == 1)
        look_often(); // it hears the times of the other process, and names a call
    CHECK(consensus.all(true));
    const int calls_between_looks = world().rank == 1 ? 1000 : 1;
    for (calls += 1; calls < 1000000 && job.trials.empty(); progress())
        for (int call = 0; call < calls_between_looks && job.trials.empty(); ++call, ++calls)
            job.call(8);
    REQUIRE(job.trials.size() == 1);
    CHECK(consensus.all_equal(static_cast<std::int64_t>(calls)));
}
