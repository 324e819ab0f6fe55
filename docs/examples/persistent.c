/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   The same exchange again and again: a persistent MPI_Neighbor_allgather (MPI 4.0), made once and started in each step.

       mpicc.mpich -O2 docs/examples/persistent.c -o persistent
       scripts/hopscotch run mpiexec.mpich -n 4 ./persistent */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int size, rank, wrong = 0, out = 0, in[2];
    const int periods[1] = {1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm ring;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &ring);
    MPI_Comm_rank(ring, &rank);
    MPI_Request request;
    MPI_Neighbor_allgather_init(&out, 1, MPI_INT, in, 1, MPI_INT, ring, MPI_INFO_NULL, &request);
    for (int step = 0; step < 100; ++step) {
        out = 1000 * rank + step;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += in[0] != 1000 * ((rank + size - 1) % size) + step || in[1] != 1000 * ((rank + 1) % size) + step;
    }
    MPI_Request_free(&request);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(wrong == 0 ? "right" : "wrong");
    }
    MPI_Finalize();
    return wrong != 0;
}
