/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Ends in the way that it is told: abort (rank 1 calls MPI_Abort), exit (all exit without MPI_Finalize), or once (a
   communicator that is freed and made again, intercommunicators, threads: the advice must only survive them). */
#include "common.h"
#include <string.h>

static void odd_communicators(void)
{
    for (int i = 0; i < 300; ++i) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Sendrecv(&size, 1, MPI_INT, (rank + 1) % size, 0, &field[1][0][0], 1, MPI_INT, (rank + size - 1) % size, 0,
                     comm, MPI_STATUS_IGNORE);
        MPI_Comm_free(&comm);
    }
    MPI_Comm half, other;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, (rank + 1) % 2, 1, &other);
    int remote, own;
    MPI_Comm_remote_size(other, &remote);
    MPI_Comm_rank(half, &own);
    if (own < remote && rank / 2 * 2 + 1 < size) {
        MPI_Sendrecv(&size, 1, MPI_INT, own, 0, &field[1][0][0], 1, MPI_INT, own, 0, other, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&other);
    MPI_Comm_free(&half);
}

int main(int argc, char** argv)
{
    start(&argc, &argv);
    const char* way = argc > 1 ? argv[1] : "once";
    MPI_Sendrecv(&size, 1, MPI_INT, (rank + 1) % size, 0, &field[1][0][0], 1, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(way, "abort") == 0 && rank == 1) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (strcmp(way, "exit") == 0) {
        exit(4);
    }
    odd_communicators();
    MPI_Finalize();
    return 0;
}
