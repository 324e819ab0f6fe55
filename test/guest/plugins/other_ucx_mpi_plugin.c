// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The part of other_ucx.c that is linked to MPI: nonblocking exchanges on a torus whose blocks are forwarded.
#include <mpi.h>
#include <stdio.h>

void mpi_begin(void);
void mpi_exchange(int calls);
void mpi_end(void);

static MPI_Comm torus = MPI_COMM_NULL;
static int rank;

enum { neighbors = 8 };

void mpi_begin(void)
{
    int level = 0;
    int size = 0;
    int dimensions[2] = {0, 0};
    const int periodic[2] = {1, 1};
    int list[neighbors];
    MPI_Comm grid = MPI_COMM_NULL;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Dims_create(size, 2, dimensions);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dimensions, periodic, 0, &grid);
    for (int cell = 0, entry = 0; cell < neighbors + 1; ++cell) {
        int place[2];
        MPI_Cart_coords(grid, rank, 2, place);
        place[0] += cell / 3 - 1;
        place[1] += cell % 3 - 1;
        if (cell != neighbors / 2) {
            MPI_Cart_rank(grid, place, &list[entry++]);
        }
    }
    MPI_Dist_graph_create_adjacent(grid, neighbors, list, MPI_UNWEIGHTED, neighbors, list, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &torus);
    MPI_Comm_free(&grid);
    printf("rank %d: level %s\n", rank, level == MPI_THREAD_FUNNELED ? "funneled" : "other");
}

/// A blocking call follows in which operations in flight must make progress.
void mpi_exchange(int calls)
{
    int sum = 0;
    for (int call = 0; call < calls; ++call) {
        const int mine = rank + call;
        int theirs[neighbors] = {0};
        int all = 0;
        MPI_Request request;
        MPI_Ineighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, torus, &request);
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum += all;
        for (int i = 0; i < neighbors; ++i) {
            sum = (31 * sum + theirs[i]) % 10007;
        }
    }
    printf("rank %d: sum %d\n", rank, sum);
}

void mpi_end(void)
{
    MPI_Comm_free(&torus);
    MPI_Finalize();
}
