// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of a job that hardly does anything: MPI_Init, graphs of the 26 nearest neighbors on a periodic process grid,
// one exchange on each, MPI_Finalize. Prints one line: seconds (of the slowest process) of each step, then the memory
// of a process (mean, kB) after MPI_Init and before MPI_Finalize.
//
//   mpicc.mpich -O2 scripts/benchmarks/scale_benchmark.c -o scale_benchmark
//   mpiexec.mpich -n 8 ./scale_benchmark [GRAPHS]
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { dimensions = 3, neighbors = 26 };

// MPI's clock is not there before MPI_Init and after MPI_Finalize.
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Proportional share of the mappings: memory that processes share is divided among them.
static double own_kilobytes(void)
{
    FILE* file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    double kilobytes = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "Pss:", 4) == 0) {
            kilobytes = strtod(line + 4, NULL);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kilobytes;
}

static void find_neighbors(const int* dims, const int* here, int* ranks)
{
    int count = 0;
    for (int number = 0; number < neighbors + 1; ++number) {
        const int shift[dimensions] = {number / 9 - 1, number / 3 % 3 - 1, number % 3 - 1};
        if (number == neighbors / 2) {
            continue;
        }
        int rank = 0;
        for (int k = 0; k < dimensions; ++k) {
            rank = rank * dims[k] + (here[k] + shift[k] + dims[k]) % dims[k];
        }
        ranks[count++] = rank;
    }
}

static MPI_Comm make_graph(const int* ranks)
{
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, neighbors, ranks, MPI_UNWEIGHTED, neighbors, ranks, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    return graph;
}

static double slowest(double seconds)
{
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

int main(int argc, char** argv)
{
    const int graphs = argc > 1 ? atoi(argv[1]) : 2;
    const double begin = now();
    MPI_Init(&argc, &argv);
    const double init = slowest(now() - begin);
    const double light = own_kilobytes();
    int size;
    int rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[dimensions] = {0};
    MPI_Dims_create(size, dimensions, dims);
    const int here[dimensions] = {rank / (dims[1] * dims[2]), rank / dims[2] % dims[1], rank % dims[2]};
    int ranks[neighbors];
    find_neighbors(dims, here, ranks);

    double make[2] = {0, 0}; // the first graph, all others
    double call = 0;
    int out[neighbors] = {0};
    int in[neighbors];
    for (int i = 0; i < graphs; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double made_from = now();
        MPI_Comm graph = make_graph(ranks);
        make[i > 0] += now() - made_from;
        const double called_from = now();
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
        call += now() - called_from;
        if (i < graphs - 1) {
            MPI_Comm_free(&graph);
        }
    }
    const double first = slowest(make[0]);
    const double others = slowest(make[1]) / (graphs > 1 ? graphs - 1 : 1);
    call = slowest(call) / graphs;
    double memory[2] = {light, own_kilobytes()};
    MPI_Allreduce(MPI_IN_PLACE, memory, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    const double end = now();
    MPI_Finalize();
    if (rank == 0) {
        printf("init %.6f first %.6f next %.6f call %.6f finalize %.6f light %.0f full %.0f\n", init, first, others,
               call, now() - end, memory[0] / size, memory[1] / size);
    }
    return 0;
}
