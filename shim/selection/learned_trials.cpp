// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps what trials of this run have found, for the next communicators alike.
#include "shim/selection/learned_trials.hpp"

#include "shim/base/immortal.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <mutex>
#include <tuple>

namespace hopscotch::shim
{

namespace
{

struct Memory {
    std::mutex mutex;
    LearnedTrials by_shape;
};

bool have_same_candidates(const Trial& one, const Trial& other)
{
    const auto same = [](const Trial::Candidate& a, const Trial::Candidate& b) {
        return a.choice.algorithm == b.choice.algorithm && a.choice.cutoff_bytes == b.choice.cutoff_bytes;
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

std::optional<TrialOfCall> learned_trial(std::uint64_t shape, const TrialKey& key, const Trial& alike)
{
    Memory& all = immortal<Memory>();
    const LockAmongThreads lock(all.mutex);
    const auto found = all.by_shape.find({shape, key});
    if (found == all.by_shape.end() || !have_same_candidates(found->second.trial, alike))
        return std::nullopt;
    return found->second;
}

void learn_trial(std::uint64_t shape, const TrialKey& key, const TrialOfCall& trial)
{
    Memory& all = immortal<Memory>();
    const LockAmongThreads lock(all.mutex);
    all.by_shape.insert_or_assign({shape, key}, trial);
}

LearnedTrials learned_trials()
{
    Memory& all = immortal<Memory>();
    const LockAmongThreads lock(all.mutex);
    return all.by_shape;
}

} // namespace hopscotch::shim
