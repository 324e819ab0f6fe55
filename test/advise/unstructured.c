/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   An unstructured mesh: the neighbors of a process are those that a random graph says, the same in all steps. */
#include "common.h"

static unsigned seed = 77;

/* Whether two processes are neighbors: a chance of one in three, the same on both. */
static int are_neighbors(int one, int other)
{
    const unsigned low = (unsigned)(one < other ? one : other), high = (unsigned)(one < other ? other : one);
    unsigned hash = (low * 7919u + high * 104729u + seed) * 2654435761u;
    hash ^= hash >> 15;
    hash *= 2246822519u;
    return (hash >> 16) % 3 == 0;
}

static void exchange_ghosts(void)
{
    MPI_Request requests[64];
    int count = 0;
    for (int other = 0; other < size; ++other) {
        if (other != rank && are_neighbors(rank, other)) {
            MPI_Irecv(field[1][other], most_block, MPI_DOUBLE, other, 0, MPI_COMM_WORLD, &requests[count++]);
            MPI_Isend(field[0][other], 10 + (rank + other) % 7, MPI_DOUBLE, other, 0, MPI_COMM_WORLD,
                      &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    seed = argc > 1 ? (unsigned)atoi(argv[1]) : seed;
    for (int step = 0; step < 20; ++step) {
        exchange_ghosts();
        compute();
    }
    return end_program(0);
}
