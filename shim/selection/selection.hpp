// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Selects the algorithm for the calls of one communicator: by request, by prediction, and by trials of `auto`.
#pragma once

#include "schedules/selection/learned_trials.hpp"
#include "schedules/selection/selection_facts.hpp"
#include "shim/base/settings.hpp"
#include "shim/graph/detection.hpp"
#include "shim/selection/blocking_trials.hpp"
#include "shim/selection/entry_table.hpp"
#include "shim/selection/exchange_pool.hpp"
#include "shim/selection/nonblocking_trials.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// True if the MPI library's function is no reference. MPICH 4.0.2 mixes up the degrees in MPI_Neighbor_alltoallw; with
/// HOPSCOTCH_PARALLEL_EDGES=standard the library may match parallel edges in another order than we are to.
bool library_differs(const Graph& graph, const Settings& settings, Collective collective) noexcept;

class Selection
{
  public:
    /// `detected` and `pool` must live as long. Local.
    Selection(const Detected& detected, const Settings& settings, ExchangePool& pool);
    Selection(const Selection&) = delete;
    Selection& operator=(const Selection&) = delete;

    /// The entry for a call with these blocks. All processes must ask for the same size of each: the choice depends on
    /// it. Collective for a blocking call: over the communicator, at the end of a trial of `auto`; a nonblocking one
    /// waits, hardly ever, for processes to make progress (TrialInFlight). Requires, for a blocking call: the
    /// communicator is set up. Throws: MpiError, std::bad_alloc.
    [[gnu::always_inline]] SelectionEntry& entry(Call call, Collective collective, Completion completion,
                                                 BlockSizes sizes)
    {
        if (completion == Completion::nonblocking && nonblocking_.is_due(collective))
            return entry_by_nonblocking_trial(call, collective, sizes.each);
        if (completion == Completion::blocking && blocking_.is_due(collective))
            return entry_by_agreement(call, collective, sizes);
        return usual_entry(call, collective, completion, sizes.each);
    }

    /// EntryTable::passing().
    SelectionEntry* entry_left_to_library(Call call) const noexcept { return table_.passing(call); }

    /// Like entry, for a persistent request. Processes with sizes that wrongly disagree and would choose different
    /// algorithms use merged, so that a receiver of other sizes gets the error. Collective: over the communicator.
    /// Throws: MpiError.
    SelectionEntry& persistent_entry(Call call, Collective collective, std::size_t block_bytes);

    /// The trial that includes the call of the last entry(), returned once; else null.
    Trial* take_trial() noexcept { return std::exchange(running_, nullptr); }

    /// The entry of calls that this algorithm carries, chosen or not. Local.
    SelectionEntry& find_entry(Call call, const Choice& choice) { return table_.find(call, choice); }

    /// The counters of calls that the native function carries for the given reason, unless the communicator has a
    /// reason of its own.
    SelectionEntry& passed_entry(Call call, const schedules::Reason& reason)
    {
        return table_.find(call, {Algorithm::native, graph().is_ready() ? reason : graph().native_reason});
    }

    /// The settings of this communicator: its info keys come before variables. Local.
    const Settings& settings() const noexcept { return settings_; }

    /// The requested algorithm; automatic if there is none. Local.
    Algorithm asked_for(Collective collective) const noexcept { return settings_.algorithm(collective); }

    /// The communicator has another graph, since it has been set up, or cannot be.
    void choose_anew() noexcept;

    /// Calls of the collective so far, blocking or nonblocking ones, and nonblocking ones of all collectives.
    std::uint64_t calls(Collective collective, Completion completion) const noexcept
    {
        return completion == Completion::blocking ? blocking_.calls(collective) : nonblocking_.calls(collective);
    }
    std::uint64_t nonblocking_calls() const noexcept { return nonblocking_.calls(); }

    const std::vector<std::unique_ptr<SelectionEntry>>& entries() const noexcept { return table_.entries(); }
    const Trials& trials() const noexcept { return trials_; }

    /// Gives back objects that must not outlive MPI.
    void release() noexcept;

  private:
    const Graph& graph() const noexcept { return *detected_.graph; }
    SelectionEntry& usual_entry(Call call, Collective collective, Completion completion, std::size_t block_bytes)
    {
        SelectionEntry* const serving = table_.serving(call, block_bytes);
        return serving != nullptr ? *serving : choose_entry(call, collective, completion, block_bytes);
    }

    Facts facts(Collective collective, Completion completion) const;
    SelectionEntry& blocking_entry(Call call, Collective collective, const Choice& choice);
    SelectionEntry& choose_entry(Call call, Collective collective, Completion completion, std::size_t block_bytes);
    SelectionEntry& entry_by_agreement(Call call, Collective collective, BlockSizes sizes);
    SelectionEntry& entry_by_nonblocking_trial(Call call, Collective collective, std::size_t block_bytes);
    const Trial* decided_trial(const Facts& facts_now, Completion completion, std::size_t block_bytes) const;
    bool is_settled(Collective collective) const noexcept;

    const Detected& detected_;
    Settings settings_;
    ExchangePool& pool_;
    Trials trials_;
    EntryTable table_;
    BlockingTrials blocking_;
    NonblockingTrials nonblocking_;
    Trial* running_ = nullptr;
    mutable std::optional<std::vector<schedules::PreferredMember>> members_[2]; // by Blocks, once they are asked for
};

} // namespace hopscotch::shim
