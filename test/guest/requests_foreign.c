// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of the MPI library that no preloaded library sees complete requests of neighborhood collectives; the
// program prints their results: requests_foreign deepbind|handle nonblocking|persistent|started|threads
#define _GNU_SOURCE
#include "../program.h"

#include <dlfcn.h>
#include <unistd.h>

enum { edges = 2, ints = 3, rounds = 6 };

static int (*foreign_wait)(MPI_Request*, MPI_Status*);
static int (*foreign_test)(MPI_Request*, int*, MPI_Status*);
static int (*foreign_waitall)(int, MPI_Request*, MPI_Status*);
static int (*foreign_waitany)(int, MPI_Request*, int*, MPI_Status*);
static int (*foreign_status)(MPI_Request, int*, MPI_Status*);
static int (*foreign_start)(MPI_Request*);

static void* open_plugin(void)
{
    char path[4096] = {0};
    if (readlink("/proc/self/exe", path, sizeof path - 64) < 0)
        return NULL;
    strcpy(strrchr(path, '/') + 1, "librequests_plugin.so");
    return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
}

static void* open_library(void)
{
    const char* names[] = {"libmpich.so.12", "libmpi.so.12",    "libmpi.so.40",
                           "libmpi.so.80",   "libmpi_abi.so.0", "libmpi_abi.so.1"};
    void* handle = NULL;
    for (int i = 0; handle == NULL && i < 6; ++i)
        handle = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
    return handle;
}

static void* find(void* handle, const char* prefix, const char* name)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s%s", prefix, name);
    void* found = dlsym(handle, symbol);
    if (found == NULL) {
        fprintf(stderr, "no %s\n", symbol);
        exit(3);
    }
    return found;
}

static MPI_Comm graph;
static int sent[edges * ints], received[2][edges * ints], counts[edges], displacements[edges], from[edges];

static void fill(int round)
{
    for (int i = 0; i < edges * ints; ++i) {
        sent[i] = 10000 * rank + 100 * round + i;
        received[0][i] = received[1][i] = -1;
    }
}

static int wrong(const int* buffer, int round)
{
    int errors = 0;
    for (int e = 0; e < edges; ++e)
        for (int k = 0; k < ints; ++k)
            errors += buffer[e * ints + k] != 10000 * from[e] + 100 * round + e * ints + k;
    return errors;
}

