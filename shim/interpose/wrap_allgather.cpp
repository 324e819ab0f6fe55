// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allgather: among all processes, or among neighbors under HOPSCOTCH_SEMANTICS=orthogonal.
#include "shim/interpose/wrap_allgather.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/interpose/intercept.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// True if the send buffer is the caller's block of the receive buffer, which only MPI_IN_PLACE may say: the MPI
/// library returns an error.
bool is_own_block(const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type, const Block& own,
                  MPI_Count count, MPI_Datatype type) noexcept
{
    return send_buffer == own.address && send_count == count && send_type == type && own.bytes > 0;
}

/// Cost: one predicted branch if no call goes to neighbors.
bool to_neighbors(Call call, MPI_Comm comm)
{
    return __builtin_expect(runtime().settings.semantics == Semantics::orthogonal, 0) &&
           orthogonal_allgather.takes(call, comm);
}

/// MPI_Allgather among all processes. One on a communicator without a record is no business of ours. `library`: its
/// function, with the arguments of the send buffer and the receive buffer.
template <class Library>
int allgather_among_all(Call call, const void* send_buffer, MPI_Count send_count, MPI_Datatype send_type,
                        void* receive_buffer, MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                        Library&& library)
{
    const auto native = [=] { return library(send_buffer, send_count, send_type, receive_buffer); };
    if (!runtime().active)
        return native();
    Communicator* const record = find_communicator(comm);
    if (record == nullptr)
        return native();
    const bool in_place = send_buffer == MPI_IN_PLACE;
    if (in_place) {
        send_count = receive_count;
        send_type = receive_type;
    }
    const auto pass = [&] { return leave_to_library(call, comm, schedules::reason::left_to_the_library, native); };
    if (receive_buffer == MPI_IN_PLACE)
        return pass();
    return guarded_or(call, comm, pass, [&] {
        for (const MPI_Datatype type : {send_type, receive_type})
            type_map(type); // the library checks them even without blocks
        const BlockLayout receive = BlockLayout::regular(receive_buffer, receive_count, receive_type);
        const Block own = receive[record->graph().edges.rank];
        if (!in_place && is_own_block(send_buffer, send_count, send_type, own, receive_count, receive_type))
            return pass();
        const void* const from = in_place ? own.address : send_buffer;
        const auto layouts = [&](const schedules::Edges&, KeptBlocks&) {
            return Layouts{BlockLayout::single(from, send_count, send_type), receive};
        };
        const auto moved = [=](const Shifts& by = {}) {
            return library(in_place && by.receive == 0 ? send_buffer : by.sent(from), send_count, send_type,
                           by.received(receive_buffer));
        };
        return BlockingCall(*record, call, Collective::global_allgather, layouts, moved).run();
    });
}

} // namespace

HOPSCOTCH_WRAP(MPI_Allgather,
               (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    if (to_neighbors(Call::MPI_Allgather, comm))
        return orthogonal_allgather.plain(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return allgather_among_all(Call::MPI_Allgather, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                               [=](const void* from, MPI_Count count, MPI_Datatype type, void* to) {
                                   return next.MPI_Allgather(from, static_cast<int>(count), type, to, recvcount,
                                                             recvtype, comm);
                               });
}

HOPSCOTCH_WRAP(MPI_Allgather_c,
               (const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                MPI_Datatype recvtype, MPI_Comm comm),
               (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm))
{
    if (to_neighbors(Call::MPI_Allgather_c, comm))
        return orthogonal_allgather.large(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    return allgather_among_all(Call::MPI_Allgather_c, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm,
                               [=](const void* from, MPI_Count count, MPI_Datatype type, void* to) {
                                   return next.MPI_Allgather_c(from, count, type, to, recvcount, recvtype, comm);
                               });
}
