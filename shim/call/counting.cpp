// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts a call under the entry that carried it.
#include "shim/call/counting.hpp"

#include "shim/base/clock.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"

#include <mutex>
#include <new>

namespace hopscotch::shim
{

void count_site(SelectionEntry& entry, const std::vector<void*>& place, std::uint64_t calls,
                std::uint64_t elapsed) noexcept
{
    static std::mutex mutex; // several threads may wait for requests of one entry
    const std::lock_guard<std::mutex> lock(mutex);
    try {
        SiteTicks& site = entry.sites[&place];
        site.calls += calls;
        site.ticks += elapsed;
    } catch (const std::bad_alloc&) {
        // A call less in the list of places.
    }
}

namespace
{

/// Where the program makes the call, if places are told apart.
void count_place(SelectionEntry& entry, std::uint64_t elapsed) noexcept
{
    if (runtime().settings.callsites == Callsites::call)
        count_site(entry, capture_call_site(), 1, elapsed);
}

} // namespace

void count_completed(SelectionEntry& entry, const Exchange& exchange, std::uint64_t elapsed, int code) noexcept
{
    EntryCounters& counters = entry.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.messages += exchange.sent().messages;
    counters.bytes += exchange.sent().bytes;
    counters.bytes_saved += exchange.sent().saved_bytes;
    counters.messages_trivial += entry.trivial_messages;
    counters.ticks += elapsed;
}

void add_native_call(SelectionEntry& entry, std::uint64_t bytes, int code) noexcept
{
    const std::uint64_t messages = entry.trivial_messages;
    EntryCounters& counters = entry.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.messages += messages;
    counters.bytes += bytes;
    counters.messages_trivial += messages;
}

void count_native(SelectionEntry& entry, std::uint64_t elapsed, std::uint64_t bytes, int code) noexcept
{
    if (!counting())
        return;
    count_place(entry, elapsed);
    add_native_call(entry, bytes, code);
    entry.counters.ticks += elapsed;
}

void count(SelectionEntry& entry, std::uint64_t begin, std::uint64_t native_bytes, int code) noexcept
{
    if (!counting())
        return;
    const std::uint64_t elapsed = ticks() - begin;
    if (entry.exchange == nullptr)
        return count_native(entry, elapsed, native_bytes, code);
    count_place(entry, elapsed);
    count_completed(entry, *entry.exchange, elapsed, code);
}

} // namespace hopscotch::shim
