// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Eight nonblocking operations are outstanding. One process then stays out of MPI until its neighbors, which have all
// their blocks by then, tell it so by a file: messages that the MPI library would have sent eagerly must have left in
// the calls.
#include "../../program.h"
#include "exchange.h"

#include <unistd.h>

enum { operations = 8, rounds = 7, cells = 1024, waited_milliseconds = 100000 };

static int out[operations][2 * cells];
static int in[operations][2 * cells];

static int value_of(int round, int operation, int from)
{
    return (round * operations + operation) * 100 + from;
}

/// One operation of another kind each.
static void begin(MPI_Comm ring, int operation, MPI_Request* request)
{
    const int counts[2] = {cells, cells};
    const int places[2] = {0, cells};
    switch (operation % 3) {
    case 0:
        MPI_Ineighbor_alltoall(out[operation], cells, MPI_INT, in[operation], cells, MPI_INT, ring, request);
        break;
    case 1:
        MPI_Ineighbor_allgather(out[operation], cells, MPI_INT, in[operation], cells, MPI_INT, ring, request);
        break;
    default:
        MPI_Ineighbor_alltoallv(out[operation], counts, places, MPI_INT, in[operation], counts, places, MPI_INT, ring,
                                request);
    }
}

static void name_file(char* name, size_t bytes, const char* directory, int round, int process)
{
    snprintf(name, bytes, "%s/%d.%d", directory, round, process);
}

/// True if both neighbors have reported that they are done. No call of MPI.
static int neighbors_are_done(const char* directory, int round, const int neighbors[2])
{
    for (int waited = 0; waited < waited_milliseconds; ++waited) {
        char name[2][300];
        for (int i = 0; i < 2; ++i) {
            name_file(name[i], sizeof name[i], directory, round, neighbors[i]);
        }
        if (access(name[0], F_OK) == 0 && access(name[1], F_OK) == 0) {
            return 1;
        }
        usleep(1000);
    }
    return 0;
}

static int wrong_blocks(int round, const int neighbors[2])
{
    int wrong = 0;
    for (int operation = 0; operation < operations; ++operation) {
        for (int cell = 0; cell < 2 * cells; ++cell) {
            wrong += in[operation][cell] != value_of(round, operation, neighbors[cell / cells]);
        }
    }
    return wrong;
}

static int run_round(MPI_Comm ring, const int neighbors[2], const char* directory, int round, int absent)
{
    MPI_Request requests[operations];
    for (int operation = 0; operation < operations; ++operation) {
        for (int cell = 0; cell < 2 * cells; ++cell) {
            out[operation][cell] = value_of(round, operation, rank);
            in[operation][cell] = -1;
        }
        begin(ring, operation, &requests[operation]);
    }
    int wrong = 0;
    if (absent && !neighbors_are_done(directory, round, neighbors)) {
        printf("round %d: rank %d stays out of MPI and its neighbors wait for it\n", round, rank);
        wrong = 1;
    }
    MPI_Waitall(operations, requests, MPI_STATUSES_IGNORE);
    char name[300];
    name_file(name, sizeof name, directory, round, rank);
    fclose(fopen(name, "w"));
    MPI_Barrier(MPI_COMM_WORLD);
    unlink(name);
    return wrong + wrong_blocks(round, neighbors);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    char directory[] = "/tmp/absent_XXXXXX";
    if (rank == 0 && mkdtemp(directory) == NULL) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Bcast(directory, (int)sizeof directory, MPI_CHAR, 0, MPI_COMM_WORLD);
    int neighbors[2];
    MPI_Comm ring;
    make_ring(MPI_COMM_WORLD, neighbors, &ring);
    int wrong = 0;
    for (int round = 0; round < rounds && wrong == 0; ++round) {
        // Neighbors of an absent process must not be absent themselves.
        wrong += run_round(ring, neighbors, directory, round, rank == round % size);
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        rmdir(directory);
    }
    MPI_Comm_free(&ring);
    return conclude("absent", wrong);
}
