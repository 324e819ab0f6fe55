// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The global collectives in all forms: passed straight on, unless HOPSCOTCH_SEMANTICS=orthogonal gives them the meaning
// of the 2020 paper on communicators with neighborhoods.
#include "shim/papers/orthogonal_call.hpp"

using namespace hopscotch::shim;

#define BLOCKING(name, parameters, arguments, ...)                                                                     \
    HOPSCOTCH_COLLECTIVE(name, parameters, arguments, Completing{}, __VA_ARGS__)

#define NONBLOCKING(name, parameters, arguments, ...)                                                                  \
    HOPSCOTCH_COLLECTIVE(name, (HOPSCOTCH_BARE parameters, MPI_Request * request),                                     \
                         (HOPSCOTCH_BARE arguments, request), (Completing{Completion::nonblocking, request}),          \
                         __VA_ARGS__)

#define PERSISTENT(name, parameters, arguments, ...)                                                                   \
    HOPSCOTCH_COLLECTIVE(name, (HOPSCOTCH_BARE parameters, MPI_Info info, MPI_Request * request),                      \
                         (HOPSCOTCH_BARE arguments, info, request),                                                    \
                         (Completing{Completion::persistent, request, info}), __VA_ARGS__)

// The blocking form of MPI_Allgather is in wrap_allgather.cpp.
#define ALLGATHER(suffix, name, iname, ours, ...)                                                                      \
    NONBLOCKING(iname##suffix, __VA_ARGS__)                                                                            \
    PERSISTENT(name##_init##suffix, __VA_ARGS__)

#define COLLECTIVE(suffix, name, iname, ours, ...)                                                                     \
    BLOCKING(name##suffix, __VA_ARGS__)                                                                                \
    ALLGATHER(suffix, name, iname, ours, __VA_ARGS__)
#define PLANNED(...) planned(call, comm, completing, [&](auto& links) { return __VA_ARGS__; })
#define REDUCED(...) reduced(comm, completing, __VA_ARGS__)
#define UNDEFINED undefined(comm)
#include "shim/mpi/collectives.def"
