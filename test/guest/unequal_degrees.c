// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Neighbor_alltoallw, in the form of the argument, on a graph with more sources than destinations on some processes
// and fewer on others: prints if every block has arrived.
#include "../program.h"

enum { most = 16, calls = 4 };

static void call(const char* form, const int* send, int* receive, const int* counts, const MPI_Aint* at,
                 const MPI_Datatype* types, MPI_Comm graph)
{
    MPI_Request request;
    if (strcmp(form, "nonblocking") == 0) {
        MPI_Ineighbor_alltoallw(send, counts, at, types, receive, counts, at, types, graph, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef NO_PERSISTENT
    } else if (strcmp(form, "persistent") == 0) {
        MPI_Neighbor_alltoallw_init(send, counts, at, types, receive, counts, at, types, graph, MPI_INFO_NULL,
                                    &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
#endif
    } else {
        MPI_Neighbor_alltoallw(send, counts, at, types, receive, counts, at, types, graph);
    }
}

// Processes 0, 1 and 4 send to all others, the rest to one of them: no process grid explains it.
static int is_edge(int from, int to)
{
    return from != to && (from < 2 || from == 4 || to == from / 3);
}

static int degrees(int* sources, int* destinations, int* out)
{
    int in = 0;
    *out = 0;
    for (int other = 0; other < size; ++other) {
        if (is_edge(rank, other))
            destinations[(*out)++] = other;
        if (is_edge(other, rank))
            sources[in++] = other;
    }
    return in;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* form = argc > 1 ? argv[1] : "blocking";
    int sources[most], destinations[most], out;
    const int in = degrees(sources, destinations, &out);
    int wrong = 0;
    for (int graphs = 0; graphs < 12; ++graphs) { // the last ones after some that went away unused
        MPI_Comm graph;
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, MPI_UNWEIGHTED, out, destinations, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &graph);
        int send[most], receive[most], counts[most];
        MPI_Aint at[most];
        MPI_Datatype types[most];
        for (int i = 0; i < most; ++i) {
            send[i] = 100 * rank + (i < out ? destinations[i] : 0);
            receive[i] = -1;
            counts[i] = 1;
            at[i] = i * (MPI_Aint)sizeof(int);
            types[i] = MPI_INT;
        }
        for (int i = 0; graphs >= 10 && i < calls; ++i)
            call(form, send, receive, counts, at, types, graph);
        for (int i = 0; graphs >= 10 && i < in; ++i)
            wrong += receive[i] != 100 * sources[i] + rank;
        MPI_Comm_free(&graph);
    }
    printf("%d: %d of %d blocks are wrong\n", rank, wrong, 2 * in);
    return end_program(wrong != 0);
}
