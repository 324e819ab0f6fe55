// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the results of this run's trials, and those of other runs from a tuning file.
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

/// The result of `use(trials)`; no other thread uses the trials meanwhile. Local.
template <class Use>
auto with_learned_trials(Use&& use)
{
    Learned& learned = immortal<Learned>();
    const LockAmongThreads lock(learned.mutex);
    return use(learned.trials);
}

} // namespace hopscotch::shim
