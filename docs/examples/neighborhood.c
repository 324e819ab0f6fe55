/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A neighborhood by offsets, and a sum over it: functions of Hopscotch by name. Needs no preload.

       mpicc.mpich -O2 -Iinclude docs/examples/neighborhood.c build/shim/libhopscotch.so.0 -o neighborhood
       LD_LIBRARY_PATH=build/shim mpiexec.mpich -n 9 ./neighborhood */
#include <hopscotch.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    const int dims[2] = {3, 3}, periods[2] = {1, 1};
    const int offsets[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    int size, rank, wrong = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 9) {
        fputs("neighborhood: start 9 processes\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm cross;
    Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, 4, offsets[0], MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &cross);
    MPI_Comm_rank(cross, &rank);
    const int row = rank / 3, column = rank % 3;
    const int expected = (row + 2) % 3 * 3 + column + row * 3 + (column + 2) % 3 + row * 3 + (column + 1) % 3 +
                         (row + 1) % 3 * 3 + column;
    for (int step = 0; step < 100; ++step) {
        const int own = rank + step;
        int sum = 0;
        Hop_Cart_allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, cross);
        wrong += sum != expected + 4 * step;
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(wrong == 0 ? "right" : "wrong");
    }
    MPI_Comm_free(&cross);
    MPI_Finalize();
    return wrong != 0;
}
