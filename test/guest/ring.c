// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The plainest guest: a graph communicator over a ring, one call of each blocking collective, sums on stdout.
#include "../program.h"

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int peers[2];
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, peers, &graph);
    int send[2] = {10 * rank, 10 * rank + 1};
    int receive[2] = {0, 0};
    for (int call = 0; call < 100; ++call)
        MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    printf("%d: alltoall %d\n", rank, receive[0] + receive[1]);
    MPI_Neighbor_allgather(send, 1, MPI_INT, receive, 1, MPI_INT, graph);
    printf("%d: allgather %d\n", rank, receive[0] + receive[1]);
    MPI_Comm_free(&graph);
    return end_program(0);
}
