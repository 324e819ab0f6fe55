// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in the nonblocking calls of one communicator, one size class of a collective at a time.
#pragma once

#include "schedules/selection/learned_trials.hpp"
#include "shim/graph/detection.hpp"
#include "shim/selection/entry_table.hpp"
#include "shim/selection/trial_in_flight.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace hopscotch::shim
{

using schedules::Facts;
using schedules::TrialKey;
using schedules::Trials;

class NonblockingTrials
{
  public:
    /// See BlockingTrials.
    NonblockingTrials(const Detected& detected, std::optional<std::size_t> calls_per_candidate, Trials& trials,
                      EntryTable& table);

    /// Counts a call; true if there may be something to do at it. Local.
    bool is_due(Collective collective) noexcept
    {
        Tried& now = collectives_[static_cast<std::size_t>(collective)];
        return ++now.calls == now.next_call;
    }

    /// A call that is part of a trial.
    struct TriedPart {
        Choice choice;
        std::shared_ptr<TriedCall> call;
    };

    /// The part of the call in a trial; none if it is part of none. `facts`: of nonblocking calls of the collective.
    /// Requires: is_due() for it. Waits, hardly ever, for processes to make progress (TrialInFlight).
    std::optional<TriedPart> next(Call call, Collective collective, std::size_t block_bytes,
                                  const std::function<Facts()>& facts);

    /// The next call of each collective is due. Local.
    void be_due() noexcept;

    /// Calls so far; of all collectives. Local.
    std::uint64_t calls(Collective collective) const noexcept
    {
        return collectives_[static_cast<std::size_t>(collective)].calls;
    }
    [[gnu::hot]] std::uint64_t calls() const noexcept;

  private:
    struct Tried {
        std::uint64_t calls = 0;              // so far
        std::uint64_t next_call = 1;          // number of the next call with something to do
        std::shared_ptr<TrialInFlight> trial; // until its outcome holds
        Facts facts_now;                      // facts at its begin
        std::size_t high = 0;                 // high end of its size class
        std::uint64_t begun = 0;              // with this call
    };

    bool begin(Tried& now, Facts facts_now, std::size_t block_bytes);

    const Detected& detected_;
    std::optional<std::size_t> calls_per_candidate_;
    Trials& trials_;
    EntryTable& table_;
    std::array<Tried, collective_count> collectives_;
};

} // namespace hopscotch::shim
