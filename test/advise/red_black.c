/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Red-black relaxation: the halo of one color, then of the other, twice in each step, on a 3-D grid, periodic in z. */
#include "common.h"

static void exchange_color(const int* peers, int color)
{
    MPI_Request requests[12];
    for (int i = 0; i < 6; ++i) {
        MPI_Irecv(field[1][6 * color + i], 25, MPI_FLOAT, peers[5 - i], i, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Issend(field[0][6 * color + i], 25, MPI_FLOAT, peers[i], i, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    for (int done = 0; done < 12; ++done) {
        int index;
        MPI_Waitany(12, requests, &index, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[3] = {2, 2, 3}, periods[3] = {0, 0, 1};
    const int offsets[6][3] = {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
    int peers[6];
    for (int i = 0; i < 6; ++i) {
        peers[i] = at(3, dims, periods, offsets[i]);
    }
    for (int step = 0; step < 10; ++step) {
        for (int color = 0; color < 2; ++color) {
            exchange_color(peers, color);
            compute();
        }
        double sum = field[0][0][0], all = 0;
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    return end_program(0);
}
