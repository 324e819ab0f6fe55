// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls every neighborhood collective in every form on a torus, and prints what the library libcounting.so, preloaded
// behind the shim, has counted meanwhile. `sent 1000`: blocks of v and w operations are 1000 times as long.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { neighbors = 8, most_ints = 450, rounds = 3 };
enum Form { blocking, nonblocking, persistent, forms };

typedef void (*TakeCounts)(unsigned long long counts[2]);

static TakeCounts take_counts;
static MPI_Comm torus;
static int rank;
static int size;
static int lists[neighbors];
static int scale = 1;
static int* out;
static int* in;
static int send_counts[neighbors];
static int receive_counts[neighbors];
static int places[neighbors];
static MPI_Aint send_addresses[neighbors];
static MPI_Aint addresses[neighbors];
static MPI_Datatype types[neighbors];

// The sizes of blocks grow and shrink again; some are 0. Columns of an array are no run of bytes.
static void prepare(int round)
{
    const int largest[rounds] = {20, 150, 3};
    for (int i = 0; i < neighbors; ++i) {
        send_counts[i] = (rank + 2 * lists[i]) % 4 * largest[round] * scale;
        receive_counts[i] = (lists[i] + 2 * rank) % 4 * largest[round] * scale;
        places[i] = i * most_ints * scale;
        send_addresses[i] = (MPI_Aint)sizeof(int) * (i % 4) * 40; // some blocks have bytes in common
        addresses[i] = (MPI_Aint)sizeof(int) * places[i];
        types[i] = MPI_INT;
    }
}

// Starts or carries out one call; `all`: the count of regular blocks.
static void call(int operation, enum Form form, int all, MPI_Request* request)
{
    const int own = rank % 4 * all;
    int gathered[neighbors];
    for (int i = 0; i < neighbors; ++i) {
        gathered[i] = lists[i] % 4 * all;
    }
#ifdef NO_PERSISTENT
#define INIT(name, ...)
#else
#define INIT(name, ...) MPI_Neighbor_##name##_init(__VA_ARGS__, torus, MPI_INFO_NULL, request)
#endif
#define CALL(name, ...)                                                                                                \
    if (form == blocking) {                                                                                            \
        MPI_Neighbor_##name(__VA_ARGS__, torus);                                                                       \
    } else if (form == nonblocking) {                                                                                  \
        MPI_Ineighbor_##name(__VA_ARGS__, torus, request);                                                             \
    } else {                                                                                                           \
        INIT(name, __VA_ARGS__);                                                                                       \
    }
    if (operation == 0) {
        CALL(alltoall, out, all, MPI_INT, in, all, MPI_INT)
    } else if (operation == 1) {
        CALL(alltoallv, out, send_counts, places, MPI_INT, in, receive_counts, places, MPI_INT)
    } else if (operation == 2) {
        CALL(alltoallw, out, send_counts, send_addresses, types, in, receive_counts, addresses, types)
    } else if (operation == 3) {
        CALL(allgather, out, all, MPI_INT, in, all, MPI_INT)
    } else {
        CALL(allgatherv, out, own, MPI_INT, in, gathered, places, MPI_INT)
    }
}

static void measure(int operation, enum Form form)
{
    static const char* const names[] = {"alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv"};
    unsigned long long counts[2];
    unsigned long long sums[2] = {0, 0};
    for (int round = 0; round < rounds; ++round) {
        MPI_Request request = MPI_REQUEST_NULL;
        prepare(round);
        if (form == persistent) {
            call(operation, form, 7, &request);
        }
        MPI_Barrier(torus);
        take_counts(counts); // what was sent before
        if (form != persistent) {
            call(operation, form, 7, &request);
        } else {
            MPI_Start(&request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        take_counts(counts);
        for (int i = 0; i < 2; ++i) {
            sums[i] += counts[i];
        }
        if (form == persistent) {
            MPI_Request_free(&request);
        }
        MPI_Barrier(torus);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("sent: MPI_%s_%s%s %llu messages %llu bytes\n", form == nonblocking ? "Ineighbor" : "Neighbor",
               names[operation], form == persistent ? "_init" : "", sums[0], sums[1]);
    }
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *(void**)&take_counts = dlsym(RTLD_DEFAULT, "take_counts");
    if (take_counts == NULL) {
        fprintf(stderr, "libcounting.so is not preloaded\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    scale = argc > 1 ? atoi(argv[1]) : 1;
    const size_t ints = (size_t)(neighbors * most_ints * scale);
    out = calloc(ints, sizeof *out);
    in = calloc(ints, sizeof *in);
    int extents[2] = {0, 0};
    const int periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Dims_create(size, 2, extents);
    MPI_Cart_create(MPI_COMM_WORLD, 2, extents, periods, 0, &grid);
    int found = 0;
    for (int x = -1; x <= 1; ++x) {
        for (int y = -1; y <= 1; ++y) {
            const int place[2] = {rank / extents[1] + x, rank % extents[1] + y};
            if (x != 0 || y != 0) {
                MPI_Cart_rank(grid, place, &lists[found++]);
            }
        }
    }
    MPI_Dist_graph_create_adjacent(grid, neighbors, lists, MPI_UNWEIGHTED, neighbors, lists, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &torus);
    for (int operation = 0; operation < 5; ++operation) {
        for (enum Form form = blocking; form < forms; ++form) {
#ifdef NO_PERSISTENT
            if (form == persistent) {
                continue;
            }
#endif
            measure(operation, form);
        }
    }
    free(in);
    free(out);
    MPI_Comm_free(&torus);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
