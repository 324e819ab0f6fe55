/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   No halo: blocks go around a ring, each process works on what came from the one before. */
#include "common.h"

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    for (int block = 0; block < 30; ++block) {
        if (rank > 0) {
            MPI_Recv(field[1][0], 100, MPI_DOUBLE, rank - 1, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        compute();
        MPI_Send(field[0][0], 100, MPI_DOUBLE, (rank + 1) % size, block, MPI_COMM_WORLD);
        if (rank == 0) {
            MPI_Recv(field[1][0], 100, MPI_DOUBLE, size - 1, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return end_program(0);
}
