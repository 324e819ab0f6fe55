// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Legal and rare: graphs without edges, MPI_PROC_NULL in lists, all ways to make a topology, communicators of one
// process, communicators made and freed very often, intercommunicators in use beside them.
//
//   unusual [number of communicators]
#include "../../program.h"
#include "exchange.h"
#include "shapes.h"

static MPI_Comm graph_of(MPI_Comm parent, int sources, const int* source, int destinations, const int* destination)
{
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(parent, sources, source, MPI_UNWEIGHTED, destinations, destination, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    return graph;
}

static int without_edges(void)
{
    const int none[1] = {0};
    MPI_Comm graph = graph_of(MPI_COMM_WORLD, 0, none, 0, none);
    int wrong = exchange_and_check(graph, 1, 3, 0, none, 0, none);
    MPI_Neighbor_alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, graph);
    MPI_Comm_free(&graph);

    // Only rank 0 sends, to all others.
    int* all = allocate((size_t)size * sizeof *all);
    for (int i = 0; i < size; ++i) {
        all[i] = i;
    }
    const int sources = rank == 0 ? 0 : 1;
    const int destinations = rank == 0 ? size - 1 : 0;
    graph = graph_of(MPI_COMM_WORLD, sources, none, destinations, all + 1);
    wrong += exchange_and_check(graph, 2, 2, sources, none, destinations, all + 1);
    MPI_Comm_free(&graph);
    free(all);
    return wrong;
}

// A chain with MPI_PROC_NULL at its ends, at which a ring would go on.
static int with_null_entries(void)
{
    const int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    const int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    const int lists[2] = {left, right};
    MPI_Comm graph = graph_of(MPI_COMM_WORLD, 2, lists, 2, lists);
    const int wrong = exchange_and_check(graph, 3, 2, 2, lists, 2, lists);
    MPI_Comm_free(&graph);
    return wrong;
}

static int with_dist_graph_create(void)
{
    // Each process describes the edge that leaves its right neighbor.
    const int from = (rank + 1) % size;
    const int degree = 1;
    const int to = (rank + 2) % size;
    MPI_Comm graph;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &from, &degree, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    const int left = (rank + size - 1) % size;
    const int right = (rank + 1) % size;
    const int wrong = exchange_and_check(graph, 4, 2, 1, &left, 1, &right);
    MPI_Comm_free(&graph);
    return wrong;
}

// MPI_Graph_create: a star around rank 0.
static int with_graph_create(void)
{
    if (size < 2) {
        return 0;
    }
    int* index = allocate((size_t)size * sizeof *index);
    int* edges = allocate(2 * (size_t)size * sizeof *edges);
    int count = 0;
    for (int process = 0; process < size; ++process) {
        for (int other = 1; process == 0 && other < size; ++other) {
            edges[count++] = other;
        }
        if (process > 0) {
            edges[count++] = 0;
        }
        index[process] = count;
    }
    MPI_Comm graph;
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
    const int first = rank == 0 ? 0 : index[rank - 1];
    const int degree = index[rank] - first;
    const int wrong = exchange_and_check(graph, 5, 2, degree, edges + first, degree, edges + first);
    MPI_Comm_free(&graph);
    free(index);
    free(edges);
    return wrong;
}

// Neighborhood collectives on a Cartesian communicator: the neighbors are those of MPI_Cart_shift, dimension by
// dimension.
static int with_cartesian(int periodic)
{
    int dims[2] = {0, 0};
    const int periods[2] = {periodic, 0};
    MPI_Dims_create(size, 2, dims);
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    int lists[4];
    MPI_Cart_shift(grid, 0, 1, &lists[0], &lists[1]);
    MPI_Cart_shift(grid, 1, 1, &lists[2], &lists[3]);
    int wrong = exchange_and_check(grid, 6, 2, 4, lists, 4, lists);

    const int remain[2] = {1, 0};
    MPI_Comm column;
    MPI_Cart_sub(grid, remain, &column);
    MPI_Cart_shift(column, 0, 1, &lists[0], &lists[1]);
    int column_size;
    MPI_Comm_size(column, &column_size);
    if (column_size > 1) { // see wildcard.c: one process is another matter
        wrong += exchange_and_check(column, 7, 2, 2, lists, 2, lists);
    }
    MPI_Comm_free(&column);
    MPI_Comm_free(&grid);
    return wrong;
}

static int with_one_process(void)
{
    const int lists[3] = {0, 0, 0};
    MPI_Comm graph = graph_of(MPI_COMM_SELF, 3, lists, 3, lists);
    const int wrong = exchange_and_check(graph, 8, 4, 3, lists, 3, lists);
    MPI_Comm_free(&graph);
    return wrong;
}

// Far more communicators than are alive at a time, half of them duplicates.
static int with_many(int count)
{
    const int left = (rank + size - 1) % size;
    const int right = (rank + 1) % size;
    int wrong = 0;
    MPI_Comm kept = graph_of(MPI_COMM_WORLD, 1, &left, 1, &right);
    for (int i = 0; i < count; ++i) {
        MPI_Comm graph = i % 2 == 0 ? graph_of(MPI_COMM_WORLD, 1, &right, 1, &left) : MPI_COMM_NULL;
        MPI_Comm copy;
        MPI_Comm_dup(i % 2 == 0 ? graph : kept, &copy);
        if (i % 50 < 2) {
            wrong += i % 2 == 0 ? exchange_and_check(copy, i % 900, 2, 1, &right, 1, &left)
                                : exchange_and_check(copy, i % 900, 2, 1, &left, 1, &right);
        }
        MPI_Comm_free(&copy);
        if (graph != MPI_COMM_NULL) {
            MPI_Comm_free(&graph);
        }
    }
    wrong += exchange_and_check(kept, 900, 2, 1, &left, 1, &right);
    MPI_Comm_free(&kept);
    return wrong;
}

// Two halves of the world connected by an intercommunicator, each with a graph of its own.
static int with_intercommunicator(void)
{
    if (size < 2) {
        return 0;
    }
    const int color = rank % 2;
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &half);
    MPI_Comm across;
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 5, &across);
    int own;
    int processes;
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &processes);
    const int left = (own + processes - 1) % processes;
    const int right = (own + 1) % processes;
    MPI_Comm graph = graph_of(half, 1, &left, 1, &right);
    int wrong = exchange_and_check(graph, 9, 2, 1, &left, 1, &right);
    MPI_Comm copy;
    MPI_Comm_dup(across, &copy);
    int remote;
    MPI_Comm_remote_size(copy, &remote);
    long long mine = own + 1;
    long long sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG_LONG, MPI_SUM, copy);
    if (sum != (long long)remote * (remote + 1) / 2) {
        wrong += complain(own, "MPI_Allreduce between groups", 0, 0, sum);
    }
    wrong += exchange_and_check(graph, 10, 2, 1, &left, 1, &right);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&across);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&half);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_threads(MPI_THREAD_MULTIPLE, &argc, &argv);
    int wrong = without_edges();
#ifdef OPEN_MPI // ends the program at MPI_PROC_NULL in a call that nothing accelerates: one without any neighbor
    wrong += size > 1 ? with_null_entries() : 0;
#else
    wrong += with_null_entries();
#endif
    wrong += with_dist_graph_create();
    wrong += with_graph_create();
    wrong += with_cartesian(0);
    wrong += with_cartesian(1);
    wrong += with_one_process();
    wrong += with_many(argc > 1 ? atoi(argv[1]) : 300);
    wrong += with_intercommunicator();
    return conclude("unusual", wrong);
}
