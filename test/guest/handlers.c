// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Error handlers stay as the program sets them, after any call and from any thread; each wrong call calls one once.
//
//   handlers once | threads | inherited    on two processes
#include "../program.h"

#include <pthread.h>
#include <stdatomic.h>

enum { calls = 200 };

static MPI_Comm graph, cart;
static atomic_int heard;
static atomic_int lost;
static atomic_int running = 1;
static MPI_Errhandler handlers[2];

static void first(MPI_Comm* comm, int* code, ...)
{
    ++heard;
}

static void second(MPI_Comm* comm, int* code, ...)
{
    ++heard;
}

static void told(const char* what)
{
    if (rank == 0)
        printf("%s: %d\n", what, (int)heard);
    heard = 0;
}

// Wrong calls on a communicator that was freed, and others.
static void once(void)
{
    int out[2] = {1, 2};
    int in[4];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm freed;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Comm_dup(graph, &freed);
    MPI_Comm handle = freed;
    MPI_Comm_free(&freed);
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, handle);
    told("blocking");
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, handle, &request);
    told("nonblocking");
#ifndef NO_PERSISTENT
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, handle, MPI_INFO_NULL, &request);
    told("persistent");
#endif
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, handle);
    told("allgather");
    MPI_Comm_dup(handle, &made);
    told("duplicate");
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_NULL);
    told("null");
    MPI_Neighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, graph);
    told("count");
    MPI_Neighbor_alltoall(out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, graph);
    told("type");
    MPI_Allgather(out, -1, MPI_INT, in, 1, MPI_INT, cart);
    told("count of all");
    MPI_Ineighbor_allgather(out, -1, MPI_INT, in, 1, MPI_INT, graph, &request);
    told("count, nonblocking");
}

// Sets handlers until the other threads stop calling, and checks that they stay set.
static void* set(void* unused)
{
    for (int i = 0; running; ++i) {
        const MPI_Comm comm = i / 2 % 2 == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF;
        MPI_Errhandler seen = MPI_ERRHANDLER_NULL;
        MPI_Comm_set_errhandler(comm, handlers[i % 2]);
        MPI_Comm_get_errhandler(comm, &seen);
        lost += seen == handlers[i % 2] ? 0 : 1;
        MPI_Errhandler_free(&seen);
    }
    return unused;
}

static void call_with_threads(void)
{
    pthread_t setter;
    int out[2] = {rank, rank};
    int in[2];
    long sum = 0;
    pthread_create(&setter, NULL, set, NULL);
    for (int i = 0; i < calls; ++i) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
        sum += in[0];
        MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += in[0];
    }
    running = 0;
    pthread_join(setter, NULL);
    printf("rank %d: sum %ld, %d handlers lost\n", rank, sum, (int)lost);
}

// A handler that is set on MPI_COMM_WORLD after a communicator was made concerns it as the library says.
static void inherit(void)
{
    int out[2] = {1, 2};
    int in[4];
    MPI_Comm late = MPI_COMM_NULL;
    const int other = 1 - rank;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (const MPI_Comm* comm = (MPI_Comm[]){graph, cart, MPI_COMM_NULL}; *comm != MPI_COMM_NULL; ++comm) {
        int class = MPI_SUCCESS;
        MPI_Error_class(MPI_Neighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, *comm), &class);
        if (rank == 0)
            printf("returned: %d\n", class == MPI_ERR_COUNT);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handlers[0]);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &late);
    MPI_Neighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, late);
    told("inherited");
    MPI_Comm_free(&late);
}

int main(int argc, char** argv)
{
    const char* const what = argc > 1 ? argv[1] : "";
    begin_threads(strcmp(what, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &argc, &argv);
    MPI_Comm_create_errhandler(first, &handlers[0]);
    MPI_Comm_create_errhandler(second, &handlers[1]);
    const int other = 1 - rank;
    const int dims[] = {2};
    const int periods[] = {1};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    if (strcmp(what, "inherited") == 0) {
        inherit();
    } else {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handlers[0]);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handlers[0]);
        MPI_Comm_set_errhandler(graph, handlers[0]);
        MPI_Comm_set_errhandler(cart, handlers[0]);
        strcmp(what, "once") == 0 ? once() : call_with_threads();
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&cart);
    MPI_Errhandler_free(&handlers[0]);
    MPI_Errhandler_free(&handlers[1]);
    return end_program(0);
}
