// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The neighborhood collectives: blocking, nonblocking and persistent, with int and with large counts.
#include "shim/call/call_layouts.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/interpose/intercept.hpp"

using namespace hopscotch::shim;

#define BLOCKING(name, what, parameters, arguments)                                                                    \
    HOPSCOTCH_WRAP(name, (HOPSCOTCH_BARE parameters, MPI_Comm comm), (HOPSCOTCH_BARE arguments, comm))                 \
    {                                                                                                                  \
        return neighborhood_call(Call::name, Collective::what, comm, in_place(sendbuf, recvbuf),                       \
                                 what##_layouts arguments, [=] { return next.name(HOPSCOTCH_BARE arguments, comm); }); \
    }

#define NONBLOCKING(name, what, parameters, arguments)                                                                 \
    HOPSCOTCH_WRAP(name, (HOPSCOTCH_BARE parameters, MPI_Comm comm, MPI_Request * request),                            \
                   (HOPSCOTCH_BARE arguments, comm, request))                                                          \
    {                                                                                                                  \
        return request_call(Call::name, Collective::what, Completion::nonblocking, comm, request,                      \
                            in_place(sendbuf, recvbuf), what##_layouts arguments,                                      \
                            [&] { return next.name(HOPSCOTCH_BARE arguments, comm, request); });                       \
    }

#define PERSISTENT(name, what, parameters, arguments)                                                                  \
    HOPSCOTCH_WRAP(name, (HOPSCOTCH_BARE parameters, MPI_Comm comm, MPI_Info info, MPI_Request * request),             \
                   (HOPSCOTCH_BARE arguments, comm, info, request))                                                    \
    {                                                                                                                  \
        return request_call(Call::name, Collective::what, Completion::persistent, comm, request,                       \
                            in_place(sendbuf, recvbuf), what##_layouts arguments,                                      \
                            [&] { return next.name(HOPSCOTCH_BARE arguments, comm, info, request); });                 \
    }

#define NEIGHBORHOOD(suffix, what, parameters, arguments)                                                              \
    BLOCKING(Neighbor_##what##suffix, what, parameters, arguments)                                                     \
    NONBLOCKING(Ineighbor_##what##suffix, what, parameters, arguments)                                                 \
    PERSISTENT(Neighbor_##what##_init##suffix, what, parameters, arguments)
#include "shim/mpi/neighborhoods.def"
