// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries a blocking call with a buffer in the memory of a device.
#include "shim/call/neighborhood_call.hpp"

#include "shim/base/clock.hpp"
#include "shim/call/verification.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

namespace hopscotch::shim
{

namespace
{

SentMessages sent_natively(const Communicator& known, const SelectionEntry& entry, const StagedBuffers& staged,
                           int code)
{
    return code == MPI_SUCCESS ? sent_by_library(known.graph(), entry, staged.blocks().send)
                               : messages_by_library(entry);
}

int call_natively(StagedBuffers& staged, const NativeMoved& native)
{
    if (library_takes_device_memory())
        return native({});
    staged.bring();
    const int code = native(staged.shifts());
    if (code == MPI_SUCCESS)
        staged.take_back();
    return code;
}

} // namespace

std::unique_ptr<StagedBuffers> find_staged(Communicator& known, Collective collective, const Layouts& user)
{
    const schedules::Edges& edges = known.graph().edges;
    if (!is_allgather(collective))
        return StagedBuffers::find(user, edges.destinations, known.sources(collective));
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
    const std::uint64_t begin = ticks();
    const Layouts& blocks = staged.blocks();
    if (SelectionEntry* const passing = known.selection().passing_entry(call)) {
        const int code = call_natively(staged, native);
        count(*passing, sent_natively(known, *passing, staged, code), ticks() - begin, code);
        count_staged(*passing, staged);
        return code;
    }
    const std::size_t block_bytes = known.block_bytes(blocks.send, blocks.receive);
    known.set_up();
    SelectionEntry& entry =
        known.selection().entry(call, collective, Completion::blocking, known.sizes_of(collective, blocks));
    Trial* const trial = known.selection().take_trial();
    const std::uint64_t carried_from = ticks();
    const bool ours = entry.exchange != nullptr;
    int code = MPI_SUCCESS;
    if (ours) {
        staged.bring();
        code = runtime().settings.verify ? verified_call(known, entry, collective, begin, block_bytes, blocks,
                                                         [&] { return native(staged.shifts()); })
                                         : known.carry(entry, collective, block_bytes, blocks);
        if (code == MPI_SUCCESS)
            staged.take_back();
    } else {
        code = call_natively(staged, native);
    }
    if (!ours || !runtime().settings.verify)
        count(entry, ours ? entry.exchange->sent() : sent_natively(known, entry, staged, code), ticks() - begin, code);
    if (trial != nullptr)
        trial->note(seconds(ticks() - carried_from));
    count_staged(entry, staged);
    if (code != MPI_SUCCESS && ours && !runtime().settings.verify)
        throw MpiError{code};
    return code;
}

} // namespace hopscotch::shim
