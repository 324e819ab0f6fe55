/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Messages and accesses to windows on a ring, to the process behind by a distributed graph and to both sides by a
   Cartesian communicator and a graph. With the argument strays there are others, two further on and the wrong way
   round; with each one by each function that sends, receives or accesses a window. */
#include "common.h"
#include <string.h>

enum { times = 4 };

static int value, received;

static void send_on(MPI_Comm comm, int to, int from)
{
    MPI_Sendrecv(&rank, 1, MPI_INT, to, 0, &received, 1, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE);
}

static void send_too_far(MPI_Comm comm, int to, int from)
{
    MPI_Request requests[2];
    MPI_Irecv(&received, 1, MPI_INT, from, 0, comm, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, to, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void start_too_far(MPI_Comm comm, int to, int from)
{
    MPI_Request requests[2];
    MPI_Recv_init(&received, 1, MPI_INT, from, 0, comm, &requests[0]);
    MPI_Ssend_init(&rank, 1, MPI_INT, to, 0, comm, &requests[1]);
    for (int i = 0; i < times; ++i) {
        MPI_Start(&requests[0]);
        MPI_Startall(1, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void access_window(MPI_Comm comm, int after, int before, int strays)
{
    MPI_Win window;
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, comm, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, after, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (strays) {
        MPI_Get(&received, 1, MPI_INT, before, 0, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        MPI_Accumulate(&rank, 1, MPI_INT, before, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
}

/* Of graphs that follow each other under one handle, each has its own neighbors: half of these messages are strays. */
static void send_on_renewed(int after, int before)
{
    for (int i = 0; i < times; ++i) {
        const int to = i % 2 ? before : after, from = i % 2 ? after : before;
        MPI_Comm graph;
        MPI_Request requests[2];
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                       0, &graph);
        MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, graph, &requests[0]);
        MPI_Issend(&rank, 1, MPI_INT, after, 0, graph, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Comm_free(&graph);
    }
}

/* A message by each function, with int or large counts. `posted` is a request for it, started if it is persistent. */
#define MESSAGE(call, is_persistent)                                                                                   \
    do {                                                                                                               \
        MPI_Request posted = MPI_REQUEST_NULL;                                                                         \
        call;                                                                                                          \
        if (is_persistent)                                                                                             \
            MPI_Start(&posted);                                                                                        \
        MPI_Wait(&posted, MPI_STATUS_IGNORE);                                                                          \
        if (is_persistent)                                                                                             \
            MPI_Request_free(&posted);                                                                                 \
    } while (0)
#define SENT(name, last)                                                                                               \
    MPI_Irecv(&received, 1, MPI_INT, from, 0, comm, &expected);                                                        \
    MPI_Barrier(MPI_COMM_WORLD); /* a ready send needs the receive */                                                  \
    MESSAGE(MPI_##name(&rank, 1, MPI_INT, to, 0, comm last), strstr(#name, "_init") != NULL);                          \
    MPI_Wait(&expected, MPI_STATUS_IGNORE)
#define RECEIVED(name, last)                                                                                           \
    MPI_Isend(&rank, 1, MPI_INT, to, 0, comm, &expected);                                                              \
    MESSAGE(MPI_##name(&received, 1, MPI_INT, from, 0, comm, last), strstr(#name, "_init") != NULL);                   \
    MPI_Wait(&expected, MPI_STATUS_IGNORE)
#define NEXT_REQUEST , &posted
#define MESSAGES(suffix)                                                                                               \
    SENT(Send##suffix, );                                                                                              \
    SENT(Bsend##suffix, );                                                                                             \
    SENT(Ssend##suffix, );                                                                                             \
    SENT(Rsend##suffix, );                                                                                             \
    SENT(Isend##suffix, NEXT_REQUEST);                                                                                 \
    SENT(Ibsend##suffix, NEXT_REQUEST);                                                                                \
    SENT(Issend##suffix, NEXT_REQUEST);                                                                                \
    SENT(Irsend##suffix, NEXT_REQUEST);                                                                                \
    SENT(Send_init##suffix, NEXT_REQUEST);                                                                             \
    SENT(Bsend_init##suffix, NEXT_REQUEST);                                                                            \
    SENT(Ssend_init##suffix, NEXT_REQUEST);                                                                            \
    SENT(Rsend_init##suffix, NEXT_REQUEST);                                                                            \
    RECEIVED(Recv##suffix, MPI_STATUS_IGNORE);                                                                         \
    RECEIVED(Irecv##suffix, &posted);                                                                                  \
    RECEIVED(Recv_init##suffix, &posted);                                                                              \
    MPI_Sendrecv##suffix(&rank, 1, MPI_INT, to, 0, &received, 1, MPI_INT, from, 0, comm, MPI_STATUS_IGNORE);           \
    MPI_Sendrecv_replace##suffix(&copy, 1, MPI_INT, to, 0, from, 0, comm, MPI_STATUS_IGNORE)
#define LATER_MESSAGES(suffix)                                                                                         \
    MESSAGE(MPI_Isendrecv##suffix(&rank, 1, MPI_INT, to, 0, &received, 1, MPI_INT, from, 0, comm, &posted), 0);        \
    MESSAGE(MPI_Isendrecv_replace##suffix(&copy, 1, MPI_INT, to, 0, from, 0, comm, &posted), 0)
#define ACCESSES(suffix)                                                                                               \
    MPI_Put##suffix(&rank, 1, MPI_INT, to, 0, 1, MPI_INT, window);                                                     \
    MPI_Get##suffix(&received, 1, MPI_INT, to, 0, 1, MPI_INT, window);                                                 \
    MPI_Accumulate##suffix(&rank, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, window);                                     \
    MPI_Get_accumulate##suffix(&rank, 1, MPI_INT, &copy, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, window);              \
    MESSAGE(MPI_Rput##suffix(&rank, 1, MPI_INT, to, 0, 1, MPI_INT, window, &posted), 0);                               \
    MESSAGE(MPI_Rget##suffix(&received, 1, MPI_INT, to, 0, 1, MPI_INT, window, &posted), 0);                           \
    MESSAGE(MPI_Raccumulate##suffix(&rank, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, window, &posted), 0);               \
    MESSAGE(MPI_Rget_accumulate##suffix(&rank, 1, MPI_INT, &copy, 1, MPI_INT, to, 0, 1, MPI_INT, MPI_SUM, window,      \
                                        &posted),                                                                      \
            0)

static void use_each(MPI_Comm comm, int to, int from)
{
    int copy = rank, same = 0, *memory;
    char room[1000];
    MPI_Request expected;
    MPI_Win window;
    MPI_Buffer_attach(room, sizeof room);
    MESSAGES();
#if MPI_VERSION >= 4
    MESSAGES(_c);
    LATER_MESSAGES();
    LATER_MESSAGES(_c);
#endif
    MPI_Buffer_detach(&memory, &copy);
    for (int i = 0; i < 70; ++i) { // more than the advice looks at at once
        MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &window);
        MPI_Win_free(&window);
    }
    for (int shared = 0; shared < 2; ++shared) {
        if (shared) {
            MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &window);
        } else {
            MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &window);
        }
        MPI_Win_lock_all(0, window);
        ACCESSES();
#if MPI_VERSION >= 4
        ACCESSES(_c);
#endif
        MPI_Fetch_and_op(&rank, &copy, MPI_INT, to, 0, MPI_SUM, window);
        MPI_Compare_and_swap(&rank, &same, &received, MPI_INT, to, 0, window);
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int strays = argc > 1 && strcmp(argv[1], "strays") == 0;
    const int after = (rank + 1) % size, before = (rank + size - 1) % size;
    const int beyond = (rank + 2) % size, far_before = (rank + size - 2) % size;
    const int periodic = 1;
    MPI_Comm ring, copy, grid, graph;
    int* const index = malloc((size_t)size * sizeof(int));
    int* const edges = malloc(2 * (size_t)size * sizeof(int));
    for (int i = 0; i < size; ++i) {
        index[i] = 2 * i + 2;
        edges[2 * i] = (i + size - 1) % size;
        edges[2 * i + 1] = (i + 1) % size;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
    MPI_Comm_dup(ring, &copy);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    for (int i = 0; i < times; ++i) {
        send_on(ring, after, before);
        send_on(copy, after, MPI_PROC_NULL);
        MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, copy, MPI_STATUS_IGNORE);
        send_on(grid, before, after);
        send_on(graph, after, before);
        send_on(MPI_COMM_WORLD, beyond, far_before); /* has no topology */
    }
    access_window(ring, after, before, strays);
    if (argc > 1 && !strays) {
        use_each(ring, beyond, far_before);
    }
    if (strays) {
        for (int i = 0; i < times; ++i) {
            send_too_far(ring, beyond, far_before);
            send_on(copy, before, after); /* the wrong way round */
        }
        start_too_far(grid, beyond, far_before);
        send_on_renewed(after, before);
        MPI_Request unused;
        MPI_Send_init(&rank, 1, MPI_INT, beyond, 0, graph, &unused); /* never started */
        MPI_Request_free(&unused);
    }
    MPI_Comm_free(&ring);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&graph);
    free(index);
    free(edges);
    return end_program(0);
}
