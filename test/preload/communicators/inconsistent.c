// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Distributed graphs that MPI lets a program make though no message can be sent on them: edges that only one of their
// two processes names, or not as often as the other, and ranks that do not exist. Nothing is called on them but
// MPI_Comm_dup. A graph made afterwards is as any other.
//
//   inconsistent edges | ranks
#include "../../program.h"
#include "exchange.h"

// Each process names `sources` times the one before it and `destinations` times the one behind it, rank 0 as many more
// sources and destinations as it is told, of the given rank.
static int make(int more_sources, int more_destinations, int other)
{
    enum { most = 3 };
    const int before = (rank + size - 1) % size;
    const int behind = (rank + 1) % size;
    const int source[most] = {before, other, other};
    const int destination[most] = {behind, other, other};
    const int sources = rank == 0 ? 1 + more_sources : 1;
    const int destinations = rank == 0 ? 1 + more_destinations : 1;
    MPI_Comm graph;
    MPI_Comm duplicate;
    if (MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, source, MPI_UNWEIGHTED, destinations, destination,
                                       MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph) != MPI_SUCCESS) {
        return 1;
    }
    int in = -1;
    int out = -1;
    int weighted;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    MPI_Comm_dup(graph, &duplicate);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&duplicate);
    return in != sources || out != destinations;
}

static int edges(void)
{
    const int behind = 1 % size;
    const int before = size - 1;
    int wrong = make(1, 0, behind);    // a source only
    wrong += make(0, 1, before);       // a destination only
    wrong += make(0, 2, behind);       // an edge that is there, three times at one end
    return wrong + make(1, 1, behind); // as many sources as destinations, none of them matching
}

static int ranks(void)
{
    return make(1, 1, size) + make(1, 0, -77) + make(0, 1, 1 << 30);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* mode = argc > 1 ? argv[1] : "";
    int wrong = strcmp(mode, "edges") == 0 ? edges() : strcmp(mode, "ranks") == 0 ? ranks() : 1;
    int lists[2];
    MPI_Comm ring;
    make_ring(MPI_COMM_WORLD, lists, &ring);
    wrong += exchange_and_check(ring, 1, 3, 2, lists, 2, lists);
    MPI_Comm_free(&ring);
    return conclude("inconsistent", wrong);
}
