// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes a graph for each word, with the info keys that the word gives, and exchanges blocks on it.
//
//   keys ring|told|edge [odd:]KEY=VALUE ...    "odd:": on the last process alone; the same graph as the word before
//
// ring: every process has the one before it and the one behind it, and allows other ranks. told: the same by
// MPI_Dist_graph_create. edge: rank 1 sends to rank 2, the rest has no neighbors.
#include "../../program.h"
#include "exchange.h"

static int try_graph(const char* kind, MPI_Info info, int round)
{
    const int is_ring = strcmp(kind, "edge") != 0;
    const int before = (rank + size - 1) % size;
    const int behind = (rank + 1) % size;
    const int ring[2] = {before, behind};
    const int sources = is_ring ? 2 : rank == 2;
    const int destinations = is_ring ? 2 : rank == 1;
    MPI_Comm graph;
    if (strcmp(kind, "told") == 0) {
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &destinations, ring, MPI_UNWEIGHTED, info, 1, &graph);
    } else {
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, is_ring ? ring : &before, MPI_UNWEIGHTED, destinations,
                                       is_ring ? ring : &behind, MPI_UNWEIGHTED, info, is_ring, &graph);
    }
    int in[2];
    int out[2];
    MPI_Dist_graph_neighbors(graph, sources, in, MPI_UNWEIGHTED, destinations, out, MPI_UNWEIGHTED);
    const int wrong = exchange_and_check(graph, round, 1 + round, sources, in, destinations, out);
    MPI_Comm_free(&graph);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int wrong = 0;
    for (int i = 2; i < argc;) {
        MPI_Info info;
        MPI_Info_create(&info);
        do {
            set_key("keys", info, argv[i++]);
        } while (i < argc && strncmp(argv[i], "odd:", 4) == 0);
        wrong += try_graph(argv[1], info, i);
        MPI_Info_free(&info);
    }
    return conclude("keys", wrong);
}
