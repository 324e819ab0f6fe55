// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks go one way only, from odd processes to even ones half the world away: a sender waits for nobody, so it is many
// calls ahead of a receiver that comes late. Blocks that wait to be read, or forwarded by an even process, must not be
// overwritten.
//
//   ahead [CALLS]           calls of either function, on a number of processes that four divides
//   ahead CALLS ALLGATHERS  first as many of MPI_Neighbor_allgather, with receivers late for the last but one of them
//   ahead line              a nonblocking call and blocking ones on a line of processes; the first comes late: the
//                           second has shown two calls, and read none, at the time when the third has received
//                           everything for them
//   ahead ring              several nonblocking calls at once on a ring of processes: small blocks and large ones, in
//                           memory that each of them writes in turn. One process comes late, to the calls or, when its
//                           neighbors have all their blocks, to the end of them
#include "../../program.h"
#include "exchange.h"

#include <unistd.h>

enum { cells = 100, late_microseconds = 50000, calls_on_line = 6, flights = 40, most_calls = 4, scale = 40 };

static int value_of(int call, int from, int cell)
{
    return (call * 1000 + from) * cells + cell;
}

static int wrong_cells(const int* block, int call, int from)
{
    for (int cell = 0; cell < cells; ++cell) {
        if (block[cell] != value_of(call, from, cell)) {
            return complain(call, "ahead", 0, from, block[cell]);
        }
    }
    return 0;
}

/// One call; its wrong blocks.
static int exchange_once(MPI_Comm graph, int use_alltoallv, int call, int from, int receives)
{
    int out[cells];
    int in[cells];
    const int count = cells;
    const int at = 0;
    for (int cell = 0; cell < cells; ++cell) {
        out[cell] = value_of(call, rank, cell);
        in[cell] = -1;
    }
    if (use_alltoallv) {
        MPI_Neighbor_alltoallv(out, &count, &at, MPI_INT, in, &count, &at, MPI_INT, graph);
    } else {
        MPI_Neighbor_allgather(out, cells, MPI_INT, in, cells, MPI_INT, graph);
    }
    return receives ? wrong_cells(in, call, from) : 0;
}

static int line(void)
{
    int neighbors[2];
    int degree = 0;
    for (int neighbor = rank - 1; neighbor <= rank + 1; neighbor += 2) {
        if (neighbor >= 0 && neighbor < size) {
            neighbors[degree++] = neighbor;
        }
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbors, MPI_UNWEIGHTED, degree, neighbors, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    static int out[calls_on_line][cells];
    static int in[calls_on_line][2][cells];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        usleep(late_microseconds);
    }
    for (int call = 0; call < calls_on_line; ++call) {
        for (int cell = 0; cell < cells; ++cell) {
            out[call][cell] = value_of(call, rank, cell);
        }
        if (call == 0) {
            MPI_Ineighbor_allgather(out[call], cells, MPI_INT, in[call], cells, MPI_INT, graph, &request);
        } else {
            MPI_Neighbor_allgather(out[call], cells, MPI_INT, in[call], cells, MPI_INT, graph);
        }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int wrong = 0;
    for (int call = 0; call < calls_on_line; ++call) {
        for (int i = 0; i < degree; ++i) {
            wrong += wrong_cells(in[call][i], call, neighbors[i]);
        }
    }
    MPI_Comm_free(&graph);
    return wrong;
}

static int one_way(int calls, int changes_at)
{
    const int sends = rank % 2;
    const int step = size / 2 + 1; // odd
    const int to = (rank + step) % size;
    const int from = (rank + size - step) % size;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sends ? 0 : 1, &from, MPI_UNWEIGHTED, sends ? 1 : 0, &to,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    int wrong = 0;
    for (int function = 0; function < (changes_at > 0 ? 1 : 2); ++function) {
        MPI_Barrier(MPI_COMM_WORLD);
        const int late_at = changes_at > 0 ? changes_at - 2 : 0;
        for (int call = 0; call < calls; ++call) {
            if (!sends && call == late_at) {
                usleep(late_microseconds);
            }
            const int use_alltoallv = changes_at > 0 ? call >= changes_at : function;
            wrong += exchange_once(graph, use_alltoallv, call, from, !sends);
        }
    }
    MPI_Comm_free(&graph);
    return wrong;
}

static int cells_of(int call)
{
    return call % 3 == 0 ? cells : scale * cells;
}

/// Calls that are begun together; their wrong blocks.
static int flight(MPI_Comm graph, int number, const int neighbors[2])
{
    static int out[most_calls][2 * scale * cells];
    static int in[most_calls][2 * scale * cells];
    MPI_Request requests[most_calls];
    const int calls = 1 + number % most_calls;
    const int late = number % size == rank;
    const int at_the_end = number / size % 2;
    if (late && !at_the_end) {
        usleep(late_microseconds / 10);
    }
    for (int i = 0; i < calls; ++i) {
        const int call = number * most_calls + i;
        const int count = cells_of(call);
        for (int cell = 0; cell < 2 * count; ++cell) {
            out[i][cell] = value_of(call, rank, cell % cells);
            in[i][cell] = -1;
        }
        MPI_Ineighbor_alltoall(out[i], count, MPI_INT, in[i], count, MPI_INT, graph, &requests[i]);
    }
    if (late && at_the_end) {
        usleep(late_microseconds / 10);
    }
    MPI_Waitall(calls, requests, MPI_STATUSES_IGNORE);
    int wrong = 0;
    for (int i = 0; i < calls; ++i) {
        const int call = number * most_calls + i;
        const int count = cells_of(call);
        for (int at = 0; at < 2 * count; at += cells) {
            wrong += wrong_cells(in[i] + at, call, neighbors[at / count]);
        }
    }
    return wrong;
}

static int ring(void)
{
    int neighbors[2];
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, neighbors, &graph);
    int wrong = 0;
    for (int number = 0; number < flights; ++number) {
        wrong += flight(graph, number, neighbors);
    }
    MPI_Comm_free(&graph);
    return wrong;
}

static int wrong_blocks(int argc, char** argv)
{
    if (argc > 1 && strcmp(argv[1], "line") == 0) {
        return line();
    }
    if (argc > 1 && strcmp(argv[1], "ring") == 0) {
        return ring();
    }
    return one_way(argc > 1 ? atoi(argv[1]) : 12, argc > 2 ? atoi(argv[2]) : 0);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    return conclude("ahead", wrong_blocks(argc, argv));
}
