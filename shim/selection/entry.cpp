// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/entry.hpp"

#include "shim/base/no_memory.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"

#include <algorithm>
#include <climits>
#include <mutex>

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
    } catch (const NoMemory&) {
        // A call less in the list of places.
    }
}

void add_call(SelectionEntry& entry, const SentMessages& sent, std::uint64_t elapsed, int code) noexcept
{
    EntryCounters& counters = entry.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.messages += sent.messages;
    counters.bytes += sent.bytes;
    counters.payload_bytes += sent.payload_bytes;
    counters.bytes_saved += sent.saved_bytes;
    counters.messages_trivial += sent.as_trivial ? sent.messages : entry.trivial_messages;
    counters.ticks += elapsed;
}

void count(SelectionEntry& entry, const SentMessages& sent, std::uint64_t elapsed, int code) noexcept
{
    if (!counting())
        return;
    count_begun(entry, sent, elapsed, code);
    add_duration(entry, elapsed);
}

void count_begun(SelectionEntry& entry, const SentMessages& sent, std::uint64_t elapsed, int code) noexcept
{
    if (runtime().settings.callsites == Callsites::call)
        count_site(entry, capture_call_site(), 1, elapsed);
    add_call(entry, sent, elapsed, code);
}

void note_request(SelectionEntry& entry, schedules::Collective collective, schedules::Completion completion,
                  const schedules::Edges& edges, const BlockLayout& send, const BlockLayout& receive)
{
    const Settings& settings = runtime().settings;
    const bool wanted = settings.baseline && !settings.verify && settings.report != "off";
    if (!wanted || collective == schedules::Collective::global_allgather)
        return;
    const std::uint64_t number = ++entry.sample.requests;
    if ((number & (number - 1)) != 0)
        return;
    const auto sizes = [](const BlockLayout& layout, std::size_t blocks) {
        std::vector<int> result(blocks);
        for (std::size_t i = 0; i < blocks; ++i)
            result[i] = static_cast<int>(std::min<std::size_t>(layout[static_cast<int>(i)].bytes, INT_MAX));
        return result;
    };
    entry.sample = {number, collective, completion, {}, {}, {}}; // without memory for it nothing is measured
    entry.sample.sends = sizes(send, is_allgather(collective) ? 1 : edges.destinations.size());
    entry.sample.receives = sizes(receive, edges.sources.size());
}

SentMessages sent_by_library(const Graph& graph, const SelectionEntry& entry, const BlockLayout& send) noexcept
{
    SentMessages sent = messages_by_library(entry);
    sent.bytes = sent.messages * send.block_bytes();
    for (std::size_t i = 0; i < graph.edges.destinations.size() && send.block_bytes() == 0; ++i) // not all alike
        if (const int to = graph.edges.destinations[i]; to != schedules::no_rank && to != graph.edges.rank)
            sent.bytes += send[static_cast<int>(i)].bytes;
    sent.payload_bytes = sent.bytes;
    return sent;
}

} // namespace hopscotch::shim
