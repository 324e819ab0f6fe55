// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The algorithm of one MPI function on one communicator for blocks of some sizes, and the counters of its calls.
#pragma once

#include "schedules/selection/choice.hpp"
#include "shim/base/clock.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/graph/graph.hpp"
#include "shim/mpi/calls.hpp"
#include "shim/report/durations.hpp"
#include "shim/report/statistics.hpp"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

using schedules::Choice;

class TriedCall;

/// Counters of an entry; time is in ticks until it reaches a report, that of `staged_ns`, too.
struct EntryCounters : Counters {
    std::uint64_t ticks = 0;
};

/// Calls from one place of the program.
struct SiteTicks {
    std::uint64_t calls = 0;
    std::uint64_t ticks = 0;
};

/// A nonblocking or persistent call under an entry, for measure_alone(), with the measured times.
struct SampleCall {
    std::uint64_t requests = 0; // so far; the sizes are those of the last request with a number that is a power of two
    schedules::Collective collective = schedules::Collective::alltoall;
    schedules::Completion completion = schedules::Completion::nonblocking;
    std::vector<int> sends, receives; // bytes by neighbor, at most INT_MAX; of an allgather one block is sent
    AloneRecord alone;                // without exchanges: nothing
};

/// The algorithm of one MPI function on one communicator for blocks of some sizes.
struct SelectionEntry {
    Choice choice;
    Exchange* exchange = nullptr; // for blocking calls; null if the native function carries the call
    Call call;
    bool settled = false;               // no trial will ever say more of this call
    std::uint64_t trivial_messages = 0; // to other processes a trivial algorithm sends per call from this process
    std::shared_ptr<TriedCall> tried;   // the part of the next operation under this entry in a trial; null: none
    EntryCounters counters;
    double tick_ns = nanoseconds_per_tick();
    Durations durations; // of blocking calls
    SampleCall sample;
    std::atomic<std::uint64_t> ticks_of_requests{0};      // several threads may wait for requests at once
    std::map<const std::vector<void*>*, SiteTicks> sites; // by capture_call_site()

    /// True if the library carries the call, now and later, for any blocks.
    bool passes() const noexcept
    {
        return settled && choice.algorithm == schedules::Algorithm::native && choice.sizes.all();
    }
};

/// Adds one blocking call under the entry that ends now, at its place in the program, if calls are counted. `elapsed`:
/// ticks.
[[gnu::hot]] void count(SelectionEntry& entry, const SentMessages& sent, std::uint64_t elapsed, int code) noexcept;

/// Adds one call under the entry that ends now while its operation goes on, at its place in the program. `elapsed`:
/// ticks. Requires: calls are counted.
[[gnu::hot]] void count_begun(SelectionEntry& entry, const SentMessages& sent, std::uint64_t elapsed,
                              int code) noexcept;

/// Adds to the durations of blocking calls. `elapsed`: ticks.
inline void add_duration(SelectionEntry& entry, std::uint64_t elapsed) noexcept
{
    entry.durations.add(static_cast<double>(static_cast<std::int64_t>(elapsed)) * entry.tick_ns);
}

/// Counts the call itself, without its place, even while counting is paused.
[[gnu::hot]] void add_call(SelectionEntry& entry, const SentMessages& sent, std::uint64_t elapsed, int code) noexcept;

/// The messages to other processes in a native call under the entry. messages_by_library() does not look at the blocks,
/// and gives no bytes; sent_by_library() gives the bytes of the blocks, too.
inline SentMessages messages_by_library(const SelectionEntry& entry) noexcept
{
    return {entry.trivial_messages, 0, 0, 0};
}
SentMessages sent_by_library(const Graph& graph, const SelectionEntry& entry, const BlockLayout& send) noexcept;

/// A nonblocking or persistent request is made under the entry. The same sample stays on all processes of the graph if
/// exchanges are to be measured by themselves.
[[gnu::hot]] void note_request(SelectionEntry& entry, schedules::Collective collective,
                               schedules::Completion completion, const schedules::Edges& edges, const BlockLayout& send,
                               const BlockLayout& receive);

/// Adds to the calls from one place of the program, and to the time they took.
void count_site(SelectionEntry& entry, const std::vector<void*>& place, std::uint64_t calls,
                std::uint64_t elapsed) noexcept;

} // namespace hopscotch::shim
