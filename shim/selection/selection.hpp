// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Selects the algorithm that carries the calls of one communicator: by what is asked for, by prediction, and by trials
// of `auto`.
#pragma once

#include "schedules/selection/learned_trials.hpp"
#include "schedules/selection/selection_facts.hpp"
#include "shim/base/settings.hpp"
#include "shim/graph/graph.hpp"
#include "shim/mpi/dissemination.hpp"
#include "shim/mpi/process_group.hpp"
#include "shim/selection/entry.hpp"
#include "shim/selection/exchange_pool.hpp"
#include "shim/selection/trial_in_flight.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

/// Whether the MPI library's function is no measure. MPICH 4.0.2 mixes up the degrees in MPI_Neighbor_alltoallw; with
/// HOPSCOTCH_PARALLEL_EDGES=standard the library may match parallel edges in another order than we are to.
bool library_differs(const Graph& graph, const Settings& settings, Collective collective) noexcept;

using schedules::Facts;
using schedules::Trial;
using schedules::TrialKey;
using schedules::TrialOfCall;
using schedules::Trials;

class Selection
{
  public:
    /// `group`: null where there are no messages of ours. `tags`: of which messages that carry times of trials have
    /// theirs. `site`: in the program that made the communicator. `pool` must live as long. Local.
    Selection(std::shared_ptr<const Graph> graph, std::shared_ptr<ProcessGroup> group, const Settings& settings,
              ExchangePool& pool, TagBlock tags, std::uint64_t site);
    Selection(const Selection&) = delete;
    Selection& operator=(const Selection&) = delete;

    /// The entry for blocks of this size; for those of varying sizes 0. All processes must ask for the same: the choice
    /// depends on it. Collective for a blocking call: over the communicator, when a trial of `auto` ends; a nonblocking
    /// one waits, hardly ever, for processes to make progress (TrialInFlight). Requires, for a blocking call: the
    /// communicator is set up. Throws: MpiError, std::bad_alloc.
    SelectionEntry& entry(Call call, Collective collective, Completion completion, std::size_t block_bytes)
    {
        if (completion == Completion::nonblocking && ++nonblocking_[static_cast<std::size_t>(collective)].calls ==
                                                         nonblocking_[static_cast<std::size_t>(collective)].next_call)
            return entry_by_silent_trial(call, collective, block_bytes);
        if (completion == Completion::blocking && ++agreements_[static_cast<std::size_t>(collective)].calls ==
                                                      agreements_[static_cast<std::size_t>(collective)].next_call)
            return entry_by_agreement(call, collective, block_bytes);
        return usual_entry(call, collective, completion, block_bytes);
    }

    /// The entry of a call that the library carries, now and later, whatever its blocks are; null where that is not
    /// settled. Local.
    SelectionEntry* passing_entry(Call call) noexcept
    {
        for (SelectionEntry* const entry : serving_)
            if (entry->call == call)
                return entry->passes() ? entry : nullptr;
        return nullptr;
    }

    /// As entry, for a persistent request. Processes whose sizes disagree, wrongly, and would have chosen different
    /// algorithms use merged, where who receives other sizes learns of it. Collective: over the communicator. Throws:
    /// MpiError.
    SelectionEntry& persistent_entry(Call call, Collective collective, std::size_t block_bytes);

    /// The trial that the call for which entry() was asked last is part of, once; else null.
    Trial* take_trial() noexcept { return std::exchange(running_, nullptr); }

    /// The entry of calls that are carried as `choice` says, whether or not the table has it.
    SelectionEntry& find_entry(Call call, Collective collective, Completion completion, const Choice& choice);

    /// Where calls are counted that the native function carries for the given reason.
    SelectionEntry& native_entry(Call call, std::string_view reason)
    {
        return find_entry(call, Collective::alltoall, Completion::nonblocking,
                          {Algorithm::native, std::string(reason)});
    }

    /// The same of a call that passes for this reason, unless the communicator has one of its own.
    SelectionEntry& passed_entry(Call call, std::string_view reason)
    {
        return native_entry(call, graph_->unusable.empty() ? reason : graph_->unusable);
    }

    /// Those that hold for this communicator: its info keys come before variables. Local.
    const Settings& settings() const noexcept { return settings_; }

    /// The algorithm asked for; automatic where none is. Local.
    Algorithm asked_for(Collective collective) const noexcept { return settings_.algorithm(collective); }

    /// Chooses anew from now on: the communicator has been set up, or cannot be.
    void forget_choices() noexcept;

    /// Calls of the collective so far, blocking or nonblocking ones, and nonblocking ones of all collectives.
    std::uint64_t calls(Collective collective, Completion completion) const noexcept;
    std::uint64_t nonblocking_calls() const noexcept;

    const std::vector<std::unique_ptr<SelectionEntry>>& entries() const noexcept { return entries_; }
    const Trials& trials() const noexcept { return trials_; }

    /// Gives back what must not outlive MPI.
    void release() noexcept;

  private:
    /// The trial of the nonblocking calls of a collective, one size class at a time.
    struct SilentTrial {
        std::uint64_t calls = 0;              // so far
        std::uint64_t next_call = 1;          // at which there is something to do
        std::shared_ptr<TrialInFlight> trial; // until its outcome holds
        Facts known;                          // when it began
        std::size_t high = 0;                 // of its size class
        std::uint64_t begun = 0;              // with this call
    };

    SelectionEntry& usual_entry(Call call, Collective collective, Completion completion, std::size_t block_bytes)
    {
        for (SelectionEntry* const entry : serving_)
            if (entry->call == call && entry->choice.sizes.holds(block_bytes))
                return *entry;
        return choose_entry(call, collective, completion, block_bytes);
    }

    std::uint64_t trivial_messages(Call call) const;
    Facts facts(Collective collective, Completion completion) const;
    SelectionEntry& choose_entry(Call call, Collective collective, Completion completion, std::size_t block_bytes);
    SelectionEntry& entry_by_agreement(Call call, Collective collective, std::size_t block_bytes);
    bool begin_silent_trial(Collective collective, std::size_t block_bytes);
    SelectionEntry& entry_by_silent_trial(Call call, Collective collective, std::size_t block_bytes);
    schedules::Surroundings surroundings() const { return {group_->nodes() == 1, group_->any_yields()}; }
    std::uint64_t shape() const;
    Trial& trial_of(Call call, const Facts& known, Completion completion, std::size_t block_bytes);
    const Trial* decided_trial(const Facts& known, Completion completion, std::size_t block_bytes) const;
    void follow(const TrialKey& key, const Trial& trial);
    void conclude(const TrialKey& key, Trial& trial);
    bool is_settled(Collective collective) const noexcept;
    Consensus& consensus();

    std::shared_ptr<const Graph> graph_;
    std::shared_ptr<ProcessGroup> group_;
    Settings settings_;
    ExchangePool& pool_;
    TagBlock tags_;
    std::uint64_t site_;
    std::vector<SelectionEntry*> serving_; // what carries calls from now on: few, of those that were asked for
    Trials trials_;
    std::array<schedules::Agreements, collective_count> agreements_;
    std::array<SilentTrial, collective_count> nonblocking_;
    std::unique_ptr<Consensus> consensus_; // since the first agreement
    Trial* running_ = nullptr;
    std::vector<std::unique_ptr<SelectionEntry>> entries_;
};

} // namespace hopscotch::shim
