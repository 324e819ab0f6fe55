// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program of an MPI library whose handles are pointers: functions with handles in registers, on the stack, behind
// pointers. Its library checks them.
#include "handles.h"

#include <stdio.h>

int MPI_Init(int*, char***);
int MPI_Finalize(void);
int MPI_Comm_size(Handle, int*);
int MPI_Comm_dup(Handle, Handle*);
int MPI_Comm_free(Handle*);
int MPI_Cart_create(Handle, int, const int*, const int*, int, Handle*);
int MPI_Dist_graph_create_adjacent(Handle, int, const int*, const int*, int, const int*, const int*, Handle, int,
                                   Handle*);
int MPI_Allreduce(const void*, void*, int, Handle, Handle, Handle);
int MPI_Neighbor_allgather(const void*, int, Handle, void*, int, Handle, Handle);
int MPI_Neighbor_alltoallv(const void*, const int*, const int*, Handle, void*, const int*, const int*, Handle, Handle);
int MPI_Neighbor_alltoallw(const void*, const int*, const long*, const Handle*, void*, const int*, const long*,
                           const Handle*, Handle);
int PMPI_Ineighbor_allgather(const void*, int, Handle, void*, int, Handle, Handle, Handle*);
int MPI_Wait(Handle*, Status*);
int MPI_Request_get_status(Handle, int*, Status*);

static int sent = 42;
static int received;

static void show(const char* what, int code)
{
    printf("%s: %d, code %d\n", what, received, code);
    fflush(stdout);
    received = 0;
    ++sent;
}

int main(int argc, char** argv)
{
    const Handle world = &translated_world;
    const Handle type = &translated_int;
    const int one[] = {1};
    const int zero[] = {0};
    const long place[] = {0};
    int size = 0;
    Handle grid = NULL;
    Handle graph = NULL;
    Handle copy = NULL;
    Handle request = NULL;
    Status status = {.error = 7};
    MPI_Init(&argc, &argv);
    MPI_Comm_size(world, &size);
    show("a sum", MPI_Allreduce(&sent, &received, 1, type, &translated_sum, world));
    show("a grid", MPI_Cart_create(world, 1, one, one, 0, &grid));
    show("a graph",
         MPI_Dist_graph_create_adjacent(world, 1, zero, zero, 1, zero, zero, &translated_no_info, 0, &graph));
    show("a copy", MPI_Comm_dup(grid, &copy));
    show("allgather", MPI_Neighbor_allgather(&sent, 1, type, &received, 1, type, grid));
    show("alltoallv", MPI_Neighbor_alltoallv(&sent, one, zero, type, &received, one, zero, type, graph));
    show("alltoallw", MPI_Neighbor_alltoallw(&sent, one, place, &type, &received, one, place, &type, copy));
    show("nonblocking", PMPI_Ineighbor_allgather(&sent, 1, type, &received, 1, type, grid, &request));
    int flag = 0;
    show("a look", MPI_Request_get_status(request, &flag, &status));
    show("the wait", MPI_Wait(&request, &status));
    show("the end", MPI_Comm_free(&graph));
    return MPI_Finalize();
}
