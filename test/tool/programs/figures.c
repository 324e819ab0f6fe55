// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// On four processes: something of everything that a report has a figure for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>

enum { ranks = 4, most_ints = 4000, most_neighbors = 8 };

static int out[most_neighbors * most_ints];
static int in[most_neighbors * most_ints];

static MPI_Comm graph_over(MPI_Comm parent, int neighbors, const int* list)
{
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(parent, neighbors, list, MPI_UNWEIGHTED, neighbors, list, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    return graph;
}

static MPI_Comm ring_over(MPI_Comm parent)
{
    int size;
    int rank;
    MPI_Comm_size(parent, &size);
    MPI_Comm_rank(parent, &rank);
    const int list[2] = {(rank + size - 1) % size, (rank + 1) % size};
    return graph_over(parent, 2, list);
}

static void call(MPI_Comm graph, int ints, int calls)
{
    for (int i = 0; i < calls; ++i) {
        MPI_Neighbor_alltoall(out, ints, MPI_INT, in, ints, MPI_INT, graph);
    }
}

// Blocks of three sizes are measured; one call after the other, another way each.
static void measured(MPI_Comm ring)
{
    call(ring, 1, 150);
    call(ring, 700, 150);
    call(ring, most_ints, 150);
    for (int i = 0; i < 40; ++i) {
        MPI_Neighbor_allgather(out, 5, MPI_INT, in, 5, MPI_INT, ring);
    }
    MPI_Request request;
    for (int i = 0; i < 3; ++i) {
        MPI_Ineighbor_alltoall(out, 9, MPI_INT, in, 9, MPI_INT, ring, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
#ifndef NO_PERSISTENT
    MPI_Neighbor_allgather_init(out, 3, MPI_INT, in, 3, MPI_INT, ring, MPI_INFO_NULL, &request);
    for (int i = 0; i < 4; ++i) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
#endif
}

// Values that are combined on their way.
static void reduced(MPI_Comm parent)
{
    int (*reduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
    *(void**)&reduce = dlsym(RTLD_DEFAULT, "Hop_Allreduce"); // the conversion POSIX prescribes for dlsym
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", "combining");
    MPI_Comm ring = ring_over(parent);
    MPI_Comm duplicate;
    MPI_Comm_dup_with_info(ring, info, &duplicate);
    for (int i = 0; i < 6 && reduce != NULL; ++i) {
        reduce(out, in, 5, MPI_INT, MPI_SUM, duplicate);
    }
    MPI_Comm_free(&duplicate);
    MPI_Comm_free(&ring);
    MPI_Info_free(&info);
}

static void passed_through(MPI_Comm ring)
{
    MPI_Comm duplicate;
    MPI_Request request;
    MPI_Comm_idup(ring, &duplicate, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    call(duplicate, 2, 7);
    MPI_Comm_free(&duplicate);
}

// Every process sends the same parts of one array to all neighbors of a box: some bytes need not travel twice.
static MPI_Comm overlapping(void)
{
    const int extents[2] = {2, 2};
    const int periods[2] = {1, 1};
    int list[most_neighbors];
    int neighbors = 0;
    int rank;
    int counts[most_neighbors];
    MPI_Aint places[most_neighbors];
    MPI_Aint landing[most_neighbors];
    MPI_Datatype types[most_neighbors];
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            if (x != 0 || y != 0) {
                const int place[2] = {rank / 2 + x, rank % 2 + y};
                MPI_Cart_rank(grid, place, &list[neighbors]);
                counts[neighbors] = 100;
                places[neighbors] = 0;
                landing[neighbors] = neighbors * 400;
                types[neighbors++] = MPI_INT;
            }
        }
    }
    MPI_Comm graph = graph_over(grid, neighbors, list);
    for (int i = 0; i < 6; ++i) {
        MPI_Neighbor_alltoallw(out, counts, places, types, in, counts, landing, types, graph);
    }
    MPI_Allgather(out, 10, MPI_INT, in, 10, MPI_INT, graph);
    MPI_Comm_free(&grid);
    return graph;
}

// A star: no process grid explains it. One block is longer than its receiver expects.
static MPI_Comm failing(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int list[ranks - 1] = {rank == 0 ? 1 : 0, 2, 3};
    const int neighbors = rank == 0 ? ranks - 1 : 1;
    MPI_Comm star = graph_over(MPI_COMM_WORLD, neighbors, list);
    MPI_Comm_set_errhandler(star, MPI_ERRORS_RETURN);
    const int places[ranks - 1] = {0, 10, 20};
    const int few[ranks - 1] = {1, 1, 1};
    const int counts[ranks - 1] = {rank == 0 ? 2 : 1, 1, 1};
    for (int i = 0; i < 5; ++i) {
        MPI_Neighbor_alltoallv(out, i == 2 ? counts : few, places, MPI_INT, in, few, places, MPI_INT, star);
    }
    return star;
}

int main(int argc, char** argv)
{
    int rank;
    MPI_Comm part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm ring = ring_over(MPI_COMM_WORLD);
    measured(ring);
    reduced(MPI_COMM_WORLD);
    passed_through(ring);
    MPI_Comm graphs[3] = {ring, overlapping(), failing()};
    for (int i = 0; i < 3; ++i) { // freed: one in the report
        MPI_Comm freed = ring_over(MPI_COMM_WORLD);
        call(freed, 1 + i, 2);
        MPI_Comm_free(&freed);
    }
    for (int i = 0; i < 2; ++i) { // alike: one section of text and page
        call(ring_over(MPI_COMM_WORLD), 20, 3 + i);
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank == 3, rank, &part);
    MPI_Comm small = ring_over(part);
    call(small, 1, rank == 3 ? 20 : 10);
    MPI_Comm_free(&small);
    MPI_Comm_free(&part);
    for (int i = 0; i < 3; ++i) {
        MPI_Comm_free(&graphs[i]);
    }
    MPI_Finalize();
    return 0;
}
