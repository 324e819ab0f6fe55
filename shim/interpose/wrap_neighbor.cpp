// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The neighborhood collectives: blocking, nonblocking and persistent, with int and with large counts.
#include "shim/call/neighborhood_call.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/interpose/intercept.hpp"
#include "shim/mpi/signatures.hpp"

using namespace hopscotch::shim;

/// Once for each call.
#define MOVED(by) sendbuf = by.sent(sendbuf), recvbuf = by.received(recvbuf)

#define EXCHANGED(...)                                                                                                 \
    Buffers                                                                                                            \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

#define BLOCKING(name, parameters, arguments, ...)                                                                     \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return neighborhood_call(Call::name, comm, __VA_ARGS__,                                                        \
                                 [=](const Shifts& by = {}) mutable { return MOVED(by), next.name arguments; });       \
    }

#define WITH_REQUEST(completion, name, parameters, arguments, ...)                                                     \
    HOPSCOTCH_WRAP(name, parameters, arguments)                                                                        \
    {                                                                                                                  \
        return request_call(Call::name, completion, comm, request, __VA_ARGS__,                                        \
                            [&](const Shifts& by = {}) { return MOVED(by), next.name arguments; });                    \
    }
#define NONBLOCKING(...) WITH_REQUEST(Completion::nonblocking, __VA_ARGS__)
#define PERSISTENT(...) WITH_REQUEST(Completion::persistent, __VA_ARGS__)

FORMS(OF_ALLTOALL, int, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall, MPI_Neighbor_alltoall_init)
FORMS(OF_ALLTOALLV, int, MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv, MPI_Neighbor_alltoallv_init)
FORMS(OF_NEIGHBOR_ALLTOALLW, int, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw, MPI_Neighbor_alltoallw_init)
FORMS(OF_ALLGATHER, int, MPI_Neighbor_allgather, MPI_Ineighbor_allgather, MPI_Neighbor_allgather_init)
FORMS(OF_ALLGATHERV, int, MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv, MPI_Neighbor_allgatherv_init)
FORMS(OF_ALLTOALL, MPI_Count, MPI_Neighbor_alltoall_c, MPI_Ineighbor_alltoall_c, MPI_Neighbor_alltoall_init_c)
FORMS(OF_ALLTOALLV, MPI_Count, MPI_Neighbor_alltoallv_c, MPI_Ineighbor_alltoallv_c, MPI_Neighbor_alltoallv_init_c)
FORMS(OF_NEIGHBOR_ALLTOALLW, MPI_Count, MPI_Neighbor_alltoallw_c, MPI_Ineighbor_alltoallw_c,
      MPI_Neighbor_alltoallw_init_c)
FORMS(OF_ALLGATHER, MPI_Count, MPI_Neighbor_allgather_c, MPI_Ineighbor_allgather_c, MPI_Neighbor_allgather_init_c)
FORMS(OF_ALLGATHERV, MPI_Count, MPI_Neighbor_allgatherv_c, MPI_Ineighbor_allgatherv_c, MPI_Neighbor_allgatherv_init_c)
