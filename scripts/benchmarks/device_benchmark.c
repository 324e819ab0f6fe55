// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of MPI_Neighbor_alltoall(v) with buffers in the memory of an NVIDIA device: 26 neighbors on a periodic
// process grid. Under Hopscotch the call gets the device's buffers ("device"). For comparison the program copies all
// blocks to the host itself, calls on host buffers and copies them back ("by hand"); that works without Hopscotch, too.
// CUDA's driver alone is needed.
//
//   mpiexec -n P device_benchmark device|hand [v]   prints ways, ints of a block, microseconds of a call (median)
#include "../../test/device/cuda_driver.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { neighbors = 26, samples = 101, calls = 10 };

static void demand(int code, const char* what)
{
    if (code != 0) {
        fprintf(stderr, "device_benchmark: %s: %d\n", what, code);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

// Makes the first device of this process the current one.
static void start_device(int rank)
{
    const int devices = find_cuda();
    demand(devices == 0, "CUDA's driver shows no device");
    demand(cuda.push_context(cuda_context(rank % devices)), "its context");
}

static MPI_Comm make_torus(void)
{
    int dims[3] = {0, 0, 0};
    const int periods[3] = {1, 1, 1};
    int size;
    int here[3];
    int rank;
    int list[neighbors];
    int back[neighbors];
    MPI_Comm grid;
    MPI_Comm graph;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 3, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 3, here);
    int t = 0;
    for (int i = 0; i < 27; ++i) {
        const int step[3] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
        const int to[3] = {here[0] + step[0], here[1] + step[1], here[2] + step[2]};
        const int from[3] = {here[0] - step[0], here[1] - step[1], here[2] - step[2]};
        if (i == 13) {
            continue;
        }
        MPI_Cart_rank(grid, to, &list[t]);
        MPI_Cart_rank(grid, from, &back[t++]);
    }
    MPI_Dist_graph_create_adjacent(grid, neighbors, back, MPI_UNWEIGHTED, neighbors, list, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&grid);
    return graph;
}

static int by_value(const void* left, const void* right)
{
    const double difference = *(const double*)left - *(const double*)right;
    return (difference > 0) - (difference < 0);
}

static void call(void* send, void* receive, int ints, int varying, MPI_Comm graph)
{
    int counts[neighbors];
    int places[neighbors];
    for (int i = 0; i < neighbors; ++i) {
        counts[i] = ints;
        places[i] = i * ints;
    }
    if (varying) {
        MPI_Neighbor_alltoallv(send, counts, places, MPI_INT, receive, counts, places, MPI_INT, graph);
    } else {
        MPI_Neighbor_alltoall(send, ints, MPI_INT, receive, ints, MPI_INT, graph);
    }
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start_device(rank);
    const int by_hand = argc > 1 && strcmp(argv[1], "hand") == 0;
    const int varying = argc > 2 && strcmp(argv[2], "v") == 0;
    MPI_Comm graph = make_torus();
    for (int ints = 1; ints <= 16384; ints *= 8) {
        const size_t bytes = (size_t)ints * neighbors * sizeof(int);
        uintptr_t out;
        uintptr_t in;
        void* host_out = malloc(bytes);
        void* host_in = malloc(bytes);
        double times[samples];
        demand(cuda.allocate(&out, bytes) | cuda.allocate(&in, bytes), "memory of the device");
        demand(cuda.pin(host_out, bytes, 0) | cuda.pin(host_in, bytes, 0), "pinned memory");
        memset(host_out, 1, bytes);
        demand(cuda.copy(out, (uintptr_t)host_out, bytes), "a copy");
        for (int sample = -5; sample < samples; ++sample) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double begin = MPI_Wtime();
            for (int i = 0; i < calls; ++i) {
                if (by_hand) {
                    demand(cuda.copy((uintptr_t)host_out, out, bytes), "a copy");
                    call(host_out, host_in, ints, varying, graph);
                    demand(cuda.copy(in, (uintptr_t)host_in, bytes), "a copy");
                } else {
                    call((void*)out, (void*)in, ints, varying, graph);
                }
            }
            double took = (MPI_Wtime() - begin) / calls;
            MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            if (sample >= 0) {
                times[sample] = took;
            }
        }
        qsort(times, samples, sizeof *times, by_value);
        if (rank == 0) {
            printf("%s,%d,%.2f\n", by_hand ? "by hand" : "device", ints, times[samples / 2] * 1e6);
        }
    }
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
