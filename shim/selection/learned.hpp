// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds what trials of this run have found, and what a tuning file says of other runs.
#pragma once

#include "schedules/selection/learned_trials.hpp"
#include "shim/base/immortal.hpp"
#include "shim/mpi/threads.hpp"

#include <mutex>

namespace hopscotch::shim
{

struct Learned {
    std::mutex mutex;
    schedules::LearnedTrials trials;
};

/// What `use(trials)` returns, which no other thread uses meanwhile. Local.
template <class Use>
auto with_learned_trials(Use&& use)
{
    Learned& learned = immortal<Learned>();
    const LockAmongThreads lock(learned.mutex);
    return use(learned.trials);
}

} // namespace hopscotch::shim
