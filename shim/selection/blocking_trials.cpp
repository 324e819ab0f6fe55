// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/blocking_trials.hpp"

#include "schedules/selection/selection_rules.hpp"
#include "shim/group/dissemination.hpp"

#include <iterator>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

BlockingTrials::BlockingTrials(const Detected& detected, const Settings& settings, Trials& trials, EntryTable& table)
    : detected_(detected), calls_per_candidate_(settings.trial_calls), trials_(trials), table_(table)
{
    // With HOPSCOTCH_TUNING the trials are known, or are meant to be.
    if (settings.set_up_after == std::optional<std::size_t>(0) || !settings.tuning.empty())
        for (schedules::Agreements& agreements : agreements_)
            agreements.next_call = schedules::Agreements::first_call_at_once;
}

Consensus& BlockingTrials::consensus()
{
    if (consensus_ == nullptr)
        consensus_ = std::make_unique<MessageConsensus>(detected_.group, detected_.tags.agreement());
    return *consensus_;
}

std::uint64_t BlockingTrials::shape() const
{
    const std::uint64_t shape = shape_of(graph().topology, graph().stencil, group().node_map(), surroundings());
    return graph().of_sparse_calls() ? ~shape : shape; // native calls are of another function
}

/// Ends the size class by which later communicators learn the trial's result. Collective: over the communicator.
/// Throws: MpiError.
std::size_t BlockingTrials::learned_high(const Facts& facts_now, BlockSizes sizes)
{
    if (knows_block_size(facts_now))
        return learned_with(facts_now, sizes.each).high;
    auto largest = static_cast<std::int64_t>(sizes.largest);
    consensus().maxima(&largest, 1);
    return learned_with(facts_now, static_cast<std::size_t>(largest)).high;
}

/// The trial for blocks of this size; one that has been decided on a communicator alike, with the same candidates, if
/// all processes remember that. Collective: over the communicator. Throws: MpiError.
TrialOfCall& BlockingTrials::trial_of(Call call, const Facts& facts_now, BlockSizes sizes)
{
    const TrialKey key{facts_now.collective, Completion::blocking, tried_with(facts_now, sizes.each).high};
    if (const auto found = trials_.find(key); found != trials_.end())
        return found->second;
    TrialOfCall made{name(call), Trial(candidates(facts_now, sizes.each), *calls_per_candidate_)};
    if (!made.trial.decided() && graph().isomorphic()) {
        made.learned_high = learned_high(facts_now, sizes);
        const TrialKey wanted{key.collective, key.completion, made.learned_high};
        const std::optional<TrialOfCall> learned = with_learned_trials(
            [&](const schedules::LearnedTrials& all) { return all.find(shape(), wanted, made.trial); });
        const auto best = learned ? static_cast<std::int64_t>(learned->trial.winner()) : -1;
        if (consensus().all_equal(best) && learned) {
            TrialOfCall& found = trials_.insert({key, *learned}).first->second;
            found.trial.keep_for_good();
            follow(key, found.trial);
        }
    }
    return trials_.insert({key, std::move(made)}).first->second;
}

/// From now on calls of this kind use the algorithm that won the trial.
void BlockingTrials::follow(const TrialKey& key, const Trial& trial)
{
    if (trial.best().algorithm != Algorithm::native)
        agreements_[static_cast<std::size_t>(key.collective)].last_of_ours = &trial;
    table_.serve_none(); // the earlier choices
}

/// Collective: over the communicator. Throws: MpiError.
void BlockingTrials::conclude(const TrialKey& key, Trial& trial)
{
    const schedules::Surroundings where = surroundings();
    std::vector<std::int64_t> nanoseconds =
        trial.nanoseconds(where.crowded ? Trial::Counts::median : Trial::Counts::fastest);
    nanoseconds.push_back(loads_[static_cast<std::size_t>(key.collective)].value({group().due_share(), where.crowded}));
    consensus().maxima(nanoseconds.data(), nanoseconds.size());
    TrialOfCall& concluded = trials_.at(key);
    concluded.others_share = agreed_share(nanoseconds.back(), {group().due_share(), where.crowded});
    trial.conclude(nanoseconds, where);
    if (graph().isomorphic()) {
        const TrialKey kept{key.collective, key.completion, concluded.learned_high};
        with_learned_trials([&](schedules::LearnedTrials& all) { all.learn(shape(), kept, concluded); });
    }
    follow(key, trial);
}

Trial* BlockingTrials::agree(Call call, const Facts& facts_now, BlockSizes sizes)
{
    schedules::Agreements& agreements = agreements_[static_cast<std::size_t>(facts_now.collective)];
    const std::size_t high = tried_with(facts_now, sizes.each).high;
    // If sizes wrongly disagree, an algorithm of this library carries the call, since it notices; the MPI library's
    // function may not.
    const std::size_t compared = knows_block_size(facts_now) ? sizes.each : high;
    Trial* const running = agreements.trial;
    std::int64_t agreed[] = {static_cast<std::int64_t>(compared), ~static_cast<std::int64_t>(compared),
                             running != nullptr ? running->last_nanoseconds() : 0};
    consensus().maxima(agreed, std::size(agreed));
    const bool same = agreed[0] == ~agreed[1];
    if (running != nullptr)
        running->leave_if_hopeless(agreed[2]);
    if (agreements.trial != nullptr && agreements.trial->exhausted()) {
        conclude({facts_now.collective, Completion::blocking, agreements.high}, *agreements.trial);
        agreements.trial->rest(agreements.calls);
        agreements.adjourn();
    } else if (agreements.trial == nullptr && same) {
        TrialOfCall& of_call = trial_of(call, facts_now, sizes);
        Trial& trial = of_call.trial;
        if (trial.is_due(agreements.calls)) {
            trial.begin_again();
            if (graph().isomorphic())
                of_call.learned_high = learned_high(facts_now, sizes);
        }
        agreements.trial = trial.in_progress() ? &trial : nullptr;
        agreements.high = high;
        if (agreements.trial != nullptr)
            loads_[static_cast<std::size_t>(facts_now.collective)].begin();
    }
    agreements.go_on();
    return same && high == agreements.high ? agreements.trial : nullptr;
}

} // namespace hopscotch::shim
