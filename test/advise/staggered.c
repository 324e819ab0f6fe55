/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Three fields of a staggered grid are exchanged one after the other in flight: each is posted while the one before is
   on its way. 2-D torus, four neighbors. */
#include "common.h"

static int peers[4];

static void post_velocity(MPI_Request* requests)
{
    for (int i = 0; i < 4; ++i) {
        MPI_Irecv(field[1][i], 64, MPI_DOUBLE, peers[3 - i], i, MPI_COMM_WORLD, requests++);
        MPI_Isend(field[0][i], 64, MPI_DOUBLE, peers[i], i, MPI_COMM_WORLD, requests++);
    }
}

static void post_pressure(MPI_Request* requests)
{
    for (int i = 0; i < 4; ++i) {
        MPI_Irecv(field[1][4 + i], 32, MPI_DOUBLE, peers[3 - i], 10 + i, MPI_COMM_WORLD, requests++);
        MPI_Isend(field[0][4 + i], 32, MPI_DOUBLE, peers[i], 10 + i, MPI_COMM_WORLD, requests++);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[2] = {3, 4}, periods[2] = {1, 1}, offsets[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    for (int i = 0; i < 4; ++i) {
        peers[i] = at(2, dims, periods, offsets[i]);
    }
    for (int step = 0; step < 20; ++step) {
        MPI_Request velocity[8], pressure[8];
        post_velocity(velocity);
        post_pressure(pressure);
        compute();
        MPI_Waitall(8, velocity, MPI_STATUSES_IGNORE);
        MPI_Waitall(8, pressure, MPI_STATUSES_IGNORE);
    }
    return end_program(0);
}
