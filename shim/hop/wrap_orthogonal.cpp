// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The global collectives in all forms: passed straight on, unless HOPSCOTCH_SEMANTICS=orthogonal gives them the meaning
// of the 2020 paper on communicators with neighborhoods, or MPI_Alltoallv and MPI_Alltoallw go by the graph of their
// blocks.
#include "shim/call/global_allgather.hpp"
#include "shim/hop/held_operators.hpp"
#include "shim/hop/orthogonal_call.hpp"
#include "shim/mpi/signatures.hpp"
#include "shim/sparse/sparse_call.hpp"

using namespace hopscotch::shim;

#define BLOCKING(name, parameters, arguments, ...)                                                                     \
    HOPSCOTCH_COLLECTIVE(name, parameters, arguments, CallForm{}, __VA_ARGS__)

#define NONBLOCKING(name, parameters, arguments, ...)                                                                  \
    HOPSCOTCH_COLLECTIVE(name, parameters, arguments, (CallForm{Completion::nonblocking, request}), __VA_ARGS__)

#define PERSISTENT(name, parameters, arguments, ...)                                                                   \
    HOPSCOTCH_COLLECTIVE(name, parameters, arguments, (CallForm{Completion::persistent, request, info}), __VA_ARGS__)

#define PLANNED(...) planned(call, comm, call_form, [&](auto& links) { return __VA_ARGS__; })
#define REDUCED(...) reduced(comm, call_form, __VA_ARGS__)
#define UNDEFINED undefined(comm)
#define EXCHANGED(...) exchange_with_neighbors(comm, call_form, Buffers{__VA_ARGS__})

FORMS(OF_BARRIER, int, MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init)
FORMS(OF_BCAST, int, MPI_Bcast, MPI_Ibcast, MPI_Bcast_init)
FORMS(OF_GATHER, int, MPI_Gather, MPI_Igather, MPI_Gather_init)
FORMS(OF_GATHERV, int, MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init)
FORMS(OF_SCATTER, int, MPI_Scatter, MPI_Iscatter, MPI_Scatter_init)
FORMS(OF_SCATTERV, int, MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init)
// The blocking form of MPI_Allgather stands below.
LATER_FORMS(OF_ALLGATHER, int, MPI_Iallgather, MPI_Allgather_init)
FORMS(OF_ALLGATHERV, int, MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init)
FORMS(OF_ALLTOALL, int, MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init)
// MPI_Alltoallv and MPI_Alltoallw stand below.
FORMS(OF_REDUCE, int, MPI_Reduce, MPI_Ireduce, MPI_Reduce_init)
FORMS(OF_ALLREDUCE, int, MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init)
FORMS(OF_REDUCE_SCATTER_BLOCK, int, MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, MPI_Reduce_scatter_block_init)
FORMS(OF_REDUCE_SCATTER, int, MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init)
FORMS(OF_SCAN, int, MPI_Scan, MPI_Iscan, MPI_Scan_init)
FORMS(OF_SCAN, int, MPI_Exscan, MPI_Iexscan, MPI_Exscan_init)
FORMS(OF_BCAST, MPI_Count, MPI_Bcast_c, MPI_Ibcast_c, MPI_Bcast_init_c)
FORMS(OF_GATHER, MPI_Count, MPI_Gather_c, MPI_Igather_c, MPI_Gather_init_c)
FORMS(OF_GATHERV, MPI_Count, MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c)
FORMS(OF_SCATTER, MPI_Count, MPI_Scatter_c, MPI_Iscatter_c, MPI_Scatter_init_c)
FORMS(OF_SCATTERV, MPI_Count, MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c)
LATER_FORMS(OF_ALLGATHER, MPI_Count, MPI_Iallgather_c, MPI_Allgather_init_c)
FORMS(OF_ALLGATHERV, MPI_Count, MPI_Allgatherv_c, MPI_Iallgatherv_c, MPI_Allgatherv_init_c)
FORMS(OF_ALLTOALL, MPI_Count, MPI_Alltoall_c, MPI_Ialltoall_c, MPI_Alltoall_init_c)
FORMS(OF_REDUCE, MPI_Count, MPI_Reduce_c, MPI_Ireduce_c, MPI_Reduce_init_c)
FORMS(OF_ALLREDUCE, MPI_Count, MPI_Allreduce_c, MPI_Iallreduce_c, MPI_Allreduce_init_c)
FORMS(OF_REDUCE_SCATTER_BLOCK, MPI_Count, MPI_Reduce_scatter_block_c, MPI_Ireduce_scatter_block_c,
      MPI_Reduce_scatter_block_init_c)
FORMS(OF_REDUCE_SCATTER, MPI_Count, MPI_Reduce_scatter_c, MPI_Ireduce_scatter_c, MPI_Reduce_scatter_init_c)
FORMS(OF_SCAN, MPI_Count, MPI_Scan_c, MPI_Iscan_c, MPI_Scan_init_c)
FORMS(OF_SCAN, MPI_Count, MPI_Exscan_c, MPI_Iexscan_c, MPI_Exscan_init_c)

/// An operator that a reduction still uses is freed later.
HOPSCOTCH_WRAP(MPI_Op_free, (MPI_Op * op), (op))
{
    return free_operator(op);
}

#undef BLOCKING
#undef NONBLOCKING
#undef PERSISTENT

/// Once for each call.
#define MOVED(by) sendbuf = by.sent(sendbuf), recvbuf = by.received(recvbuf)

#undef EXCHANGED
#define EXCHANGED(...)                                                                                                 \
    Buffers                                                                                                            \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

/// `...`: the buffers.
#define HOPSCOTCH_ALLGATHER(name, parameters, arguments, ...)                                                          \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        const auto buffers = __VA_ARGS__;                                                                              \
        if (to_neighbors(Call::name, comm))                                                                            \
            return exchange_with_neighbors(comm, {}, buffers);                                                         \
        const auto library = [=](const auto& with) { return with.call(next.name, comm); };                             \
        return allgather_among_all(Call::name, comm, buffers, library);                                                \
    }
HOPSCOTCH_BLOCKING(HOPSCOTCH_ALLGATHER, OF_ALLGATHER, int, MPI_Allgather)
HOPSCOTCH_BLOCKING(HOPSCOTCH_ALLGATHER, OF_ALLGATHER, MPI_Count, MPI_Allgather_c)

/// `...`: the buffers.
#define HOPSCOTCH_SPARSE(name, parameters, arguments, call_form_, ...)                                                 \
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
        return run_sparse(                                                                                             \
            {call, call_form.completion, std::ref(native), buffers.send, buffers.receive, comm, call_form.request});   \
    }

#define BLOCKING(name, parameters, arguments, ...)                                                                     \
    HOPSCOTCH_SPARSE(name, parameters, arguments, CallForm{}, __VA_ARGS__)

#define NONBLOCKING(name, parameters, arguments, ...)                                                                  \
    HOPSCOTCH_SPARSE(name, parameters, arguments, (CallForm{Completion::nonblocking, request}), __VA_ARGS__)

#define PERSISTENT(name, parameters, arguments, ...)                                                                   \
    HOPSCOTCH_SPARSE(name, parameters, arguments, (CallForm{Completion::persistent, request, info}), __VA_ARGS__)

FORMS(OF_ALLTOALLV, int, MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init)
FORMS(OF_ALLTOALLW, int, MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init)
FORMS(OF_ALLTOALLV, MPI_Count, MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c)
FORMS(OF_ALLTOALLW, MPI_Count, MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c)
