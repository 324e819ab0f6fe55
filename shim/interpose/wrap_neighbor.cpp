// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The neighborhood collectives: blocking, nonblocking and persistent, with int and with large counts.
#include "shim/call/call_layouts.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/signatures.hpp"

using namespace hopscotch::shim;

/// Once for each call.
#define MOVED(by) sendbuf = by.sent(sendbuf), recvbuf = by.received(recvbuf)

#define BLOCKING(name, parameters, arguments, what, layouts)                                                           \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return neighborhood_call(Call::name, Collective::what, comm, in_place(sendbuf, recvbuf), layouts,              \
                                 [=](const Shifts& by = {}) mutable { return MOVED(by), next.name arguments; });       \
    }

#define WITH_REQUEST(completion, name, parameters, arguments, what, layouts)                                           \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return request_call(Call::name, Collective::what, completion, comm, request, in_place(sendbuf, recvbuf),       \
                            layouts, [&](const Shifts& by = {}) { return MOVED(by), next.name arguments; });           \
    }
#define NONBLOCKING(...) WITH_REQUEST(Completion::nonblocking, __VA_ARGS__)
#define PERSISTENT(...) WITH_REQUEST(Completion::persistent, __VA_ARGS__)

FORMS(OF_NEIGHBOR_ALLTOALL, int, Neighbor_alltoall, Ineighbor_alltoall, Neighbor_alltoall_init)
FORMS(OF_NEIGHBOR_ALLTOALLV, int, Neighbor_alltoallv, Ineighbor_alltoallv, Neighbor_alltoallv_init)
FORMS(OF_NEIGHBOR_ALLTOALLW, int, Neighbor_alltoallw, Ineighbor_alltoallw, Neighbor_alltoallw_init)
FORMS(OF_NEIGHBOR_ALLGATHER, int, Neighbor_allgather, Ineighbor_allgather, Neighbor_allgather_init)
FORMS(OF_NEIGHBOR_ALLGATHERV, int, Neighbor_allgatherv, Ineighbor_allgatherv, Neighbor_allgatherv_init)
FORMS(OF_NEIGHBOR_ALLTOALL, MPI_Count, Neighbor_alltoall_c, Ineighbor_alltoall_c, Neighbor_alltoall_init_c)
FORMS(OF_NEIGHBOR_ALLTOALLV, MPI_Count, Neighbor_alltoallv_c, Ineighbor_alltoallv_c, Neighbor_alltoallv_init_c)
FORMS(OF_NEIGHBOR_ALLTOALLW, MPI_Count, Neighbor_alltoallw_c, Ineighbor_alltoallw_c, Neighbor_alltoallw_init_c)
FORMS(OF_NEIGHBOR_ALLGATHER, MPI_Count, Neighbor_allgather_c, Ineighbor_allgather_c, Neighbor_allgather_init_c)
FORMS(OF_NEIGHBOR_ALLGATHERV, MPI_Count, Neighbor_allgatherv_c, Ineighbor_allgatherv_c, Neighbor_allgatherv_init_c)
