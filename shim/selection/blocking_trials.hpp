// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in the blocking calls of one communicator, as the processes agree to.
#pragma once

#include "schedules/selection/learned_trials.hpp"
#include "shim/base/immortal.hpp"
#include "shim/graph/detection.hpp"
#include "shim/group/consensus.hpp"
#include "shim/mpi/threads.hpp"
#include "shim/selection/core_time.hpp"
#include "shim/selection/entry_table.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

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

using schedules::Facts;
using schedules::Trial;
using schedules::TrialKey;
using schedules::TrialOfCall;
using schedules::Trials;

/// The sizes of this process's blocks in a call. Units: bytes.
struct BlockSizes {
    std::size_t each = 0;    // of a regular call, whose blocks have one size; else 0
    std::size_t largest = 0; // of any call
};

class BlockingTrials
{
  public:
    /// Trials are kept in `trials`; `table` serves none once one of them is decided. All but the settings must live as
    /// long. Local.
    BlockingTrials(const Detected& detected, const Settings& settings, Trials& trials, EntryTable& table);

    /// Counts a call; true if it is one with an agreement. Local.
    bool is_due(Collective collective) noexcept
    {
        schedules::Agreements& agreements = agreements_[static_cast<std::size_t>(collective)];
        return ++agreements.calls == agreements.next_call;
    }

    /// The trial whose next candidate carries the call; null if the call is part of none. Requires: is_due() for it.
    /// Collective: over the communicator. Throws: MpiError.
    Trial* agree(Call call, const Facts& facts_now, BlockSizes sizes);

    /// The trial decided last for an algorithm of this library; null if there is none. Local.
    const Trial* last_of_ours(Collective collective) const noexcept
    {
        return agreements_[static_cast<std::size_t>(collective)].last_of_ours;
    }

    /// Calls so far. Local.
    std::uint64_t calls(Collective collective) const noexcept
    {
        return agreements_[static_cast<std::size_t>(collective)].calls;
    }

    /// Gives back objects that must not outlive MPI.
    void release() noexcept { consensus_.reset(); }

  private:
    const Graph& graph() const noexcept { return *detected_.graph; }
    const ProcessGroup& group() const noexcept { return *detected_.group; }
    schedules::Surroundings surroundings() const { return {group().nodes() == 1, group().any_yields()}; }
    std::uint64_t shape() const;
    TrialOfCall& trial_of(Call call, const Facts& facts_now, BlockSizes sizes);
    std::size_t learned_high(const Facts& facts_now, BlockSizes sizes);
    void follow(const TrialKey& key, const Trial& trial);
    void conclude(const TrialKey& key, Trial& trial);
    Consensus& consensus();

    const Detected& detected_;
    std::optional<std::size_t> calls_per_candidate_;
    Trials& trials_;
    EntryTable& table_;
    std::array<schedules::Agreements, collective_count> agreements_;
    std::array<TrialLoad, collective_count> loads_; // since the beginning of the trial
    std::unique_ptr<Consensus> consensus_;          // since the first agreement
};

} // namespace hopscotch::shim
