// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The life of one neighborhood collective: find the communicator's record, choose, carry or pass on, count.
#include "shim/call/neighborhood_call.hpp"

#include "shim/mpi/runtime.hpp"
#include "shim/report/callsite.hpp"

#include <mutex>
#include <string>

namespace hopscotch::shim
{

void count_site(Way& way, const std::vector<void*>& place, std::uint64_t calls, std::uint64_t elapsed) noexcept
{
    static std::mutex mutex; // several threads may wait for requests of one way
    const std::lock_guard<std::mutex> lock(mutex);
    try {
        SiteTicks& site = way.sites[&place];
        site.calls += calls;
        site.ticks += elapsed;
    } catch (const std::bad_alloc&) {
        // A call less in the list of places.
    }
}

namespace
{

/// As a process makes a call.
std::string made_by(int rank, const NumberedCall& call)
{
    return "rank " + std::to_string(rank) + " gives blocks of " + std::to_string(call.block_bytes) + " bytes (" +
           name(static_cast<Algorithm>(call.algorithm % with_large_blocks)) + ")";
}

/// Where the program makes the call, if places are told apart.
void count_place(Way& way, std::uint64_t elapsed) noexcept
{
    if (runtime().settings.callsites == Callsites::call)
        count_site(way, capture_call_site(), 1, elapsed);
}

} // namespace

void look_for_deviation(Communicator& known, Call function, WaitingCall& call)
{
    const std::optional<Deviation> other = known.deviation(call);
    if (!other)
        return;
    const Graph& graph = known.graph();
    end_job("processes disagree in one call of " + std::string(name(function)) + " on a communicator of " +
                name(graph.created_by) + ", which could never end: " + made_by(graph.edges.rank, other->own) + ", " +
                made_by(other->rank, other->call) + " (MPI 4.0, " + (is_global(function) ? "6.7" : "8.6") + ": in " +
                std::string(name(function)) + " all blocks have the same size)",
            "processes disagreed about the size of blocks");
}

int carry(Communicator& known, Way& way, Collective collective, std::size_t block_bytes, const Layouts& layouts)
{
    Exchange& exchange = *way.exchange;
    exchange.begin(layouts.send, layouts.receive);
    std::optional<WaitingCall> waiting;
    wait(exchange, known.group()->yields(), [&, looks = 0u]() mutable {
        if (++looks % looks_per_question != 0)
            return;
        if (looks == looks_per_question)
            if (const auto call = known.last_call(collective, Completion::blocking, way.choice.algorithm, block_bytes))
                waiting = WaitingCall{*call};
        if (waiting)
            look_for_deviation(known, way.call, *waiting);
    });
    return exchange.error();
}

void count_completed(Way& way, const Exchange& exchange, std::uint64_t elapsed, int code) noexcept
{
    Counters& counters = way.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.messages += exchange.messages_sent();
    counters.bytes += exchange.bytes_sent();
    counters.bytes_saved += exchange.bytes_saved();
    counters.messages_trivial += way.trivial_messages;
    counters.ticks += elapsed;
}

void add_native_call(Way& way, std::size_t block_bytes, int code) noexcept
{
    const std::uint64_t messages = way.trivial_messages;
    Counters& counters = way.counters;
    ++counters.calls;
    counters.failed += code != MPI_SUCCESS ? 1 : 0;
    counters.messages += messages;
    counters.bytes += messages * block_bytes;
    counters.messages_trivial += messages;
}

void count_native(Way& way, std::uint64_t elapsed, std::size_t block_bytes, int code) noexcept
{
    if (!counting())
        return;
    count_place(way, elapsed);
    add_native_call(way, block_bytes, code);
    way.counters.ticks += elapsed;
}

void count(Way& way, std::uint64_t begin, std::size_t block_bytes, int code) noexcept
{
    if (!counting())
        return;
    const std::uint64_t elapsed = ticks() - begin;
    if (way.exchange == nullptr)
        return count_native(way, elapsed, block_bytes, code);
    count_place(way, elapsed);
    count_completed(way, *way.exchange, elapsed, code);
}

} // namespace hopscotch::shim
