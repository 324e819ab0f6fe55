// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The plainest guest: a graph communicator over a ring, one call of each blocking collective, sums on stdout.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int peers[2] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, peers, MPI_UNWEIGHTED, 2, peers, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    int send[2] = {10 * rank, 10 * rank + 1};
    int receive[2] = {0, 0};
    for (int call = 0; call < 100; ++call)
        MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    printf("%d: alltoall %d\n", rank, receive[0] + receive[1]);
    MPI_Neighbor_allgather(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    printf("%d: allgather %d\n", rank, receive[0] + receive[1]);
    MPI_Comm_free(&graph);
    MPI_Finalize();
    return 0;
}
