// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One of several operations in flight fails, since its sender's count is larger than its receiver's. Each way to
// complete requests names that one, with its error code, and completes the others, on the receiving process alone.
//
//   failing    on two processes or more; for runs under the shim
#include "../../program.h"
#include "exchange.h"

enum { failing, correct, receive, send, requests };
enum Style { wait, test, waitall, testall, waitany, testany, waitsome, testsome, styles };
static const char* const names[styles] = {"MPI_Wait",    "MPI_Test",    "MPI_Waitall",  "MPI_Testall",
                                          "MPI_Waitany", "MPI_Testany", "MPI_Waitsome", "MPI_Testsome"};

static int faults;
static enum Style style;
static int persistent;

static void expect(const char* what, int seen, int wanted)
{
    if (seen != wanted) {
        printf("FAILED: rank %d, %s%s, %s: %d, not %d\n", rank, names[style], persistent ? " (persistent)" : "", what,
               seen, wanted);
        ++faults;
    }
}

static int class_of(int code)
{
    int class = code;
    MPI_Error_class(code, &class);
    return class;
}

// The expected result of request `index` on this process.
static int wanted(int index)
{
    return index == failing && rank == 1 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

static void one_by_one(MPI_Request* request)
{
    for (int i = requests - 1; i >= 0; --i) {
        int flag = 0;
        int code = MPI_SUCCESS;
        while (style == test && !flag && code == MPI_SUCCESS) {
            code = MPI_Test(&request[i], &flag, MPI_STATUS_IGNORE);
        }
        if (style == wait) {
            code = MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        }
        expect("code", class_of(code), wanted(i));
    }
}

static void all_at_once(MPI_Request* request)
{
    MPI_Status statuses[requests];
    int flag = 0;
    int code = MPI_SUCCESS;
    while (style == testall && !flag && code == MPI_SUCCESS) {
        code = MPI_Testall(requests, request, &flag, statuses);
    }
    if (style == waitall) {
        code = MPI_Waitall(requests, request, statuses);
    }
    expect("code", class_of(code), rank == 1 ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
    for (int i = 0; i < requests && class_of(code) == MPI_ERR_IN_STATUS; ++i) {
        // If the failed one was seen first, others may be pending still.
        if (statuses[i].MPI_ERROR == MPI_ERR_PENDING) {
            expect("pending one", i == failing, 0);
            MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        } else {
            expect("code in a status", class_of(statuses[i].MPI_ERROR), wanted(i));
        }
    }
}

static void one_of_many(MPI_Request* request)
{
    for (int k = 0; k < requests; ++k) {
        int index = MPI_UNDEFINED;
        int flag = 0;
        int code = MPI_SUCCESS;
        while (style == testany && !flag && code == MPI_SUCCESS) {
            code = MPI_Testany(requests, request, &index, &flag, MPI_STATUS_IGNORE);
        }
        if (style == waitany) {
            code = MPI_Waitany(requests, request, &index, MPI_STATUS_IGNORE);
        }
        expect("code", class_of(code), index == MPI_UNDEFINED ? -1 : wanted(index));
    }
}

static void some_of_many(MPI_Request* request)
{
    for (int done = 0; done < requests;) {
        MPI_Status statuses[requests];
        int indices[requests];
        int count = 0;
        const int code = style == waitsome ? MPI_Waitsome(requests, request, &count, indices, statuses)
                                           : MPI_Testsome(requests, request, &count, indices, statuses);
        int failed = 0;
        for (int k = 0; k < count; ++k) {
            failed = failed || wanted(indices[k]) != MPI_SUCCESS;
        }
        expect("code", class_of(code), failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
        for (int k = 0; k < count && failed; ++k) {
            expect("code in a status", class_of(statuses[k].MPI_ERROR), wanted(indices[k]));
        }
        if (count == MPI_UNDEFINED) {
            expect("requests complete", done, requests);
            return;
        }
        done += count;
    }
}

static void start(MPI_Comm ring, MPI_Request* request)
{
    static int out[4] = {1, 2, 3, 4};
    static int in[4];
    static int gathered[2];
    static int from_self;
    const int out_counts[2] = {1, rank == 0 ? 2 : 1}; // to the left and to the right
    const int in_counts[2] = {1, 1};
    const int places[2] = {0, 2};
#ifndef NO_PERSISTENT
    if (persistent) {
        MPI_Neighbor_alltoallv_init(out, out_counts, places, MPI_INT, in, in_counts, places, MPI_INT, ring,
                                    MPI_INFO_NULL, &request[failing]);
        MPI_Neighbor_allgather_init(out, 1, MPI_INT, gathered, 1, MPI_INT, ring, MPI_INFO_NULL, &request[correct]);
        MPI_Recv_init(&from_self, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request[receive]);
        MPI_Send_init(&rank, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request[send]);
        MPI_Startall(requests, request);
        return;
    }
#endif
    MPI_Ineighbor_alltoallv(out, out_counts, places, MPI_INT, in, in_counts, places, MPI_INT, ring, &request[failing]);
    MPI_Ineighbor_allgather(out, 1, MPI_INT, gathered, 1, MPI_INT, ring, &request[correct]);
    MPI_Irecv(&from_self, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request[receive]);
    MPI_Isend(&rank, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request[send]);
}

static void run(MPI_Comm ring)
{
    MPI_Request request[requests];
    start(ring, request);
    switch (style) {
    case wait:
    case test:
        one_by_one(request);
        break;
    case waitall:
    case testall:
        all_at_once(request);
        break;
    case waitany:
    case testany:
        one_of_many(request);
        break;
    default:
        some_of_many(request);
    }
    for (int i = 0; i < requests; ++i) {
        expect("handle freed", request[i] == MPI_REQUEST_NULL, !persistent);
        if (request[i] != MPI_REQUEST_NULL) {
            MPI_Request_free(&request[i]);
        }
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int neighbors[2];
    MPI_Comm ring;
    make_ring(MPI_COMM_WORLD, neighbors, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
#ifdef NO_PERSISTENT
    const int kinds = 1;
#else
    const int kinds = 2;
#endif
    for (persistent = 0; persistent < kinds; ++persistent) {
        for (style = 0; style < styles; ++style) {
            run(ring);
        }
    }
    MPI_Comm_free(&ring);
    return conclude("failing", faults);
}
