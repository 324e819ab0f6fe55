// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of the preload for calls that it does not accelerate: MPI_Wait, MPI_Test, MPI_Waitall and a message to
// itself, without and with a persistent neighborhood collective in the program's hands that is not active. Medians in
// ns.
//
//   mpicc.mpich -O2 scripts/benchmarks/idle_benchmark.c -o idle_benchmark
//   mpiexec.mpich -n 2 ./idle_benchmark
//   mpiexec.mpich -n 2 -genv LD_PRELOAD build/shim/libhopscotch.so -genv HOPSCOTCH_REPORT off ./idle_benchmark
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { samples = 2001, calls = 200, kinds = 5, tag = 1 };

static const char* const names[kinds] = {"Wait(null)", "Test(null)", "Waitall(4 null)", "Isend+Recv(self)", "Iprobe"};

static int compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

static void call(int kind)
{
    MPI_Request requests[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const int out = 1;
    int in;
    int flag;
    switch (kind) {
    case 0:
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        break;
    case 3:
        MPI_Isend(&out, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[0]);
        MPI_Recv(&in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        break;
    default: // polls the network
        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
}

static double median_ns(int kind)
{
    static double times[samples];
    for (int i = 0; i < samples; ++i) {
        const double begin = MPI_Wtime();
        for (int k = 0; k < calls; ++k) {
            call(kind);
        }
        times[i] = (MPI_Wtime() - begin) / calls * 1e9;
    }
    qsort(times, samples, sizeof times[0], compare);
    return times[samples / 2];
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int right = (rank + 1) % size;
    const int left = (rank + size - 1) % size;
    int out = rank;
    int in = -1;
    MPI_Comm ring;
    MPI_Request persistent;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
    for (int kind = 0; kind < kinds; ++kind) {
        const double without = median_ns(kind);
        MPI_Neighbor_alltoall_init(&out, 1, MPI_INT, &in, 1, MPI_INT, ring, MPI_INFO_NULL, &persistent);
        const double with = median_ns(kind);
        MPI_Request_free(&persistent);
        if (rank == 0) {
            printf("%-18s %8.1f ns, beside a persistent request %8.1f ns\n", names[kind], without, with);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
