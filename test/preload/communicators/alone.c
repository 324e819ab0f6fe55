// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps graphs until MPI_Finalize. There Hopscotch measures exchanges on graphs that had nonblocking calls.
//
//   alone orders MILLISECONDS    graphs from one place and from two, freed in different orders on different processes
//   alone half MILLISECONDS      one half of the processes has a graph, the other half another, all have a third one
//   alone failed MILLISECONDS    a call has failed, and errors return
//
// The program sleeps for so many milliseconds: the measurement may take one per cent of the run.
#include "../../program.h"
#include "exchange.h"

#include <time.h>

// A few nonblocking and persistent calls on a ring; blocks of one number, or of more.
static int use(MPI_Comm ring, const int lists[2], int more)
{
    int wrong = 0;
    int own;
    MPI_Comm_rank(ring, &own);
    int out[8];
    int in[8];
    const int counts[2] = {more, more};
    const int begins[2] = {0, more};
    for (int call = 0; call < 20; ++call) {
        for (int i = 0; i < 2 * more; ++i) {
            out[i] = own;
            in[i] = -1;
        }
        MPI_Request request;
        MPI_Ineighbor_alltoallv(out, counts, begins, MPI_INT, in, counts, begins, MPI_INT, ring, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += in[0] != lists[0] || in[2 * more - 1] != lists[1];
    }
#ifndef NO_PERSISTENT
    MPI_Request request;
    MPI_Neighbor_allgather_init(out, more, MPI_INT, in, more, MPI_INT, ring, MPI_INFO_NULL, &request);
    for (int start = 0; start < 20; ++start) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += in[0] != lists[0] || in[2 * more - 1] != lists[1];
    }
    MPI_Request_free(&request);
#endif
    return wrong;
}

static int orders(void)
{
    enum { graphs = 5 };
    MPI_Comm made[graphs];
    int lists[2];
    int wrong = 0;
    for (int i = 0; i + 1 < graphs; ++i) {
        make_ring(MPI_COMM_WORLD, lists, &made[i]);
        wrong += use(made[i], lists, 1 + i % 2);
    }
    make_ring(MPI_COMM_WORLD, lists, &made[graphs - 1]);
    wrong += use(made[graphs - 1], lists, 4);
    for (int i = 0; i < graphs; ++i) {
        MPI_Comm_free(&made[rank % 2 == 0 ? i : graphs - 1 - i]);
    }
    return wrong;
}

static int half(void)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, 2 * rank < size, rank, &part);
    MPI_Comm ring;
    MPI_Comm of_all;
    int lists[2];
    make_ring(part, lists, &ring);
    int wrong = use(ring, lists, 2 * rank < size ? 1 : 3);
    if (2 * rank < size) { // the others end with it
        MPI_Comm_free(&ring);
    }
    make_ring(MPI_COMM_WORLD, lists, &of_all);
    wrong += use(of_all, lists, 2);
    MPI_Comm_free(&part);
    return wrong;
}

static int failed(void)
{
    MPI_Comm ring;
    int lists[2];
    make_ring(MPI_COMM_WORLD, lists, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    int wrong = use(ring, lists, 1);
    MPI_Request request;
    start_mismatch(ring, &request);
    wrong += (MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS) != (lists[0] == 0 || lists[1] == 0);
    MPI_Comm_free(&ring);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* mode = argc > 2 ? argv[1] : "";
    int wrong = 1;
    if (strcmp(mode, "orders") == 0) {
        wrong = orders();
    } else if (strcmp(mode, "half") == 0) {
        wrong = half();
    } else if (strcmp(mode, "failed") == 0) {
        wrong = failed();
    } else {
        fputs("usage: alone orders | half | failed MILLISECONDS\n", stderr);
    }
    const int milliseconds = argc > 2 ? atoi(argv[2]) : 0;
    const struct timespec rest = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    nanosleep(&rest, NULL);
    return conclude("alone", wrong);
}
