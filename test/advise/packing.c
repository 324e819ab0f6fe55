/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   All fields for a neighbor are packed into one buffer; 8 neighbors on a 2-D mesh; receives first, sends block. */
#include "common.h"

static void pack_and_exchange(const int* peers)
{
    MPI_Request requests[9];
    for (int i = 0; i < 9; ++i) {
        MPI_Irecv(field[1][i], 8 * most_block, MPI_PACKED, i == 4 ? MPI_PROC_NULL : peers[8 - i], i, MPI_COMM_WORLD,
                  &requests[i]);
    }
    for (int i = 0; i < 9; ++i) {
        static char packed[8 * most_block];
        int position = 0;
        for (int j = 0; j < 3; ++j) {
            MPI_Pack(field[0][j], 20, MPI_DOUBLE, packed, sizeof packed, &position, MPI_COMM_WORLD);
        }
        MPI_Send(packed, position, MPI_PACKED, i == 4 ? MPI_PROC_NULL : peers[i], i, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 9; ++i) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[2] = {3, 4}, periods[2] = {0, 0};
    int peers[9];
    for (int i = 0; i < 9; ++i) {
        const int offset[2] = {i / 3 - 1, i % 3 - 1};
        peers[i] = at(2, dims, periods, offset);
    }
    for (int step = 0; step < 15; ++step) {
        pack_and_exchange(peers);
        compute();
    }
    return end_program(0);
}
