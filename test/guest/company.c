// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Jobs in which some processes do not have the library.
//
//   company graph         neighborhood collectives on a ring of all processes, and on a duplicate of it
//   company nonblocking   nonblocking collectives of MPI_COMM_WORLD, and communicators made from it
//   company wildcard      receives and probes that take any message of MPI_COMM_WORLD
//   company halves        a ring in each half of the processes, and sums over all
//   company [all]         all of that
#include "../program.h"

#include <unistd.h>

static MPI_Comm ring_of(MPI_Comm parent)
{
    int neighbors[2];
    MPI_Comm ring = MPI_COMM_NULL;
    make_ring(parent, neighbors, &ring);
    return ring;
}

static int sum_on(MPI_Comm ring)
{
    int sum = 0;
    for (int call = 0; call < 20; ++call) {
        const int mine[2] = {100 * rank + call, 100 * rank + call + 50};
        int theirs[2] = {-1, -1};
        MPI_Neighbor_alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, ring);
        int all[2] = {-1, -1};
        MPI_Neighbor_allgather(&mine[1], 1, MPI_INT, all, 1, MPI_INT, ring);
        sum = 3 * sum % 10007 + theirs[0] + 2 * theirs[1] + 3 * all[0] + 4 * all[1];
    }
    return sum;
}

static void graph(void)
{
    MPI_Comm ring = ring_of(MPI_COMM_WORLD);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(ring, &copy);
    printf("rank %d ring %d\n", rank, sum_on(ring));
    MPI_Comm_free(&ring);
    printf("rank %d copy %d\n", rank, sum_on(copy));
    MPI_Comm_free(&copy);
}

static void nonblocking(void)
{
    int sum = 0;
    int root = rank == 0 ? 17 : -1;
    MPI_Request requests[3];
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(&root, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    int most = 0;
    MPI_Allreduce(&rank, &most, 1, MPI_INT, MPI_MAX, copy);
    MPI_Comm_free(&copy);
    printf("rank %d sum %d root %d most %d\n", rank, sum, root, most);
}

static void wildcard(void)
{
    int received = 0;
    int total = 0;
    MPI_Request request;
    const int mine = rank + 1;
    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, rank, MPI_COMM_WORLD, &request);
    for (int look = 0; look < 50; ++look) {
        int found = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &status);
        if (found != 0) {
            int theirs = 0;
            MPI_Recv(&theirs, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            ++received;
            total += theirs;
        }
        usleep(2000);
    }
    if (received == 0) {
        MPI_Recv(&total, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        ++received;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d received %d total %d\n", rank, received, total);
}

static void halves(void)
{
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 2 * rank < size, rank, &half);
    MPI_Comm ring = ring_of(half);
    const int own = sum_on(ring);
    int all = 0;
    MPI_Reduce(&own, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    printf("rank %d ring %d all %d\n", rank, own, all);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&half);
}

int main(int argc, char** argv)
{
    const char* const mode = argc > 1 ? argv[1] : "all";
    const int all = strcmp(mode, "all") == 0;
    begin_program(&argc, &argv);
    if (all || strcmp(mode, "graph") == 0)
        graph();
    if (all || strcmp(mode, "nonblocking") == 0)
        nonblocking();
    if (all || strcmp(mode, "wildcard") == 0)
        wildcard();
    if (all || strcmp(mode, "halves") == 0)
        halves();
    return end_program(0);
}
