/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   A periodic 3-D grid of the program's own, two processes along each dimension, with six faces: to each peer two
   messages. Blocking messages from two callers. In the style of CoMD. */
#include "common.h"

static const int dims[3] = {2, 2, 2}, periods[3] = {1, 1, 1};

static void shift_faces(void)
{
    for (int k = 0; k < 3; ++k) {
        int offset[3] = {0, 0, 0};
        offset[k] = -1;
        const int below = at(3, dims, periods, offset);
        offset[k] = 1;
        const int above = at(3, dims, periods, offset);
        MPI_Sendrecv(field[0][0], 60, MPI_DOUBLE, below, 0, field[1][0], 60, MPI_DOUBLE, above, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(field[0][1], 60, MPI_DOUBLE, above, 1, field[1][1], 60, MPI_DOUBLE, below, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

static void move_atoms(void)
{
    compute();
    shift_faces();
}

static void share_forces(void)
{
    shift_faces();
    compute();
}

static void exchange_faces(void)
{
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
    begin_program(&argc, &argv);
    for (int step = 0; step < 20; ++step) {
        exchange_faces();
        move_atoms();
        share_forces();
    }
    return end_program(0);
}
