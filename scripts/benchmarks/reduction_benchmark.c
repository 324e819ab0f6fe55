// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums over the neighborhood of every process, six ways in turn: values exchanged by the MPI library's function, by one
// message per neighbor, by the trivial schedule and by the fastest algorithm that `auto` finds, and added at their
// destination; Hop_Cart_allreduce as `auto` carries it; and combined on their way. Prints the time of a call of each
// (the slowest process of each batch, median of the batches, in microseconds) and the times of the first four relative
// to the fifth.
//
//   mpicc.mpich -O2 -o reduction_benchmark reduction_benchmark.c $(pkg-config --cflags --libs hopscotch)
//   mpiexec.mpich -n 8 ./reduction_benchmark [dimensions [distance [ints [calls per batch [batches]]]]]
//
// Linked, the library stands before MPI in the search order: nothing is preloaded. With more processes than cores
// preload a library that lets MPICH yield cores (test/preload/behind/yielding.c).
#include <hopscotch.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { native, plain, trivial, exchanged, reduced, combined, ways };
static const char* const names[] = {"native", "plain", "trivial", "exchanged", "auto", "combined"};
enum { most_dimensions = 5, most_offsets = 3124 };

static int offsets[most_offsets * most_dimensions], sources[most_offsets], targets[most_offsets];
static MPI_Request requests[2 * most_offsets];
static int count, ints;
static int *own, *values, *sum;

static int number(int argc, char** argv, int index, int otherwise)
{
    return argc > index ? atoi(argv[index]) : otherwise;
}

// All offsets of shifts up to the distance but the zero offset.
static void list_offsets(int dimensions, int distance)
{
    int points = 1;
    for (int k = 0; k < dimensions; ++k)
        points *= 2 * distance + 1;
    for (int point = 0; point < points; ++point) {
        if (point == points / 2)
            continue;
        for (int k = 0, rest = point; k < dimensions; ++k, rest /= 2 * distance + 1)
            offsets[count * dimensions + k] = rest % (2 * distance + 1) - distance;
        ++count;
    }
}

static void add_values(void)
{
    memcpy(sum, values, (size_t)ints * sizeof(int));
    for (int i = 1; i < count; ++i)
        MPI_Reduce_local(values + (size_t)i * (size_t)ints, sum, ints, MPI_INT, MPI_SUM);
}

static void call(int way, MPI_Comm graph, const MPI_Comm* carts)
{
    switch (way) {
    case native:
        MPI_Neighbor_allgather(own, ints, MPI_INT, values, ints, MPI_INT, graph);
        break;
    case plain:
        for (int i = 0; i < count; ++i)
            MPI_Irecv(values + (size_t)i * (size_t)ints, ints, MPI_INT, sources[i], 1, graph, &requests[i]);
        for (int i = 0; i < count; ++i)
            MPI_Isend(own, ints, MPI_INT, targets[i], 1, graph, &requests[count + i]);
        MPI_Waitall(2 * count, requests, MPI_STATUSES_IGNORE);
        break;
    case trivial:
    case exchanged:
        Hop_Cart_allgather(own, ints, MPI_INT, values, ints, MPI_INT, carts[way]);
        break;
    default:
        Hop_Cart_allreduce(own, sum, ints, MPI_INT, MPI_SUM, carts[way]);
        return;
    }
    add_values();
}

static MPI_Comm neighborhood(int dimensions, const int* dims, const char* algorithm)
{
    const int periods[most_dimensions] = {1, 1, 1, 1, 1};
    MPI_Comm cart;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", algorithm);
    Hop_Cart_neighborhood_create(MPI_COMM_WORLD, dimensions, dims, periods, count, offsets, NULL, info, 0, &cart);
    MPI_Info_free(&info);
    return cart;
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
    const int distance = number(argc, argv, 2, 1);
    ints = number(argc, argv, 3, 1);
    const int calls = number(argc, argv, 4, 50);
    const int batches = number(argc, argv, 5, 41);
    if (dimensions < 1 || dimensions > most_dimensions || distance < 1 || distance > 2 || ints < 1 || calls < 1 ||
        batches < 1) {
        fputs("usage: reduction_benchmark [dimensions [distance [ints [calls per batch [batches]]]]]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int size, rank, dims[most_dimensions] = {0};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    list_offsets(dimensions, distance);
    MPI_Dims_create(size, dimensions, dims);
    MPI_Comm carts[ways], graph;
    const char* const algorithms[] = {"native", "native", "trivial", "auto", "auto", "combining"};
    for (int way = trivial; way < ways; ++way)
        carts[way] = neighborhood(dimensions, dims, algorithms[way]);
    for (int i = 0; i < count; ++i)
        Hop_Cart_relative_shift(carts[trivial], offsets + i * dimensions, &sources[i], &targets[i]);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", "native");
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, sources, MPI_UNWEIGHTED, count, targets, MPI_UNWEIGHTED, info,
                                   0, &graph);
    MPI_Info_free(&info);
    own = malloc((size_t)ints * sizeof(int));
    sum = malloc((size_t)ints * sizeof(int));
    values = malloc((size_t)count * (size_t)ints * sizeof(int));
    for (int k = 0; k < ints; ++k)
        own[k] = rank * 100 + k;

    double* seconds[ways];
    int wrong = 0;
    int first_sum = 0;
    for (int way = 0; way < ways; ++way)
        seconds[way] = malloc((size_t)batches * sizeof(double));
    for (int batch = -2; batch < batches; ++batch) { // the first are not counted: `auto` tries
        for (int way = 0; way < ways; ++way) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double begin = MPI_Wtime();
            for (int n = 0; n < calls; ++n)
                call(way, graph, carts);
            double elapsed = (MPI_Wtime() - begin) / calls;
            MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            if (batch >= 0)
                seconds[way][batch] = elapsed;
            first_sum = way == 0 ? sum[0] : first_sum;
            wrong = wrong || sum[0] != first_sum;
        }
    }
    for (int way = 0; way < ways; ++way)
        qsort(seconds[way], (size_t)batches, sizeof(double), by_value);
    if (rank == 0) {
        const double by_auto = seconds[reduced][batches / 2];
        printf("%d processes, %d neighbors, %d ints:", size, count, ints);
        for (int way = 0; way < ways; ++way)
            printf(" %s %.2f us (%.2f)", names[way], 1e6 * seconds[way][batches / 2],
                   seconds[way][batches / 2] / by_auto);
        printf("\n");
    }
    if (wrong)
        printf("rank %d: the results differ\n", rank);
    MPI_Finalize();
    return wrong;
}
