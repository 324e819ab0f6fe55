// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallv and MPI_Alltoallw in all forms: among neighbors, by the graph of their blocks, or passed straight on.
#include "shim/mpi/signatures.hpp"
#include "shim/papers/orthogonal_call.hpp"
#include "shim/sparse/sparse_call.hpp"

using namespace hopscotch::shim;

/// Once for each call.
#define MOVED(by) sendbuf = by.sent(sendbuf), recvbuf = by.received(recvbuf)

/// The action `...` goes to neighbors.
#define HOPSCOTCH_SPARSE(name, parameters, arguments, completing_, ...)                                                \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        if (__builtin_expect(!runtime().looks_at_alltoallv, 1))                                                        \
            return next.name arguments;                                                                                \
        constexpr Call call = Call::name;                                                                              \
        const CallForm call_form = completing_;                                                                        \
        if (to_neighbors(call, comm))                                                                                  \
            return __VA_ARGS__;                                                                                        \
        if (!runtime().settings.alltoallv)                                                                             \
            return next.name arguments;                                                                                \
        auto native = [=](const Shifts& by) mutable { return MOVED(by), next.name arguments; };                        \
        return SparseForm{call, call_form.completion, std::ref(native)} arguments;                                     \
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
