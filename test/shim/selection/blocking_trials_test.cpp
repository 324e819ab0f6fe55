// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Trials of blocking calls: all processes take the same candidate in the same call, and keep the same one.
#include "test/catch.hpp"

#include "schedules/selection/selection_rules.hpp"
#include "shim/selection/blocking_trials.hpp"
#include "test/shim/selection/trials.hpp"

#include <optional>

using namespace hopscotch::schedules;
using namespace hopscotch::shim;

namespace
{

constexpr std::size_t calls_of_each = 3;

Settings with_trials(std::optional<std::size_t> set_up_after, const std::string& tuning)
{
    Settings settings;
    settings.trial_calls = calls_of_each;
    settings.set_up_after = set_up_after;
    settings.tuning = tuning;
    return settings;
}

struct Blocking : TrialGround {
    explicit Blocking(std::optional<std::size_t> set_up_after = {}, const std::string& tuning = "")
        : blocking(detected, with_trials(set_up_after, tuning), trials, table)
    {
    }

    BlockingTrials blocking;
    std::uint64_t agreements = 0;

    ~Blocking() { blocking.release(); }

    /// One call; the trial it is part of.
    Trial* call(std::size_t bytes) { return call(bytes, bytes); }
    Trial* call(std::size_t each, std::size_t largest)
    {
        if (!blocking.is_due(facts.collective))
            return nullptr;
        ++agreements;
        return blocking.agree(Call::MPI_Neighbor_alltoall, facts, {each, largest});
    }
};

} // namespace

TEST_CASE("Trials begin with the eleventh call, or with the third where graphs are set up at once or trials are kept")
{
    struct Row {
        std::optional<std::size_t> set_up_after;
        const char* tuning;
        std::uint64_t first;
    };
    for (const auto& [set_up_after, tuning, first] :
         {Row{std::nullopt, "", 11}, Row{0, "", 3}, Row{std::nullopt, "file.json", 3}}) {
        Blocking job(set_up_after, tuning);
        job.serve();
        for (std::uint64_t call = 1; call < first; ++call)
            CHECK(job.call(8) == nullptr);
        CHECK(job.call(8) != nullptr);
    }
}

TEST_CASE("A trial of blocking calls tries each candidate, and keeps the fastest")
{
    Blocking job;
    job.serve();
    std::map<Algorithm, std::size_t> tried;
    for (std::uint64_t call = 1; call < 100 && (job.trials.empty() || !job.trials.begin()->second.trial.decided());
         ++call) {
        Trial* const trial = job.call(8);
        if (call < Agreements::first_call)
            CHECK(trial == nullptr);
        if (trial == nullptr)
            continue;
        const Algorithm algorithm = trial->next_candidate().algorithm;
        ++tried[algorithm];
        const double other = world().rank == 0 ? 1e-3 : 1e-8; // the slowest process counts
        trial->note(algorithm == Algorithm::native ? 1e-2 : algorithm == Algorithm::shared ? 1e-6 : other);
    }
    REQUIRE(job.trials.size() == 1);
    const auto& [key, found] = *job.trials.begin();
    CHECK(key.collective == Collective::alltoall);
    CHECK(key.completion == Completion::blocking);
    CHECK(key.high == tried_with(job.facts, 8).high);
    CHECK(found.function == name(Call::MPI_Neighbor_alltoall));
    REQUIRE(found.trial.decided());
    CHECK(found.trial.best().algorithm == Algorithm::shared);
    CHECK(tried.size() == candidates(job.facts, 8).size());
    for (const auto& [algorithm, calls] : tried)
        CHECK(calls == calls_of_each);
    CHECK(job.blocking.last_of_ours(Collective::alltoall) == &found.trial);
    CHECK(job.blocking.last_of_ours(Collective::allgather) == nullptr);
    CHECK_FALSE(job.serves());
    const auto users = job.test.group.use_count();
    job.blocking.release();
    CHECK(job.test.group.use_count() == users - 1); // their consensus
}

