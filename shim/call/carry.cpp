// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries a blocking call out, and finds that it can never end.
#include "shim/call/carry.hpp"

#include "shim/mpi/runtime.hpp"

#include <string>

namespace hopscotch::shim
{

namespace
{

/// As a process makes a call.
std::string made_by(int rank, const NumberedCall& call)
{
    return "rank " + std::to_string(rank) + " gives blocks of " + std::to_string(call.block_bytes) + " bytes (" +
           name(static_cast<Algorithm>(call.algorithm % with_large_blocks)) + ")";
}

} // namespace

void look_for_mismatch(Communicator& known, Call function, WaitingCall& call)
{
    const std::optional<Mismatch> other = known.watchdog().mismatch(call);
    if (!other)
        return;
    const Graph& graph = known.graph();
    end_job("processes disagree in one call of " + std::string(name(function)) + " on a communicator of " +
                name(graph.created_by) + ", which could never end: " + made_by(graph.edges.rank, other->own) + ", " +
                made_by(other->rank, other->call) + " (MPI 4.0, " + (is_global(function) ? "6.7" : "8.6") + ": in " +
                std::string(name(function)) + " all blocks have the same size)",
            "processes disagreed about the size of blocks");
}

int carry(Communicator& known, SelectionEntry& entry, Collective collective, std::size_t block_bytes,
          const Layouts& layouts)
{
    Exchange& exchange = *entry.exchange;
    exchange.begin(layouts.send, layouts.receive);
    std::optional<WaitingCall> waiting;
    wait(exchange, known.group()->yields(), [&, looks = 0u]() mutable {
        if (++looks % looks_per_question != 0)
            return;
        if (looks == looks_per_question)
            if (const auto call =
                    known.last_call(collective, Completion::blocking, entry.choice.algorithm, block_bytes))
                waiting = WaitingCall{*call};
        if (waiting)
            look_for_mismatch(known, entry.call, *waiting);
    });
    return exchange.error();
}

} // namespace hopscotch::shim