/// The library gives handles again: those of ended operations must not stand for these receives. Returns the number of
/// those that are complete without a message.
static int complete_too_early(void)
{
    enum { receives = 4 };
    int in[receives], flag = 0, early = 0;
    MPI_Request requests[receives];
    for (int i = 0; i < receives; ++i)
        MPI_Irecv(&in[i], 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < receives; ++i) {
        MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        early += flag;
        MPI_Send(&rank, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    }
    MPI_Waitall(receives, requests, MPI_STATUSES_IGNORE);
    return early;
}

/// Both have ended, one of them there. Of the library's, MPICH 4.0.2 would take them for active.
static int are_active(MPI_Request* requests)
{
    int index = MPI_UNDEFINED, flag = 0;
    const char* const preloaded = getenv("LD_PRELOAD");
    if (preloaded != NULL && strstr(preloaded, "libhopscotch") != NULL)
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
    return index != MPI_UNDEFINED;
}

/// Completes the requests of a round in the given form. For MPICH 4.0.2 persistent collectives are never inactive in
/// MPI_Waitany, and with several threads its MPI_Request_get_status gives nobody a turn.
static void complete(int form, MPI_Request* requests)
{
    MPI_Status statuses[2];
    int flag = 0, index = 0;
    if (form == 0) {
        foreign_wait(&requests[1], &statuses[1]);
        foreign_wait(&requests[0], MPI_STATUS_IGNORE);
    } else if (form == 1) {
        for (int i = 0; i < 2; ++i, flag = 0)
            while (flag == 0)
                foreign_test(&requests[i], &flag, MPI_STATUS_IGNORE);
    } else if (form == 2) {
        foreign_waitall(2, requests, statuses);
    } else if (form == 3) {
        for (int i = 0; i < 2; ++i)
            foreign_waitany(2, requests, &index, &statuses[0]);
    } else if (form == 4) {
        for (int i = 0; i < 2; ++i, flag = 0) {
            while (flag == 0)
                foreign_status(requests[i], &flag, &statuses[i]);
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE); // ours learns it too
        }
    } else {
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE); // one here, one there
        foreign_waitall(2, requests, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char** argv)
{
    const int persistent = argc > 2 && (strcmp(argv[2], "persistent") == 0 || strcmp(argv[2], "started") == 0);
    const int started_there = argc > 2 && strcmp(argv[2], "started") == 0;
    const int threads = argc > 2 && strcmp(argv[2], "threads") == 0;
    begin_threads(threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &argc, &argv);
    const int with_plugin = argc > 1 && strcmp(argv[1], "deepbind") == 0;
    void* handle = with_plugin ? open_plugin() : open_library();
    if (handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    const char* prefix = with_plugin ? "plugin_" : "MPI_";
    *(void**)&foreign_wait = find(handle, prefix, with_plugin ? "wait" : "Wait");
    *(void**)&foreign_test = find(handle, prefix, with_plugin ? "test" : "Test");
    *(void**)&foreign_waitall = find(handle, prefix, with_plugin ? "waitall" : "Waitall");
    *(void**)&foreign_waitany = find(handle, prefix, with_plugin ? "waitany" : "Waitany");
    *(void**)&foreign_status = find(handle, prefix, with_plugin ? "status" : "Request_get_status");
    *(void**)&foreign_start = find(handle, prefix, with_plugin ? "start" : "Start");

    // From the left and from itself, to the right and to itself.
    const int to[edges] = {(rank + 1) % size, rank};
    from[0] = (rank + size - 1) % size;
    from[1] = rank;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, edges, from, MPI_UNWEIGHTED, edges, to, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    for (int e = 0; e < edges; ++e) {
        counts[e] = ints;
        displacements[e] = e * ints;
    }

    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
#ifndef NO_PERSISTENT
    if (persistent) {
        MPI_Neighbor_alltoall_init(sent, ints, MPI_INT, received[1], ints, MPI_INT, graph, MPI_INFO_NULL, &requests[1]);
        MPI_Request_free(&requests[1]); // never started
        MPI_Neighbor_alltoallv_init(sent, counts, displacements, MPI_INT, received[0], counts, displacements, MPI_INT,
                                    graph, MPI_INFO_NULL, &requests[0]);
        MPI_Neighbor_alltoall_init(sent, ints, MPI_INT, received[1], ints, MPI_INT, graph, MPI_INFO_NULL, &requests[1]);
    }
#endif
    for (int form = 0; form < 6; ++form) {
        int errors = 0, kept = 0;
        for (int round = 0; round < rounds; ++round) {
            fill(round);
            if ((round + rank) % 3 == 0)
                usleep(2000); // the others find nothing at first
            if (persistent) {
                for (int i = 0; i < 2; ++i)
                    (started_there ? foreign_start : MPI_Start)(&requests[i]);
            } else {
                MPI_Ineighbor_alltoallv(sent, counts, displacements, MPI_INT, received[0], counts, displacements,
                                        MPI_INT, graph, &requests[0]);
                MPI_Ineighbor_alltoall(sent, ints, MPI_INT, received[1], ints, MPI_INT, graph, &requests[1]);
            }
            complete((persistent && form == 3) || (threads && form == 4) ? 0 : form, requests);
            errors += wrong(received[0], round) + wrong(received[1], round);
            if (!persistent)
                errors += threads ? 0 : complete_too_early();
            else if (round % 2 == 0) // else the next start learns it
                errors += are_active(requests);
            for (int i = 0; i < 2; ++i)
                kept += requests[i] != MPI_REQUEST_NULL;
        }
        MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (rank == 0)
            printf("form %d: %d wrong, %d handles kept\n", form, errors, kept);
    }
    if (persistent) {
        foreign_waitall(2, requests, MPI_STATUSES_IGNORE); // inactive: returns at once
        for (int i = 0; i < 2; ++i)
            MPI_Request_free(&requests[i]);
    }
    MPI_Comm_free(&graph);
    return end_program(0);
}
