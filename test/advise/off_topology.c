/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Messages and accesses to windows on a ring, to the process behind by a distributed graph and to both sides by a
   Cartesian communicator and a graph. With an argument there are others, two further on and the wrong way round. */
#include "common.h"

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
        MPI_Startall(2, requests);
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

int main(int argc, char** argv)
{
    start(&argc, &argv);
    const int strays = argc > 1;
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
    if (strays) {
        for (int i = 0; i < times; ++i) {
            send_too_far(ring, beyond, far_before);
            send_on(copy, before, after); /* the wrong way round */
        }
        start_too_far(grid, beyond, far_before);
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
    MPI_Finalize();
    return 0;
}
