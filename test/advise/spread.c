/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Exchanges spread over functions: one posts the receives, one sends, one waits. Two exchanges share them, one with 26
   neighbors and one with the faces alone, on a mesh. In the style of LULESH. */
#include "common.h"

enum { most_neighbors = 26 };

static int neighbors, peers[most_neighbors], face[most_neighbors];
static MPI_Request arriving[most_neighbors], leaving[most_neighbors];

static void post_receives(int faces_only, int values)
{
    for (int i = 0; i < neighbors; ++i) {
        arriving[i] = MPI_REQUEST_NULL;
        if (face[i] || !faces_only) {
            MPI_Irecv(field[1][i], values, MPI_DOUBLE, peers[i], 7, MPI_COMM_WORLD, &arriving[i]);
        }
    }
}

static void send_blocks(int faces_only, int values)
{
    for (int i = 0; i < neighbors; ++i) {
        leaving[i] = MPI_REQUEST_NULL;
        if (face[i] || !faces_only) {
            MPI_Isend(field[0][i], values, MPI_DOUBLE, peers[i], 7, MPI_COMM_WORLD, &leaving[i]);
        }
    }
    MPI_Waitall(neighbors, leaving, MPI_STATUSES_IGNORE);
}

static void take_blocks(void)
{
    for (int i = 0; i < neighbors; ++i) {
        MPI_Wait(&arriving[i], MPI_STATUS_IGNORE);
    }
}

static void sum_forces(void)
{
    post_receives(0, 48);
    compute();
    send_blocks(0, 48);
    take_blocks();
}

static void share_gradients(void)
{
    post_receives(1, 16);
    send_blocks(1, 16);
    compute();
    take_blocks();
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[3] = {3, 3, 3}, periods[3] = {0, 0, 0};
    for (int i = 0; i < 27; ++i) {
        const int offset[3] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
        const int peer = i == 13 ? MPI_PROC_NULL : at(3, dims, periods, offset);
        if (peer != MPI_PROC_NULL) {
            face[neighbors] = abs(offset[0]) + abs(offset[1]) + abs(offset[2]) == 1;
            peers[neighbors++] = peer;
        }
    }
    for (int step = 0; step < 15; ++step) {
        sum_forces();
        share_gradients();
    }
    return end_program(0);
}
