/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Persistent requests with derived types, made once: rows and columns of a field on a 2-D grid. */
#include "common.h"

static MPI_Request requests[8];

static void make_requests(const int* peers, MPI_Datatype column)
{
    for (int i = 0; i < 4; ++i) {
        MPI_Recv_init(field[1], 1, column, peers[3 - i], i, MPI_COMM_WORLD, &requests[i]);
        MPI_Send_init(field[0], 1, column, peers[i], i, MPI_COMM_WORLD, &requests[4 + i]);
    }
}

static void update(void)
{
    MPI_Startall(8, requests);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    compute();
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[2] = {4, 3}, periods[2] = {0, 1}, offsets[4][2] = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
    int peers[4];
    for (int i = 0; i < 4; ++i) {
        peers[i] = at(2, dims, periods, offsets[i]);
    }
    MPI_Datatype column;
    MPI_Type_vector(16, 2, most_block, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    make_requests(peers, column);
    MPI_Type_free(&column);
    for (int step = 0; step < 25; ++step) {
        update();
    }
    for (int i = 0; i < 8; ++i) {
        MPI_Request_free(&requests[i]);
    }
    return end_program(0);
}
