// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallv of a random walk, see sparse_calls.h.
#include "sparse_calls.h"

#include "walked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_processes = 16, cells = 3, settled = 4, burst = 6 };

static MPI_Comm comm = MPI_COMM_NULL;
static int right_calls; // on the communicator
static int handled;

static void handle(MPI_Comm* failed, int* code, ...)
{
    ++handled;
}

static void make(void)
{
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    right_calls = 0;
}

void end_sparse_calls(void)
{
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_free(&comm);
    }
}

static int exchange(enum Form form, const int* out, const int* sends, int* in, const int* receives, const int* places)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code = MPI_SUCCESS;
    if (form == form_blocking) {
        return MPI_Alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, comm);
    }
    if (form == form_nonblocking) {
        code = MPI_Ialltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, comm, &request);
#ifndef NO_PERSISTENT
    } else {
        code = MPI_Alltoallv_init(out, sends, places, MPI_INT, in, receives, places, MPI_INT, comm, MPI_INFO_NULL,
                                  &request);
        code = code == MPI_SUCCESS ? MPI_Start(&request) : code;
#endif
    }
    code = code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    if (request != MPI_REQUEST_NULL) {
        MPI_Request_free(&request);
    }
    return code;
}

static void complain(const char* what, int number)
{
    printf("FAILED: %s, rank %d: MPI_Alltoallv, %s: %d\n", walk.run.again, walk.run.rank, what, number);
    fflush(stdout);
    ++walk.run.faults;
}

// Blocks for the next process and at times for the one after it; the blocks of one process may be too long.
static void call_once(void)
{
    int out[most_processes * cells];
    int in[most_processes * cells];
    int sends[most_processes] = {0};
    int receives[most_processes] = {0};
    int places[most_processes];
    int size;
    const int renew = draw(20) == 0;
    const enum Form form = (enum Form)draw(forms);
    const int count = 1 + draw(cells - 1);
    const int steps = 1 + (draw(3) == 0);
    const int fails = draw(5) == 0;
    const int bad = draw(most_processes);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (getenv("HOPSCOTCH_ALLTOALLV") == NULL || size > most_processes || size < 5) {
        return;
    }
    if (renew) {
        end_sparse_calls();
    }
    if (comm == MPI_COMM_NULL) {
        make();
    }
    const int rank = walk.run.rank;
    const int deviates = fails && right_calls >= settled;
    int concerned = 0;
    for (int step = 1; step <= steps; ++step) {
        const int from = (rank + size - step) % size;
        sends[(rank + step) % size] = count + (deviates && step == steps && rank == bad % size);
        receives[from] = count;
        concerned = concerned || (deviates && step == steps && from == bad % size);
    }
    for (int i = 0; i < size; ++i) {
        places[i] = i * cells;
        for (int c = 0; c < cells; ++c) {
            out[i * cells + c] = rank * 1000 + i * 10 + c + walk.steps * 100000;
            in[i * cells + c] = -1;
        }
    }
    begin_call(&walk.run, "MPI_Alltoallv");
    handled = 0;
    const int code = exchange(form, out, sends, in, receives, places);
    account_sparse(form, code != MPI_SUCCESS);
    int class;
    MPI_Error_class(code, &class);
    if (class != (concerned ? MPI_ERR_TRUNCATE : MPI_SUCCESS) || handled != concerned) {
        complain("error class", class);
    }
    for (int i = 0; i < size && code == MPI_SUCCESS; ++i) {
        for (int c = 0; c < cells; ++c) {
            const int wanted = c < receives[i] ? i * 1000 + rank * 10 + c + walk.steps * 100000 : -1;
            if (in[i * cells + c] != wanted) {
                complain("wrong cell of process", i);
            }
        }
    }
    right_calls += !deviates;
}

void call_sparsely(void)
{
    for (int i = 0; i < burst; ++i) {
        call_once();
    }
}
