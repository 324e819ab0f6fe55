// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim, which then finds these functions instead of those of the MPI library and of the
// system. LIMIT names the limited thing:
//   tags     the largest tag of MPI, to that of two of the shim's blocks of tags
//   speed    a message takes two milliseconds to send
//   waking   a process that sleeps on a futex sleeps on, and ends with a line if nobody wakes it
//   native   MPI_Neighbor_alltoall and MPI_Neighbor_allgather take five milliseconds more
//   reorder  nothing; rank 0 prints the argument `reorder` of functions that make communicators
// LIBRARY is what the MPI library says of itself.
// A program that finds cores_given_away() gets the number of the shim's calls of sched_yield.
#define _GNU_SOURCE
#include "behind.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <mpi.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    largest_tag = 3 * 4096 - 1,
    microseconds_per_message = 2000,
    microseconds_of_library = 5000,
    most_seconds_asleep = 10
};

typedef int (*Attribute)(MPI_Comm, int, void*, int*);
typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);
typedef int (*Receive)(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static int limits(const char* what)
{
    const char* chosen = getenv("LIMIT");
    return chosen != NULL && strcmp(chosen, what) == 0;
}

int PMPI_Comm_get_attr(MPI_Comm comm, int key, void* value, int* found)
{
    static int largest = largest_tag;
    Attribute next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
    const int code = next(comm, key, value, found);
    if (key == MPI_TAG_UB && limits("tags")) {
        *(int**)value = &largest;
    }
    return code;
}

int PMPI_Get_library_version(char* version, int* length)
{
    int (*next)(char*, int*);
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Get_library_version");
    const char* const told = getenv("LIBRARY");
    if (told == NULL) {
        return next(version, length);
    }
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING, "%s", told);
    return MPI_SUCCESS;
}

int PMPI_Isend(const void* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm,
               MPI_Request* request)
{
    Send next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    if (limits("tags") && tag > largest_tag) {
        return MPI_ERR_TAG;
    }
    if (limits("speed")) {
        usleep(microseconds_per_message);
    }
    return next(buffer, count, type, destination, tag, comm, request);
}

int PMPI_Irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request)
{
    Receive next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Irecv");
    if (limits("tags") && tag > largest_tag) {
        return MPI_ERR_TAG;
    }
    return next(buffer, count, type, source, tag, comm, request);
}

#define SLOW(name)                                                                                                     \
    MPI_FUNCTION(                                                                                                      \
        name,                                                                                                          \
        (const void* out, int sent, MPI_Datatype sent_type, void* in, int received, MPI_Datatype type, MPI_Comm comm), \
        (out, sent, sent_type, in, received, type, comm), if (limits("native")) {                                      \
            usleep(microseconds_of_library);                                                                           \
        } return next(out, sent, sent_type, in, received, type, comm);)

SLOW(Neighbor_alltoall)
SLOW(Neighbor_allgather)

static void tell(const char* function, int reorder, MPI_Comm comm)
{
    int rank = -1;
    if (limits("reorder") && comm != MPI_COMM_NULL) {
        PMPI_Comm_rank(comm, &rank);
    }
    if (rank == 0) {
        fprintf(stderr, "%s, reorder %d\n", function, reorder);
    }
}

#define TELLING(name, parameters, arguments)                                                                           \
    MPI_FUNCTION(name, parameters, arguments, tell(#name, reorder, old); return next arguments;)
TELLING(Cart_create, (MPI_Comm old, int dimensions, const int* dims, const int* periods, int reorder, MPI_Comm* made),
        (old, dimensions, dims, periods, reorder, made))
TELLING(Graph_create, (MPI_Comm old, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* made),
        (old, nodes, index, edges, reorder, made))
TELLING(Dist_graph_create,
        (MPI_Comm old, int count, const int* from, const int* degrees, const int* to, const int* weights, MPI_Info info,
         int reorder, MPI_Comm* made),
        (old, count, from, degrees, to, weights, info, reorder, made))
TELLING(Dist_graph_create_adjacent,
        (MPI_Comm old, int sources, const int* from, const int* weights, int destinations, const int* to,
         const int* to_weights, MPI_Info info, int reorder, MPI_Comm* made),
        (old, sources, from, weights, destinations, to, to_weights, info, reorder, made))

long syscall(long number, ...)
{
    long a[6];
    va_list more;
    va_start(more, number);
    for (int i = 0; i < 6; ++i) {
        a[i] = va_arg(more, long);
    }
    va_end(more);
    static long (*next)(long, ...);
    if (next == NULL) {
        *(void**)&next = dlsym(RTLD_NEXT, "syscall");
    }
    const struct timespec most = {most_seconds_asleep, 0};
    const int sleeps = number == SYS_futex && (a[1] & FUTEX_CMD_MASK) == FUTEX_WAIT && limits("waking");
    if (sleeps) {
        a[3] = (long)&most;
    }
    const long result = next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (sleeps && result != 0 && errno == ETIMEDOUT) {
        fputs("FAILED: nobody wakes a process\n", stdout);
        fflush(stdout);
        _exit(3);
    }
    return result;
}

static atomic_long given_away;

long cores_given_away(void);
long cores_given_away(void)
{
    return atomic_load(&given_away);
}

int sched_yield(void)
{
    static int (*next)(void);
    FIND(next, "sched_yield")
    if (is_of_shim(__builtin_return_address(0))) {
        atomic_fetch_add(&given_away, 1);
    }
    return next();
}
