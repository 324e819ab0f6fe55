// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A receive from anyone with any tag is pending on the graph communicator while collectives run on it. It must get the
// message the program sends, and nothing of theirs. Needs two processes or more: on one process MPICH 4.0.2 itself
// gives the collective's message to the pending receive.
#include "../../program.h"
#include "exchange.h"

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int periods[1] = {1};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &grid);
    int lists[2];
    MPI_Comm graph;
    make_ring(grid, lists, &graph);

    int wrong = 0;
    for (int round = 0; round < 3; ++round) {
        long long value = -1;
        MPI_Request pending;
        MPI_Irecv(&value, 1, MPI_LONG_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, graph, &pending);
        for (int call = 0; call < 3; ++call) {
            wrong += exchange_and_check(graph, 10 * round + call, 1 + 200 * call, 2, lists, 2, lists);
        }
        int flag;
        MPI_Status status;
        MPI_Test(&pending, &flag, &status);
        if (flag || value != -1) {
            wrong += complain(rank, "MPI_Irecv (too early)", 0, status.MPI_SOURCE, value);
        }
        const long long message = 1000 + rank;
        MPI_Send(&message, 1, MPI_LONG_LONG, rank, 7 + round, graph);
        if (!flag) {
            MPI_Wait(&pending, &status);
        }
        if (value != message || status.MPI_SOURCE != rank || status.MPI_TAG != 7 + round) {
            wrong += complain(rank, "MPI_Irecv", 0, status.MPI_SOURCE, value);
        }
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&grid);
    return conclude("wildcard", wrong);
}
