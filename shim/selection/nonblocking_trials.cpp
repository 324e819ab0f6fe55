// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/nonblocking_trials.hpp"

#include "schedules/selection/selection_rules.hpp"
#include "shim/group/progress.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

using schedules::Agreements;

NonblockingTrials::NonblockingTrials(const Detected& detected, std::optional<std::size_t> calls_per_candidate,
                                     Trials& trials, EntryTable& table)
    : detected_(detected), calls_per_candidate_(calls_per_candidate), trials_(trials), table_(table)
{
}

/// True if a trial for blocks of this size has begun. Local; all processes come to the same.
bool NonblockingTrials::begin(Tried& now, Facts facts_now, std::size_t block_bytes)
{
    const Algorithm usual = choose_for(facts_now, block_bytes).algorithm;
    // The wait for third processes is part of the measurement. The MPI library's own requests are not tried: they fail
    // programs for which requests of this library work (docs/libraries.md#faults).
    facts_now.left_alone = false;
    facts_now.native_is_right = false;
    const TrialKey key{facts_now.collective, Completion::nonblocking, tried_with(facts_now, block_bytes).high};
    if (trials_.count(key) != 0)
        return false;
    std::vector<Choice> tried = candidates(facts_now, block_bytes);
    if (tried.size() == 1)
        return false;
    std::stable_partition(tried.begin(), tried.end(),
                          [usual](const Choice& choice) { return choice.algorithm == usual; });
    const std::size_t measured = 2 * (*calls_per_candidate_ - 1);
    now.trial = std::make_shared<TrialInFlight>(std::move(tried), measured, detected_.group,
                                                detected_.tags.silent_agreement(facts_now.collective));
    now.facts_now = std::move(facts_now);
    now.high = key.high;
    now.begun = now.calls;
    return true;
}

std::optional<NonblockingTrials::TriedPart>
NonblockingTrials::next(Call call, Collective collective, std::size_t block_bytes, const std::function<Facts()>& facts)
{
    Tried& now = collectives_[static_cast<std::size_t>(collective)];
    now.next_call = now.calls + 1;
    if (now.trial == nullptr && !begin(now, facts(), block_bytes)) {
        now.next_call = now.calls + Agreements::longest_pause;
        return std::nullopt;
    }
    if (!now.trial->may_make(now.calls))
        progress_until([&now] { return now.trial->may_make(now.calls); }, [] {}); // processes with trials do not yield
    if (now.trial->exhausted()) {
        if (const auto holds_from = now.trial->holds_from(); holds_from && now.calls >= *holds_from) {
            trials_.insert({{collective, Completion::nonblocking, now.high},
                            {name(call), now.trial->trial(), 0, now.trial->others_share()}});
            now.trial.reset();
            table_.serve_none(); // the earlier choices
        }
        return std::nullopt;
    }
    if (tried_with(now.facts_now, block_bytes).high != now.high) {
        if (now.calls > now.begun + Agreements::most_trial_calls) { // the program makes other calls
            now.trial.reset();
            now.next_call = now.calls + Agreements::longest_pause;
        }
        return std::nullopt;
    }
    const auto [candidate, number] = now.trial->next_call();
    TriedPart part{following(now.facts_now, block_bytes, candidate), std::make_shared<TriedCall>(now.trial, number)};
    if (now.trial->exhausted())
        enlist(now.trial);
    return part;
}

void NonblockingTrials::be_due() noexcept
{
    for (Tried& each : collectives_)
        each.next_call = each.calls + 1;
}

std::uint64_t NonblockingTrials::calls() const noexcept
{
    return std::accumulate(collectives_.begin(), collectives_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Tried& each) { return sum + each.calls; });
}

} // namespace hopscotch::shim
