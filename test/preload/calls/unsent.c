// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Some calls fail on one process: the MPI library reports its messages as failed although they are on their way. That
// process gets the error, for the right call, and all data arrives. Needs libfaulty.so.
//
//   unsent blocking|nonblocking|persistent    on nine processes, with all eight neighbors on a torus. If processes
//                                             agree on a trial, which needs an answer, the job ends
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"

#include <dlfcn.h>
#include <unistd.h>

enum { processes = 9, side = 3, neighbors = 8, cells = 5, calls = 30, failing_rank = 4 };

static int lists[neighbors];

static void make_torus(MPI_Comm* torus)
{
    static const int dims[2] = {side, side};
    static const int periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    const int at[2] = {rank / side, rank % side};
    int out[neighbors];
    for (int k = 0; k < neighbors; ++k) {
        const int offset = k < neighbors / 2 ? k : k + 1; // not the process itself
        const int there[2] = {at[0] + offset / side - 1, at[1] + offset % side - 1};
        const int here[2] = {at[0] - offset / side + 1, at[1] - offset % side + 1};
        MPI_Cart_rank(grid, there, &out[k]);
        MPI_Cart_rank(grid, here, &lists[k]);
    }
    MPI_Dist_graph_create_adjacent(grid, neighbors, lists, MPI_UNWEIGHTED, neighbors, out, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, torus);
    MPI_Comm_free(&grid);
}

static int cell(int call, int from, int block, int c)
{
    return ((call * processes + from) * neighbors + block) * cells + c;
}

static int is_right(const int* in, int call)
{
    int right = 1;
    for (int k = 0; k < neighbors * cells; ++k) {
        right = right && in[k] == cell(call, lists[k / cells], k / cells, k % cells);
    }
    return right;
}

int main(int argc, char** argv)
{
    static int out[neighbors * cells];
    static int in[neighbors * cells];
    void (*fail_call)(const char*, long);
    const char* (*failed_call)(void);
    begin_program(&argc, &argv);
    *(void**)&fail_call = dlsym(RTLD_DEFAULT, "fail_call");
    *(void**)&failed_call = dlsym(RTLD_DEFAULT, "failed_call");
    if (argc != 2 || fail_call == NULL || failed_call == NULL) {
        give_up("usage, with libfaulty.so, on nine processes: unsent blocking|nonblocking|persistent");
    }
    const int blocking = strcmp(argv[1], "blocking") == 0;
    const int persistent = strcmp(argv[1], "persistent") == 0;
    MPI_Comm torus;
    make_torus(&torus);
    for (int i = 0; i < 2; ++i) {
        MPI_Comm_set_errhandler(i == 0 ? torus : MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    MPI_Request request = MPI_REQUEST_NULL;
#ifndef NO_PERSISTENT
    if (persistent) {
        MPI_Neighbor_alltoall_init(out, cells, MPI_INT, in, cells, MPI_INT, torus, MPI_INFO_NULL, &request);
    }
#endif
    int wrong = 0;
    int failures = 0;
    for (int call = 0; call < calls; ++call) {
        for (int k = 0; k < neighbors * cells; ++k) {
            out[k] = cell(call, rank, k / cells, k % cells);
            in[k] = -1;
        }
        if (rank != failing_rank) {
            usleep(1000); // so that no data is there at that process's first look at its sends
        }
        fail_call("Testall", rank == failing_rank && call % 3 == 1);
        int code = MPI_SUCCESS;
        if (blocking) {
            code = MPI_Neighbor_alltoall(out, cells, MPI_INT, in, cells, MPI_INT, torus);
        } else if (persistent) {
            code = MPI_Start(&request);
        } else {
            code = MPI_Ineighbor_alltoall(out, cells, MPI_INT, in, cells, MPI_INT, torus, &request);
        }
        const int started = code;
        if (!blocking) {
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        const int failed = failed_call() != NULL;
        fail_call("Testall", 0);
        failures += failed;
        if ((!blocking && started != MPI_SUCCESS) || (code != MPI_SUCCESS) != failed || !is_right(in, call)) {
            printf("FAILED: rank %d, call %d: codes %d and %d, a send has %sfailed, the data is %s\n", rank, call,
                   started, code, failed ? "" : "not ", is_right(in, call) ? "right" : "wrong");
            ++wrong;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (persistent) {
        MPI_Request_free(&request);
    }
    wrong += rank == failing_rank && failures == 0;
    MPI_Comm_free(&torus);
    return conclude("unsent", wrong);
}
