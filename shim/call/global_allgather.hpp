// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries MPI_Allgather among all processes of a graph communicator.
#pragma once

#include "schedules/selection/reasons.hpp"
#include "shim/call/neighborhood_call.hpp"

namespace hopscotch::shim
{

/// True if the send buffer is the caller's block of the receive buffer, which only MPI_IN_PLACE may say: the MPI
/// library returns an error.
template <class Count>
bool is_own_block(const RegularBlocks<Count>& send, const RegularBlocks<Count>& receive, const Block& own) noexcept
{
    return send.buffer == own.address && send.type == receive.type && send.count == receive.count && own.bytes > 0;
}

/// A call on a communicator without a record is no business of ours. `library`: its function, with other buffers.
template <class Count, class Library>
int allgather_among_all(Call call, MPI_Comm comm, const Buffers<SingleBlock<Count>, RegularBlocks<Count>>& buffers,
                        Library&& library)
{
    const auto native = [&] { return library(buffers); };
    if (!runtime().active)
        return native();
    Communicator* const record = find_communicator(comm);
    if (record == nullptr)
        return native();
    const RegularBlocks<Count>& into = buffers.receive;
    const bool in_place = buffers.send.buffer == MPI_IN_PLACE;
    const RegularBlocks<Count>& send = in_place ? into : buffers.send;
    const auto pass = [&] { return leave_to_library(call, comm, schedules::reason::left_to_the_library, native); };
    if (into.buffer == MPI_IN_PLACE)
        return pass();
    return guarded_or(call, comm, pass, [&] {
        for (const MPI_Datatype type : {send.type, into.type})
            type_map(type); // the library checks them even without blocks
        const BlockLayout receive = BlockLayout::regular(into.buffer, into.count, into.type);
        const Block own = receive[record->graph().edges.rank];
        if (!in_place && is_own_block(send, into, own))
            return pass();
        const void* const from = in_place ? own.address : send.buffer;
        const auto layouts = [&](const schedules::Edges&, KeptBlocks&) {
            return Layouts{BlockLayout::single(from, send.count, send.type), receive};
        };
        const auto moved = [=, count = send.count, type = send.type, to = into](const Shifts& by = {}) {
            const void* const buffer = in_place && by.receive == 0 ? MPI_IN_PLACE : by.sent(from);
            const void* const received = by.received(const_cast<void*>(to.buffer));
            return library(Buffers{SingleBlock{buffer, count, type}, RegularBlocks{received, to.count, to.type}});
        };
        return BlockingCall(*record, call, Collective::global_allgather, layouts, moved).run();
    });
}

} // namespace hopscotch::shim
