// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim, which then finds these functions instead of the MPI library's. Damages one message
// of the shim, of 400 bytes or more, on rank 2 of the world, or fails; CORRUPT_AFTER: so many pass before. CORRUPT
// names the damage:
//   data      byte 123 arrives changed
//   beyond    the byte behind the receive buffer is changed, too
//   short     the last four bytes are missing
//   lost      the message arrives elsewhere
//   graphs    MPI_Bcast fails on graph communicators, everywhere, after eight
//   unnamed   MPI_Alltoallv and MPI_Alltoallw return MPI_ERR_IN_STATUS in place of every other error, everywhere, as
//             they do in MPICH 4.2
#define _GNU_SOURCE
#include "behind.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { least_bytes = 400, rank_hit = 2, byte_hit = 123 };

typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
typedef int (*Rank)(MPI_Comm, int*);
typedef int (*Topology)(MPI_Comm, int*);
typedef int (*Broadcast)(void*, int, MPI_Datatype, int, MPI_Comm);
typedef int (*Receive)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static int wanted(const char* how)
{
    const char* chosen = getenv("CORRUPT");
    return chosen != NULL && strcmp(chosen, how) == 0;
}

// Once in the life of the process.
static int strikes(const char* how, int bytes)
{
    static int passed;
    static int struck;
    int rank;
    if (struck || !wanted(how) || bytes < least_bytes) {
        return 0;
    }
    Rank world_rank;
    *(void**)&world_rank = dlsym(RTLD_NEXT, "PMPI_Comm_rank");
    world_rank(MPI_COMM_WORLD, &rank);
    const char* const after = getenv("CORRUPT_AFTER");
    struck = rank == rank_hit && (after == NULL || passed++ >= atoi(after));
    return struck;
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm,
               MPI_Request* request)
{
    Send next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    if (strikes("data", count)) {
        unsigned char* copy = malloc((size_t)count); // never freed, since its sending may not be complete
        memcpy(copy, buffer, (size_t)count);
        copy[byte_hit] ^= 0xffu;
        buffer = copy;
    }
    if (strikes("short", count)) {
        count -= 4;
    }
    return next(buffer, count, type, destination, tag, comm, request);
}

int PMPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request)
{
    Receive next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Irecv");
    if (strikes("beyond", count)) {
        ((unsigned char*)buffer)[count] ^= 0xffu;
    }
    if (strikes("lost", count)) {
        buffer = malloc((size_t)count); // never freed, since it may arrive later
    }
    return next(buffer, count, type, source, tag, comm, request);
}

int PMPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    Topology topology;
    *(void**)&topology = dlsym(RTLD_NEXT, "PMPI_Topo_test");
    Broadcast next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Bcast");
    enum { set_up_before = 8 };
    static int graphs;
    int kind;
    topology(comm, &kind);
    const int fails = wanted("graphs") && kind == MPI_DIST_GRAPH && ++graphs > set_up_before;
    return fails ? MPI_ERR_OTHER : next(buffer, count, type, root, comm);
}

static int unnamed(int code)
{
    return code != MPI_SUCCESS && wanted("unnamed") ? MPI_ERR_IN_STATUS : code;
}

MPI_FUNCTION(Alltoallv,
             (const void* send, const int* send_counts, const int* send_places, MPI_Datatype send_type, void* receive,
              const int* receive_counts, const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm),
             (send, send_counts, send_places, send_type, receive, receive_counts, receive_places, receive_type, comm),
             return unnamed(next(send, send_counts, send_places, send_type, receive, receive_counts, receive_places,
                                 receive_type, comm));)

MPI_FUNCTION(Alltoallw,
             (const void* send, const int* send_counts, const int* send_places, const MPI_Datatype* send_types,
              void* receive, const int* receive_counts, const int* receive_places, const MPI_Datatype* receive_types,
              MPI_Comm comm),
             (send, send_counts, send_places, send_types, receive, receive_counts, receive_places, receive_types, comm),
             return unnamed(next(send, send_counts, send_places, send_types, receive, receive_counts, receive_places,
                                 receive_types, comm));)
