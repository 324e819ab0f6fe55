/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A halo of four sides on a periodic grid: MPI_Neighbor_alltoall on a Cartesian communicator.

       mpicc.mpich -O2 docs/examples/halo.c -o halo
       scripts/hopscotch run mpiexec.mpich -n 4 ./halo */
#include <mpi.h>
#include <stdio.h>

enum { cells = 100 };

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int size, rank, dims[2] = {0, 0}, neighbors[4], wrong = 0;
    const int periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    for (int k = 0; k < 2; ++k) {
        MPI_Cart_shift(grid, k, 1, &neighbors[2 * k], &neighbors[2 * k + 1]);
    }
    double out[4][cells], in[4][cells];
    for (int step = 0; step < 100; ++step) {
        for (int i = 0; i < 4 * cells; ++i) {
            out[i / cells][i % cells] = rank + step;
        }
        MPI_Neighbor_alltoall(out, cells, MPI_DOUBLE, in, cells, MPI_DOUBLE, grid);
        for (int i = 0; i < 4; ++i) {
            wrong += in[i][0] != neighbors[i] + step || in[i][cells - 1] != neighbors[i] + step;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        puts(wrong == 0 ? "right" : "wrong");
    }
    MPI_Finalize();
    return wrong != 0;
}
