/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A periodic 3-D grid of the program's own, two processes along each dimension, with six faces: to each peer two
   messages. In the style of CoMD. */
#include "common.h"

static void exchange_faces(void)
{
    const int dims[3] = {2, 2, 2}, periods[3] = {1, 1, 1};
    MPI_Request requests[12];
    for (int i = 0; i < 6; ++i) {
        int offset[3] = {0, 0, 0};
        offset[i / 2] = i % 2 != 0 ? 1 : -1;
        const int peer = at(3, dims, periods, offset);
        MPI_Irecv(field[1][i], 60, MPI_DOUBLE, peer, i ^ 1, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Isend(field[0][i], 60, MPI_DOUBLE, peer, i, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv)
{
    start(&argc, &argv);
    for (int step = 0; step < 20; ++step) {
        exchange_faces();
        compute();
    }
    MPI_Finalize();
    return 0;
}
