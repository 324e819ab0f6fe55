// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries a blocking call with a buffer in the memory of a device.
#include "shim/call/neighborhood_call.hpp"

namespace hopscotch::shim
{

namespace
{

/// The buffers of a call in host memory, from the first need to the end of the call.
struct Staging {
    StagedBuffers& buffers;
    const NativeMoved& native;
    bool in_host_memory = false;

    void bring()
    {
        buffers.bring();
        in_host_memory = true;
    }

    int call_library()
    {
        if (!in_host_memory && library_takes_device_memory())
            return native({});
        if (!in_host_memory)
            bring();
        return native(buffers.shifts());
    }

    void end(SelectionEntry& entry, int code)
    {
        if (in_host_memory && code == MPI_SUCCESS)
            buffers.take_back();
        count_staged(entry, buffers);
    }
};

} // namespace

std::unique_ptr<StagedBuffers> find_staged(Communicator& known, Collective collective, const Layouts& user, bool stay)
{
    const schedules::Edges& edges = known.graph().edges;
    if (!is_allgather(collective)) {
        const bool compares = runtime().settings.verify; // then other functions get the moved buffers, too
        const std::size_t most_packed = known.graph().most_packed_bytes(collective);
        return StagedBuffers::find(user, edges.destinations, known.sources(collective),
                                   stay && !compares ? Staying{most_packed, edges.rank} : Staying());
    }
    const bool used = collective == Collective::global_allgather || schedules::degree(edges.destinations) > 0;
    return StagedBuffers::find(user, {used ? edges.rank : schedules::no_rank}, known.sources(collective));
}

void count_staged(SelectionEntry& entry, StagedBuffers& staged) noexcept
{
    const StagedBuffers::Copied copied = staged.take_copied();
    if (!counting() || copied.bytes == 0)
        return;
    ++entry.counters.staged_calls;
    entry.counters.staged_bytes += copied.bytes;
    entry.counters.staged_ns += copied.ticks;
}

int staged_call(Communicator& known, Call call, Collective collective, StagedBuffers& staged, const NativeMoved& native)
{
    Staging staging{staged, native};
    const auto layouts = [&staged](auto&&...) { return staged.blocks(); };
    return carried_at(
        known, call, collective, layouts, [&staging] { return staging.call_library(); }, {}, staging);
}

} // namespace hopscotch::shim
