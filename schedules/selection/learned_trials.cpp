// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/selection/learned_trials.hpp"

#include "schedules/selection/agreement.hpp"
#include "schedules/selection/selection_rules.hpp"

#include <algorithm>
#include <tuple>

namespace hopscotch::schedules
{

namespace
{

bool have_same_candidates(const Trial& one, const Trial& other)
{
    const auto same = [](const Trial::Candidate& a, const Trial::Candidate& b) {
        return same_way(a.choice, b.choice) && a.choice.cutoff_bytes == b.choice.cutoff_bytes;
    };
    return std::equal(one.candidates().begin(), one.candidates().end(), other.candidates().begin(),
                      other.candidates().end(), same);
}

} // namespace

bool operator<(const TrialKey& one, const TrialKey& other) noexcept
{
    return std::tie(one.collective, one.completion, one.high) <
           std::tie(other.collective, other.completion, other.high);
}

const Trial* trial_to_follow(const Trials& trials, const Facts& facts, Completion completion, std::size_t block_bytes)
{
    for (const Completion tried : {completion, Completion::blocking}) {
        const auto found = trials.find({facts.collective, tried, tried_with(facts, block_bytes).high});
        if (found == trials.end() || !found->second.trial.decided())
            continue;
        const Algorithm best = found->second.trial.best().algorithm;
        const bool native = best == Algorithm::native; // requests of the library behave as programs expect everywhere
        if (tried == completion || (facts.may_forward && !native && !forwards(best)))
            return &found->second.trial;
    }
    return nullptr;
}

std::uint64_t shape_of(const Topology& grid, const Stencil& stencil, const Nodes& nodes, Surroundings surroundings)
{
    std::uint64_t hash = hash_with(hash_begin, surroundings.crowded ? 1 : 0);
    for (const std::vector<int>* numbers : {&grid.dims(), &stencil.shifts(), &nodes.of_rank})
        for (const int number : *numbers)
            hash = hash_with(hash, static_cast<std::uint64_t>(number));
    for (const bool periodic : grid.periods())
        hash = hash_with(hash, periodic ? 1 : 0);
    return hash;
}

std::optional<TrialOfCall> LearnedTrials::find(std::uint64_t shape, const TrialKey& key, const Trial& alike) const
{
    const auto found = by_shape_.find({shape, key});
    if (found == by_shape_.end() || !have_same_candidates(found->second.trial, alike))
        return std::nullopt;
    return found->second;
}

void LearnedTrials::learn(std::uint64_t shape, const TrialKey& key, TrialOfCall trial)
{
    by_shape_.insert_or_assign({shape, key}, std::move(trial));
}

} // namespace hopscotch::schedules
