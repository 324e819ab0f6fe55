// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 makes one wrong call under MPI_ERRORS_ARE_FATAL, which ends the job at once; rank 1 computes meanwhile.
//
//   fatal WHICH    on two processes
#include "../program.h"

#include <unistd.h>

enum { patience = 8 }; // seconds that the job would last if only one process ended

static int is(const char* which, const char* one)
{
    return strcmp(which, one) == 0;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* const which = argc > 1 ? argv[1] : "";
    const int other = 1 - rank;
    const int dims[] = {2};
    const int periods[] = {1};
    MPI_Comm cart = MPI_COMM_NULL;
    MPI_Comm graph = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    int out[4] = {1, 2, 3, 4};
    int in[4];
    const int at = 0;
    const int one = 1;
    const int four = 4;
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
    MPI_Request request = MPI_REQUEST_NULL;
    // Sizes that disagree: the receiver of a message that is too long gets the error.
    if (is(which, "sizes"))
        MPI_Neighbor_alltoallv(out, rank == 0 ? &one : &four, &at, MPI_INT, in, &one, &at, MPI_INT, graph);
    if (is(which, "sizes_wait")) {
        MPI_Ineighbor_alltoallv(out, rank == 0 ? &one : &four, &at, MPI_INT, in, &one, &at, MPI_INT, graph, &request);
        if (rank == 0)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank != 0)
        sleep(patience);
    MPI_Comm freed = cart;
    if (is(which, "blocking"))
        MPI_Neighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, graph);
    if (is(which, "cartesian"))
        MPI_Neighbor_allgather(out, -1, MPI_INT, in, 1, MPI_INT, cart);
    if (is(which, "allgather"))
        MPI_Allgather(out, -1, MPI_INT, in, 1, MPI_INT, cart);
    if (is(which, "nonblocking"))
        MPI_Ineighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, graph, &request);
#ifndef NO_PERSISTENT
    if (is(which, "persistent"))
        MPI_Neighbor_alltoall_init(out, -1, MPI_INT, in, 1, MPI_INT, graph, MPI_INFO_NULL, &request);
#endif
    if (is(which, "type"))
        MPI_Neighbor_alltoall(out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, graph);
    if (is(which, "uncommitted")) {
        MPI_Datatype pair = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(2, MPI_INT, &pair);
        MPI_Neighbor_alltoall(out, 1, pair, in, 1, MPI_INT, graph);
    }
    if (is(which, "null"))
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_NULL);
    if (is(which, "freed")) {
        MPI_Comm_free(&cart);
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, freed);
    }
    printf("rank %d lives\n", rank);
    fflush(stdout);
    sleep(patience);
    MPI_Abort(MPI_COMM_WORLD, 99);
}
