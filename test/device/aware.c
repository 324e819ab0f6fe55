// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim: the MPI library takes buffers in the memory of devices, as device.c says. It reaches
// them through the mapping that the stand-in makes for copies: the data of regular forms and of messages, and buffer
// arguments of v and w forms with int counts, not MPI_BOTTOM.
#define _GNU_SOURCE
#include "device_memory.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>

static void* given(const void* buffer)
{
    if (buffer == MPI_IN_PLACE || device_of(buffer, NULL) < 0) {
        return (void*)buffer;
    }
    return device_reach(buffer);
}

// The same for elements of a type, of which the first one begins at the buffer argument.
static void* with_data(const void* buffer, MPI_Datatype type)
{
    MPI_Aint lowest = 0;
    MPI_Aint extent = 0;
    if (buffer == MPI_IN_PLACE) {
        return (void*)buffer;
    }
    MPI_Type_get_true_extent(type, &lowest, &extent);
    return (void*)((uintptr_t)given((void*)((uintptr_t)buffer + (uintptr_t)lowest)) - (uintptr_t)lowest);
}

// Defines both names of a function: the next function in search order, with the buffers at an address that the host can
// reach.
#define PASS(name, parameters, arguments)                                                                              \
    int PMPI_##name parameters                                                                                         \
    {                                                                                                                  \
        static int(*next) parameters;                                                                                  \
        if (next == NULL) {                                                                                            \
            *(void**)&next = dlsym(RTLD_NEXT, "PMPI_" #name);                                                          \
        }                                                                                                              \
        return next arguments;                                                                                         \
    }                                                                                                                  \
    int MPI_##name parameters __attribute__((alias("PMPI_" #name)));
#define SEND const void *sendbuf, int sendcount, MPI_Datatype sendtype
#define SENDS const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype
#define SENDS_W const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[]
#define RECEIVE void *recvbuf, int recvcount, MPI_Datatype recvtype
#define RECEIVES void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype
#define RECEIVES_W void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[]
#define REGULAR with_data(sendbuf, sendtype), sendcount, sendtype, with_data(recvbuf, recvtype), recvcount, recvtype
#define GATHERV given(sendbuf), sendcount, sendtype, given(recvbuf), recvcounts, rdispls, recvtype
#define VARYING given(sendbuf), sendcounts, sdispls, sendtype, given(recvbuf), recvcounts, rdispls, recvtype
#define GENERAL given(sendbuf), sendcounts, sdispls, sendtypes, given(recvbuf), recvcounts, rdispls, recvtypes

PASS(Neighbor_alltoall, (SEND, RECEIVE, MPI_Comm comm), (REGULAR, comm))
PASS(Neighbor_allgather, (SEND, RECEIVE, MPI_Comm comm), (REGULAR, comm))
PASS(Neighbor_allgatherv, (SEND, RECEIVES, MPI_Comm comm), (GATHERV, comm))
PASS(Neighbor_alltoallv, (SENDS, RECEIVES, MPI_Comm comm), (VARYING, comm))
PASS(Neighbor_alltoallw, (SENDS_W, RECEIVES_W, MPI_Comm comm), (GENERAL, comm))
PASS(Ineighbor_alltoall, (SEND, RECEIVE, MPI_Comm comm, MPI_Request* request), (REGULAR, comm, request))
PASS(Ineighbor_allgather, (SEND, RECEIVE, MPI_Comm comm, MPI_Request* request), (REGULAR, comm, request))
PASS(Ineighbor_allgatherv, (SEND, RECEIVES, MPI_Comm comm, MPI_Request* request), (GATHERV, comm, request))
PASS(Ineighbor_alltoallv, (SENDS, RECEIVES, MPI_Comm comm, MPI_Request* request), (VARYING, comm, request))
PASS(Ineighbor_alltoallw, (SENDS_W, RECEIVES_W, MPI_Comm comm, MPI_Request* request), (GENERAL, comm, request))
#if MPI_VERSION >= 4
#define LARGE_SEND const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype
#define LARGE_RECEIVE void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype
#define PASS_REGULAR(name)                                                                                             \
    PASS(Neighbor_##name##_init, (SEND, RECEIVE, MPI_Comm comm, MPI_Info info, MPI_Request * request),                 \
         (REGULAR, comm, info, request))                                                                               \
    PASS(Neighbor_##name##_c, (LARGE_SEND, LARGE_RECEIVE, MPI_Comm comm), (REGULAR, comm))                             \
    PASS(Ineighbor_##name##_c, (LARGE_SEND, LARGE_RECEIVE, MPI_Comm comm, MPI_Request * request),                      \
         (REGULAR, comm, request))                                                                                     \
    PASS(Neighbor_##name##_init_c, (LARGE_SEND, LARGE_RECEIVE, MPI_Comm comm, MPI_Info info, MPI_Request * request),   \
         (REGULAR, comm, info, request))
PASS_REGULAR(alltoall)
PASS_REGULAR(allgather)
#endif
#define SENDS_AMONG_ALL const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[]
#define RECEIVES_AMONG_ALL void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[]
PASS(Alltoallv, (SENDS, RECEIVES, MPI_Comm comm), (VARYING, comm))
PASS(Alltoallw, (SENDS_AMONG_ALL, RECEIVES_AMONG_ALL, MPI_Comm comm), (GENERAL, comm))
PASS(Ialltoallv, (SENDS, RECEIVES, MPI_Comm comm, MPI_Request* request), (VARYING, comm, request))
PASS(Ialltoallw, (SENDS_AMONG_ALL, RECEIVES_AMONG_ALL, MPI_Comm comm, MPI_Request* request), (GENERAL, comm, request))
#if MPI_VERSION >= 4
PASS(Alltoallv_init, (SENDS, RECEIVES, MPI_Comm comm, MPI_Info info, MPI_Request* request),
     (VARYING, comm, info, request))
PASS(Alltoallw_init, (SENDS_AMONG_ALL, RECEIVES_AMONG_ALL, MPI_Comm comm, MPI_Info info, MPI_Request* request),
     (GENERAL, comm, info, request))
#endif
PASS(Allgather, (SEND, RECEIVE, MPI_Comm comm), (REGULAR, comm))
PASS(Isend, (SEND, int to, int tag, MPI_Comm comm, MPI_Request* request),
     (with_data(sendbuf, sendtype), sendcount, sendtype, to, tag, comm, request))
PASS(Irecv, (RECEIVE, int from, int tag, MPI_Comm comm, MPI_Request* request),
     (with_data(recvbuf, recvtype), recvcount, recvtype, from, tag, comm, request))

// The buffers of a persistent request have been replaced before.
int PMPI_Start(MPI_Request* request)
{
    static int (*next)(MPI_Request*);
    if (next == NULL) {
        *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Start");
    }
    if (device_ends_work != NULL) {
        device_ends_work();
    }
    return next(request);
}
int MPI_Start(MPI_Request* request) __attribute__((alias("PMPI_Start")));
