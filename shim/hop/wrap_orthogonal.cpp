// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The global collectives in all forms: passed straight on, unless HOPSCOTCH_SEMANTICS=orthogonal gives them the meaning
// of the 2020 paper on communicators with neighborhoods, or MPI_Alltoallv and MPI_Alltoallw go by the graph of their
// blocks.
#include "schedules/selection/reasons.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/hop/held_operators.hpp"
#include "shim/hop/orthogonal_call.hpp"
#include "shim/mpi/signatures.hpp"
#include "shim/sparse/sparse_call.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

#define PLANNED(...) by_plan(call, comm, call_form, [&](auto& links) { return __VA_ARGS__; })
#define REDUCED(...) by_reduction(comm, call_form, __VA_ARGS__)
#define UNDEFINED refuse_undefined()
#define EXCHANGED(...) exchange_with_neighbors(comm, call_form, Buffers{__VA_ARGS__})

// Other forms of ALLGATHER and SPARSE stand below.
#define CALL(name, family)
#define COLLECTIVE(...) FORMS(HOPSCOTCH_COLLECTIVE, __VA_ARGS__)
#define ALLGATHER(signature, Count, blocking, nonblocking, persistent)                                                 \
    LATER_FORMS(HOPSCOTCH_COLLECTIVE, signature, Count, nonblocking, persistent)
#define SPARSE(...)
#include "shim/mpi/calls.def"

/// An operator that a reduction still uses is freed later.
HOPSCOTCH_WRAP(MPI_Op_free, (MPI_Op * op), (op))
{
    return free_operator(op);
}

namespace
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

} // namespace

/// Once for each call.
#define MOVED(by) sendbuf = by.sent(sendbuf), recvbuf = by.received(recvbuf)

#undef EXCHANGED
#define EXCHANGED(...)                                                                                                 \
    Buffers                                                                                                            \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/// `...`: the buffers.
#define HOPSCOTCH_ALLGATHER(name, call_form, parameters, arguments, ...)                                               \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        const auto buffers = __VA_ARGS__;                                                                              \
        if (to_neighbors(Call::name, comm))                                                                            \
            return exchange_with_neighbors(comm, {}, buffers);                                                         \
        const auto library = [=](const auto& with) { return with.call(next.name, comm); };                             \
        return allgather_among_all(Call::name, comm, buffers, library);                                                \
    }

/// `...`: the buffers.
#define HOPSCOTCH_SPARSE(name, call_form_, parameters, arguments, ...)                                                 \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        if (__builtin_expect(!runtime().looks_at_alltoallv, 1))                                                        \
            return next.name arguments;                                                                                \
        constexpr Call call = Call::name;                                                                              \
        const CallForm call_form = call_form_;                                                                         \
        const auto buffers = __VA_ARGS__;                                                                              \
        if (to_neighbors(call, comm))                                                                                  \
            return exchange_with_neighbors(comm, call_form, buffers);                                                  \
        if (!runtime().settings.alltoallv)                                                                             \
            return next.name arguments;                                                                                \
        auto native = [=](const Shifts& by) mutable { return MOVED(by), next.name arguments; };                        \
        return run_sparse({call, call_form, std::ref(native), buffers.send, buffers.receive, comm});                   \
    }

#define CALL(name, family)
#define ALLGATHER(signature, Count, blocking, nonblocking, persistent)                                                 \
    BLOCKING_FORM(HOPSCOTCH_ALLGATHER, signature, Count, blocking)
#define SPARSE(...) FORMS(HOPSCOTCH_SPARSE, __VA_ARGS__)
#include "shim/mpi/calls.def"
