// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Legal and rare: parts of a graph that no edge connects may exchange blocks of different sizes in one call. On a torus
// with steps along the diagonals, blocks combined along the dimensions would pass through the other part.
#include "../../program.h"
#include "exchange.h"

enum { most_calls = 25 }; // enough for every candidate of auto

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const int dims[2] = {2, size / 2};
    const int periods[2] = {1, 1};
    MPI_Comm grid;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    int here[2];
    MPI_Cart_coords(grid, rank, 2, here);
    int neighbors[2];
    for (int i = 0; i < 2; ++i) {
        const int there[2] = {here[0] + 1, here[1] + (i == 0 ? 1 : dims[1] - 1)};
        MPI_Cart_rank(grid, there, &neighbors[i]);
    }
    MPI_Comm graph;
    // Each process receives from its destinations: on two rows a step along a diagonal also leads back.
    MPI_Dist_graph_create_adjacent(grid, 2, neighbors, MPI_UNWEIGHTED, 2, neighbors, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    int wrong = 0;
    const int part = dims[1] % 2 == 0 ? (here[0] + here[1]) % 2 : 0;
    for (int call = 0; call < most_calls; ++call) {
        const int cells = part == 0 ? 1 + call % 2 : 900 - 800 * (call % 3 == 0);
        wrong += exchange_and_check(graph, call, cells, 2, neighbors, 2, neighbors);
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&grid);
    return conclude("apart", wrong);
}
