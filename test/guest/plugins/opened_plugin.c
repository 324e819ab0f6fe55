// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A plugin that is linked to MPI: neighborhood collectives on a ring.
#include <mpi.h>
#include <stdio.h>

void plugin_run(void);

void plugin_run(void)
{
    MPI_Init(NULL, NULL);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int periodic = 1;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    int sum = 0;
    for (int call = 0; call < 10; ++call) {
        const int mine[2] = {rank + call, rank + 10 * call};
        int theirs[2] = {-1, -1};
        MPI_Request request;
        if (call % 2 != 0) {
            MPI_Neighbor_alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, ring);
        } else {
            MPI_Ineighbor_alltoall(mine, 1, MPI_INT, theirs, 1, MPI_INT, ring, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        sum = 3 * sum % 10007 + theirs[0] + 2 * theirs[1];
    }
    printf("rank %d sum %d\n", rank, sum);
    fflush(stdout);
    MPI_Comm_free(&ring);
    MPI_Finalize();
}
