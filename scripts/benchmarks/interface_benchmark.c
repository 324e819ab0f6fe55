// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The same exchange two ways, in turn: MPI_Neighbor_alltoall on a graph, accelerated as in any program, and
// Hop_Cart_alltoall after Hop_Cart_alltoall_init on a neighborhood made of the same offsets. Prints the time of a call
// of each (the slowest process of each batch, median of the batches, in microseconds) and their ratio.
//
//   mpicc.mpich -O2 -o interface_benchmark interface_benchmark.c $(pkg-config --cflags --libs hopscotch)
//   mpiexec.mpich -n 8 ./interface_benchmark [dimensions [ints per block [calls per batch [batches]]]]
//
// Linked, the library stands before MPI in the search order: nothing is preloaded. With more processes than cores
// preload what lets MPICH give cores away (test/preload/yielding.c).
#include <hopscotch.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_dimensions = 5, most_offsets = 242 };

static int number(int argc, char** argv, int index, int otherwise)
{
    return argc > index ? atoi(argv[index]) : otherwise;
}

// All offsets of shifts -1, 0, 1 but the zero offset.
static int moore(int dimensions, int* offsets)
{
    int points = 1;
    int count = 0;
    for (int k = 0; k < dimensions; ++k) {
        points *= 3;
    }
    for (int point = 0; point < points; ++point) {
        if (point == points / 2) {
            continue;
        }
        for (int k = 0, rest = point; k < dimensions; ++k, rest /= 3) {
            offsets[count * dimensions + k] = rest % 3 - 1;
        }
        ++count;
    }
    return count;
}

static int by_value(const void* one, const void* other)
{
    const double a = *(const double*)one;
    const double b = *(const double*)other;
    return (a > b) - (a < b);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    const int dimensions = number(argc, argv, 1, 3);
    const int ints = number(argc, argv, 2, 10);
    const int calls = number(argc, argv, 3, 50);
    const int batches = number(argc, argv, 4, 41);
    if (dimensions < 1 || dimensions > most_dimensions || ints < 1 || calls < 1 || batches < 1) {
        fputs("usage: interface_benchmark [dimensions [ints per block [calls per batch [batches]]]]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int size;
    int rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int dims[most_dimensions] = {0};
    const int periods[most_dimensions] = {1, 1, 1, 1, 1};
    static int offsets[most_offsets * most_dimensions];
    int sources[most_offsets];
    int targets[most_offsets];
    const int count = moore(dimensions, offsets);
    MPI_Dims_create(size, dimensions, dims);
    MPI_Comm cart;
    MPI_Comm grid;
    MPI_Comm graph;
    Hop_Cart_neighborhood_create(MPI_COMM_WORLD, dimensions, dims, periods, count, offsets, NULL, MPI_INFO_NULL, 0,
                                 &cart);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &grid);
    for (int i = 0; i < count; ++i) {
        Hop_Cart_relative_shift(cart, offsets + i * dimensions, &sources[i], &targets[i]);
    }
    MPI_Dist_graph_create_adjacent(grid, count, sources, MPI_UNWEIGHTED, count, targets, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);

    const size_t bytes = (size_t)count * (size_t)ints * sizeof(int);
    int* out = malloc(bytes);
    int* in[2] = {malloc(bytes), malloc(bytes)};
    double* seconds[2] = {malloc((size_t)batches * sizeof(double)), malloc((size_t)batches * sizeof(double))};
    for (int i = 0; i < count * ints; ++i) {
        out[i] = rank * 10000 + i;
    }
    Hop_Cart_alltoall_init(out, ints, MPI_INT, in[1], ints, MPI_INT, cart);
    for (int batch = -1; batch < batches; ++batch) { // the first is not counted
        for (int way = 0; way < 2; ++way) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double begin = MPI_Wtime();
            for (int call = 0; call < calls; ++call) {
                if (way == 0) {
                    MPI_Neighbor_alltoall(out, ints, MPI_INT, in[0], ints, MPI_INT, graph);
                } else {
                    Hop_Cart_alltoall(out, ints, MPI_INT, in[1], ints, MPI_INT, cart);
                }
            }
            double elapsed = (MPI_Wtime() - begin) / calls;
            MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            if (batch >= 0) {
                seconds[way][batch] = elapsed;
            }
        }
    }
    // Where several offsets lead to one process, the library may put their blocks in another order on the graph.
    int distinct = 1;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            distinct = distinct && targets[i] != targets[j];
        }
    }
    const int wrong = distinct && memcmp(in[0], in[1], bytes) != 0;
    for (int way = 0; way < 2; ++way) {
        qsort(seconds[way], (size_t)batches, sizeof(double), by_value);
    }
    if (rank == 0) {
        const double graph_us = 1e6 * seconds[0][batches / 2];
        const double cart_us = 1e6 * seconds[1][batches / 2];
        printf(
            "%d processes, %d neighbors, %d ints per block: MPI_Neighbor_alltoall %.2f us, Hop_Cart_alltoall %.2f us, "
            "ratio %.2f\n",
            size, count, ints, graph_us, cart_us, cart_us / graph_us);
    }
    if (wrong) {
        printf("rank %d: the results differ\n", rank);
    }
    free(out);
    for (int way = 0; way < 2; ++way) {
        free(in[way]);
        free(seconds[way]);
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&cart);
    MPI_Finalize();
    return wrong;
}
