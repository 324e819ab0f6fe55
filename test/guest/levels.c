// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that controls profilers by MPI_Pcontrol, with levels of all kinds, and prints the returned values.
#include <mpi.h>
#include <stdio.h>

static void exchange(MPI_Comm ring, int rank, int level)
{
    const int out[2] = {rank, rank + level};
    int in[2] = {-1, -1};
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    printf("rank %d, level %d: %d, received %d\n", rank, level, MPI_Pcontrol(level, "region", 7, 2.5), in[0] + in[1]);
}

int main(int argc, char** argv)
{
    int rank;
    int size;
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int list[2] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Pcontrol(0);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, list, MPI_UNWEIGHTED, 2, list, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &ring);
    const int levels[] = {1, 2, 0, -1, 99, 2147483647, 1};
    for (unsigned i = 0; i < sizeof levels / sizeof *levels; ++i) {
        exchange(ring, rank, levels[i]);
    }
    MPI_Pcontrol(argc > 1 ? 0 : 1);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
