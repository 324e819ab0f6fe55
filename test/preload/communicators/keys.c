// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes a graph for each word, with the info keys that the word gives, and exchanges blocks on it.
//
//   keys ring|edge [odd:]KEY=VALUE ...    "odd:": on the last process alone; the same graph as the word before
//
// ring: every process has the one before it and the one behind it, and allows other ranks. edge: rank 1 sends to
// rank 2, the rest has no neighbors.
#include "exchange.h"

#include <mpi.h>
#include <string.h>

static int rank;
static int size;

static int try_graph(int is_ring, MPI_Info info, int round)
{
    const int before = (rank + size - 1) % size;
    const int behind = (rank + 1) % size;
    const int ring[2] = {before, behind};
    const int sources = is_ring ? 2 : rank == 2;
    const int destinations = is_ring ? 2 : rank == 1;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, is_ring ? ring : &before, MPI_UNWEIGHTED, destinations,
                                   is_ring ? ring : &behind, MPI_UNWEIGHTED, info, is_ring, &graph);
    int new_rank;
    MPI_Comm_rank(graph, &new_rank);
    const int own[2] = {(new_rank + size - 1) % size, (new_rank + 1) % size};
    const int wrong = exchange_and_check(graph, round, 1 + round, sources, is_ring ? own : &before, destinations,
                                         is_ring ? own : &behind);
    MPI_Comm_free(&graph);
    return wrong;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int is_ring = argc > 1 && strcmp(argv[1], "ring") == 0;
    int wrong = 0;
    for (int i = 2; i < argc;) {
        MPI_Info info;
        MPI_Info_create(&info);
        do {
            set_key("keys", info, argv[i++]);
        } while (i < argc && strncmp(argv[i], "odd:", 4) == 0);
        wrong += try_graph(is_ring, info, i);
        MPI_Info_free(&info);
    }
    const int status = conclude("keys", wrong);
    MPI_Finalize();
    return status;
}
