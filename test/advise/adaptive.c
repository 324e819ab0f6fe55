/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Adaptive refinement: every few steps the blocks move, and the peers are others. */
#include "common.h"

static void exchange_blocks(const int* distances)
{
    MPI_Request requests[8];
    for (int i = 0; i < 4; ++i) {
        const int peer = (rank + (i % 2 == 0 ? distances[i / 2] : size - distances[i / 2])) % size;
        MPI_Irecv(field[1][i], 80, MPI_DOUBLE, peer, i ^ 1, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Isend(field[0][i], 80, MPI_DOUBLE, peer, i, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    for (int step = 0; step < 40; ++step) {
        const int level = step / 8;
        const int distances[2] = {1 + level % 2, 2 + level % 3};
        exchange_blocks(distances);
        compute();
    }
    return end_program(0);
}