TEST_CASE("A candidate that takes long on one process leaves the trial on all of them")
{
    Blocking job;
    std::map<Algorithm, std::size_t> tried;
    while (job.trials.empty() || !job.trials.begin()->second.trial.decided()) {
        Trial* const trial = job.call(8);
        if (trial == nullptr)
            continue;
        const Algorithm algorithm = trial->next_candidate().algorithm;
        ++tried[algorithm];
        trial->note(algorithm == Algorithm::native && world().rank == world().size - 1 ? 1.0 : 1e-3);
    }
    for (const auto& [algorithm, calls] : tried)
        CHECK(calls == (algorithm == Algorithm::native ? 2 : calls_of_each));
}

namespace
{

/// The number of tried calls on a new graph, always the same, with a largest block of so many bytes. Once the trial is
/// decided, no earlier choice serves.
std::uint64_t calls_until_decided(Call created_by, Collective collective, std::size_t largest)
{
    Blocking job;
    job.facts.collective = collective;
    job.graph->declined = job.facts.declined = {};
    job.graph->created_by = created_by;
    job.graph->topology = Topology({world().size}, {true});
    job.graph->stencil = Stencil(1, {1});
    job.serve();
    std::uint64_t tried = 0;
    for (std::uint64_t call = 1; call < 100 && (job.trials.empty() || !job.trials.begin()->second.trial.decided());
         ++call)
        if (Trial* const trial = job.call(is_regular(collective) ? 16 : 0, largest)) {
            ++tried;
            trial->next_candidate();
            trial->note(1.0);
        }
    REQUIRE(job.trials.size() == 1);
    const Trial& decided = job.trials.begin()->second.trial;
    REQUIRE(decided.decided());
    CHECK_FALSE(job.serves());
    const bool ours = decided.best().algorithm != Algorithm::native;
    CHECK(job.blocking.last_of_ours(collective) == (ours ? &decided : nullptr));
    return tried;
}

} // namespace

TEST_CASE("Graphs of sparse calls have trials of their own, since those replace another function of the library")
{
    const auto tried = [](Call created_by) { return calls_until_decided(created_by, Collective::alltoall, 16); };
    const std::uint64_t first = tried(Call::MPI_Dist_graph_create_adjacent);
    CHECK(first > 0);
    CHECK(tried(Call::MPI_Dist_graph_create_adjacent) == 0);
    CHECK(tried(Call::MPI_Alltoallv) == first);
}

TEST_CASE("The result of a trial is kept for the largest block of all processes")
{
    if (world().size == 1)
        return;
    const auto tried = [](int rank_of_largest) {
        const std::size_t largest = world().rank == rank_of_largest ? 100000 : 16;
        return calls_until_decided(Call::MPI_Dist_graph_create_adjacent, Collective::alltoallv, largest);
    };
    CHECK(tried(0) > 0);
    CHECK(tried(1) == 0);
}

TEST_CASE("Processes with sizes that disagree begin no trial")
{
    if (world().size == 1)
        return;
    Blocking job;
    constexpr std::uint64_t calls = Agreements::first_call + Agreements::longest_pause;
    for (std::uint64_t call = 0; call < calls; ++call)
        CHECK(job.call(world().rank == 0 ? 8 : 2000) == nullptr);
    CHECK(job.agreements > 1);
    CHECK(job.trials.empty());
    CHECK(job.blocking.calls(Collective::alltoall) == calls);
}

TEST_CASE("Calls of another size, or with sizes that disagree, take no part in a trial")
{
    if (world().size == 1)
        return;
    Blocking job;
    Trial* trial = nullptr;
    while (trial == nullptr)
        trial = job.call(8);
    trial->next_candidate();
    trial->note(1e-6);
    CHECK(job.call(2000) == nullptr);
    CHECK(job.call(world().rank == 0 ? 8 : 2000) == nullptr);
    CHECK(job.call(8) == trial);
}
