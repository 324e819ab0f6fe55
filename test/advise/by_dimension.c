/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A 3-D code in the style of many: MPI_Sendrecv both ways along each dimension in turn, on a Cartesian communicator. */
#include "common.h"

static void exchange_faces(MPI_Comm grid)
{
    for (int k = 0; k < 3; ++k) {
        int low, high;
        MPI_Cart_shift(grid, k, 1, &low, &high);
        MPI_Sendrecv(field[0][k], 100, MPI_DOUBLE, low, 2 * k, field[1][k], 100, MPI_DOUBLE, high, 2 * k, grid,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(field[0][k], 100, MPI_DOUBLE, high, 2 * k + 1, field[1][k], 100, MPI_DOUBLE, low, 2 * k + 1, grid,
                     MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[3] = {3, 2, 2}, periods[3] = {0, 0, 0};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &grid);
    for (int step = 0; step < 20; ++step) {
        exchange_faces(grid);
        compute();
    }
    MPI_Comm_free(&grid);
    return end_program(0);
}
