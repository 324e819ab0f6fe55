/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   MPI_Irecv and MPI_Isend with up to 26 peers, then MPI_Waitall; the grid, a mesh, is the program's own. */
#include "common.h"

static void exchange_halo(const int* peers)
{
    MPI_Request requests[54];
    int count = 0;
    for (int i = 0; i < 27; ++i) {
        if (i != 13 && peers[26 - i] != MPI_PROC_NULL) {
            MPI_Irecv(field[1][i], 40, MPI_DOUBLE, peers[26 - i], i, MPI_COMM_WORLD, &requests[count++]);
        }
    }
    for (int i = 0; i < 27; ++i) {
        if (i != 13 && peers[i] != MPI_PROC_NULL) {
            MPI_Isend(field[0][i], 40, MPI_DOUBLE, peers[i], i, MPI_COMM_WORLD, &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[3] = {3, 3, 3}, periods[3] = {0, 0, 0};
    int peers[27];
    for (int i = 0; i < 27; ++i) {
        const int offset[3] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
        peers[i] = at(3, dims, periods, offset);
    }
    for (int step = 0; step < 10; ++step) {
        exchange_halo(peers);
        compute();
    }
    return end_program(0);
}
