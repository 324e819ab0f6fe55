// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps what trials of this run have found, for the next communicators alike.
#pragma once

#include "schedules/trial.hpp"
#include "shim/graph/graph.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace hopscotch::shim
{

using schedules::Trial;

/// Which calls a trial is for: of a collective that completes so, with blocks of a size class, by its upper end.
struct TrialKey {
    Collective collective;
    Completion completion;
    std::size_t high;

    friend bool operator<(const TrialKey& one, const TrialKey& other) noexcept;
};

/// A trial, and the function that was tried first.
struct TrialOfCall {
    Call call;
    Trial trial;
};
using Trials = std::map<TrialKey, TrialOfCall>;

/// The trial that communicators of this shape have concluded last, if it had these candidates. Local.
std::optional<TrialOfCall> learned_trial(std::uint64_t shape, const TrialKey& key, const Trial& alike);

/// Remembers it. Local.
void learn_trial(std::uint64_t shape, const TrialKey& key, const TrialOfCall& trial);

/// All that are remembered, by shape and what they are for. Local.
using LearnedTrials = std::map<std::pair<std::uint64_t, TrialKey>, TrialOfCall>;
LearnedTrials learned_trials();

} // namespace hopscotch::shim
