// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The global collectives in all forms: passed straight on, unless HOPSCOTCH_SEMANTICS=orthogonal gives them the meaning
// of the 2020 paper on communicators with neighborhoods.
#include "shim/mpi/signatures.hpp"
#include "shim/papers/orthogonal_call.hpp"

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

FORMS(OF_BARRIER, int, Barrier, Ibarrier, Barrier_init)
FORMS(OF_BCAST, int, Bcast, Ibcast, Bcast_init)
FORMS(OF_GATHER, int, Gather, Igather, Gather_init)
FORMS(OF_GATHERV, int, Gatherv, Igatherv, Gatherv_init)
FORMS(OF_SCATTER, int, Scatter, Iscatter, Scatter_init)
FORMS(OF_SCATTERV, int, Scatterv, Iscatterv, Scatterv_init)
// The blocking form of MPI_Allgather is in wrap_allgather.cpp.
LATER_FORMS(OF_ALLGATHER, int, Iallgather, Allgather_init)
FORMS(OF_ALLGATHERV, int, Allgatherv, Iallgatherv, Allgatherv_init)
FORMS(OF_ALLTOALL, int, Alltoall, Ialltoall, Alltoall_init)
// MPI_Alltoallv and MPI_Alltoallw are in wrap_alltoallv.cpp.
FORMS(OF_REDUCE, int, Reduce, Ireduce, Reduce_init)
FORMS(OF_ALLREDUCE, int, Allreduce, Iallreduce, Allreduce_init)
FORMS(OF_REDUCE_SCATTER_BLOCK, int, Reduce_scatter_block, Ireduce_scatter_block, Reduce_scatter_block_init)
FORMS(OF_REDUCE_SCATTER, int, Reduce_scatter, Ireduce_scatter, Reduce_scatter_init)
FORMS(OF_SCAN, int, Scan, Iscan, Scan_init)
FORMS(OF_SCAN, int, Exscan, Iexscan, Exscan_init)
FORMS(OF_BCAST, MPI_Count, Bcast_c, Ibcast_c, Bcast_init_c)
FORMS(OF_GATHER, MPI_Count, Gather_c, Igather_c, Gather_init_c)
FORMS(OF_GATHERV, MPI_Count, Gatherv_c, Igatherv_c, Gatherv_init_c)
FORMS(OF_SCATTER, MPI_Count, Scatter_c, Iscatter_c, Scatter_init_c)
FORMS(OF_SCATTERV, MPI_Count, Scatterv_c, Iscatterv_c, Scatterv_init_c)
LATER_FORMS(OF_ALLGATHER, MPI_Count, Iallgather_c, Allgather_init_c)
FORMS(OF_ALLGATHERV, MPI_Count, Allgatherv_c, Iallgatherv_c, Allgatherv_init_c)
FORMS(OF_ALLTOALL, MPI_Count, Alltoall_c, Ialltoall_c, Alltoall_init_c)
FORMS(OF_REDUCE, MPI_Count, Reduce_c, Ireduce_c, Reduce_init_c)
FORMS(OF_ALLREDUCE, MPI_Count, Allreduce_c, Iallreduce_c, Allreduce_init_c)
FORMS(OF_REDUCE_SCATTER_BLOCK, MPI_Count, Reduce_scatter_block_c, Ireduce_scatter_block_c, Reduce_scatter_block_init_c)
FORMS(OF_REDUCE_SCATTER, MPI_Count, Reduce_scatter_c, Ireduce_scatter_c, Reduce_scatter_init_c)
FORMS(OF_SCAN, MPI_Count, Scan_c, Iscan_c, Scan_init_c)
FORMS(OF_SCAN, MPI_Count, Exscan_c, Iexscan_c, Exscan_init_c)
