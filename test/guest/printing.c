// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that prints on stdout and stderr between its calls, which go over a graph with several edges, and at exit.
#include "../program.h"

enum { edges = 4, most_ints = 64 };

static void farewell(void)
{
    fprintf(stderr, "farewell\n");
}

int main(int argc, char** argv)
{
    int out[edges * most_ints];
    int in[edges * most_ints];
    MPI_Comm graph;
    MPI_Request requests[2];
    atexit(farewell);
    begin_program(&argc, &argv);
    const int before = (rank + size - 1) % size;
    const int behind = (rank + 1) % size;
    const int list[edges] = {before, behind, before, behind};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, edges, list, MPI_UNWEIGHTED, edges, list, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    for (int ints = 1; ints <= most_ints; ints *= 4) {
        for (int i = 0; i < edges * most_ints; ++i) {
            out[i] = 1000 * rank + i;
            in[i] = -1;
        }
        if (argc > 1 && strcmp(argv[1], "nonblocking") == 0) {
            int* const half = in + edges * ints / 2;
            MPI_Ineighbor_allgather(out, ints / 2, MPI_INT, in, ints / 2, MPI_INT, graph, &requests[0]);
            MPI_Ineighbor_alltoall(out, ints / 2, MPI_INT, half, ints / 2, MPI_INT, graph, &requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        } else {
            MPI_Neighbor_alltoall(out, ints, MPI_INT, in, ints, MPI_INT, graph);
        }
        long long sum = 0;
        for (int i = 0; i < edges * ints; ++i) {
            sum += (long long)(i + 1) * in[i];
        }
        printf("rank %d, %d ints: %lld\n", rank, ints, sum);
        fprintf(stderr, "rank %d went on to %d\n", rank, 4 * ints);
    }
    MPI_Comm_free(&graph);
    return end_program(0);
}
