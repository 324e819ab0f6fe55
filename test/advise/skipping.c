/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A halo of eight neighbors whose corners most calls leave out. 2-D torus. In the style of NEMO. */
#include "common.h"

static void link_borders(const int dims[2], int corners)
{
    const int periods[2] = {1, 1};
    MPI_Request requests[16];
    int count = 0;
    for (int i = 0; i < 9; ++i) {
        const int offset[2] = {i / 3 - 1, i % 3 - 1};
        const int peer = at(2, dims, periods, offset);
        if (i != 4 && (corners || offset[0] == 0 || offset[1] == 0)) {
            MPI_Irecv(field[1][i], 40, MPI_DOUBLE, peer, 8 - i, MPI_COMM_WORLD, &requests[count++]);
            MPI_Isend(field[0][i], 40, MPI_DOUBLE, peer, i, MPI_COMM_WORLD, &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[2] = {3, 4};
    for (int step = 0; step < 30; ++step) {
        link_borders(dims, step % 3 == 0);
        compute();
    }
    return end_program(0);
}
