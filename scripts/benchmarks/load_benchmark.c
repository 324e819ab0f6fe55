// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// An iterative solver: in each iteration a computation, one MPI_Neighbor_alltoallv on a ring, and two MPI_Allreduce
// with a shorter computation before each.
//
//   load_benchmark ITERATIONS WORK UNEVEN BYTES    WORK, UNEVEN in microseconds of a process alone on its core: for the
//                                                  computation, and for the longer one of every second process in turn
//
// Prints the microseconds of an iteration.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { steps_at_once = 1000 };

static volatile double sink;

static void compute(long steps)
{
    double value = 1;
    for (long i = 0; i < steps; ++i)
        value = value * 1.0000001 + 1e-9;
    sink = value;
}

/// By the fastest of many short runs, so that other programs do not disturb.
static double steps_in_a_microsecond(void)
{
    double fastest = 1;
    for (int i = 0; i < 1000; ++i) {
        const double start = MPI_Wtime();
        compute(steps_at_once);
        const double time = MPI_Wtime() - start;
        fastest = time < fastest ? time : fastest;
    }
    return steps_at_once / (fastest * 1e6);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 5) {
        fprintf(stderr, "usage: load_benchmark ITERATIONS WORK UNEVEN BYTES\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const int iterations = atoi(argv[1]);
    const int bytes = atoi(argv[4]);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double steps = steps_in_a_microsecond();
    MPI_Allreduce(MPI_IN_PLACE, &steps, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const long work = (long)(steps * atof(argv[2]));
    const long uneven = (long)(steps * atof(argv[3]));
    const int neighbors[2] = {(rank + 1) % size, (rank + size - 1) % size};
    const int degree = size > 2 ? 2 : 1;
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbors, MPI_UNWEIGHTED, degree, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &ring);
    char* const out = calloc(2, (size_t)bytes);
    char* const in = calloc(2, (size_t)bytes);
    const int counts[2] = {bytes, bytes};
    const int offsets[2] = {0, bytes};
    const double start = MPI_Wtime();
    for (int i = 0; i < iterations; ++i) {
        compute(work + ((i + rank) % 2 != 0 ? uneven : 0));
        MPI_Neighbor_alltoallv(out, counts, offsets, MPI_BYTE, in, counts, offsets, MPI_BYTE, ring);
        for (int k = 0; k < 2; ++k) {
            double sum = 1;
            compute(work / 4);
            MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("%.2f\n", (MPI_Wtime() - start) / iterations * 1e6);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    free(out);
    free(in);
    return 0;
}
