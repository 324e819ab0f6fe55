/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Ends in the way that it is told: abort (rank 1 calls MPI_Abort), exit (all exit without MPI_Finalize), or once (a
   communicator that is freed and made again, intercommunicators: the advice must only survive them), or many (more
   windows, communicators, messages and places than there is room for). */
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

#define FOUR(call) call call call call
#define SEND_TO_SELF MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &received, 1, MPI_INT, 0, 0, comms[i], MPI_STATUS_IGNORE);
#define LOOK MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &found, MPI_STATUS_IGNORE);

enum { many = 300, many_windows = 70 };

static void open_windows(void)
{
    MPI_Win windows[many_windows];
    for (int i = 0; i < many_windows; ++i) {
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &windows[i]);
    }
    for (int i = 0; i < many_windows; ++i) {
        MPI_Win_free(&windows[i]);
    }
}

/* 16 places on each of 300 communicators, in both directions; then 1024 places. */
static void fill_tables(void)
{
    MPI_Comm comms[many];
    int received, found;
    for (int i = 0; i < many; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    }
    for (int i = 0; i < many; ++i) {
        FOUR(FOUR(SEND_TO_SELF))
    }
    for (int i = 0; i < many; ++i) {
        MPI_Comm_free(&comms[i]);
    }
    FOUR(FOUR(FOUR(FOUR(FOUR(LOOK)))))
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* way = argc > 1 ? argv[1] : "once";
    MPI_Sendrecv(&size, 1, MPI_INT, (rank + 1) % size, 0, &field[1][0][0], 1, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(way, "abort") == 0 && rank == 1) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    if (strcmp(way, "exit") == 0) {
        exit(4);
    }
    if (strcmp(way, "many") == 0) {
        open_windows();
        fill_tables();
    } else {
        odd_communicators();
    }
    return end_program(0);
}
