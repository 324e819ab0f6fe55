// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Hop_Cart_neighborhood_create with reorder = 1: ranks are mapped to nodes by the weights, never worse than before, and
// weights stay with their ranks.
//
//   mpiexec -n 16 mapped rows|columns|random SEED CASES [SUM]    SUM: weight left between nodes, in a grid of 4x4
#include "../preload/common/node_edges.h"
#include "check.h"

#include <hopscotch.h>

enum { most_neighbors = 8 };

static int* node_of_world;

/* Weight of the edges between nodes, in all or of the node with most. Also checks whom blocks come from. */
static long long between_nodes(MPI_Comm cart, int of_most, const int* list, int t)
{
    int own = 0;
    int sources[most_neighbors];
    int targets[most_neighbors];
    int weights[2][most_neighbors];
    MPI_Comm_rank(cart, &own);
    int in = 0;
    int out = 0;
    CHECK(Hop_Cart_neighbor_degrees(cart, &in, &out) == MPI_SUCCESS);
    CHECK(Hop_Cart_neighbor_get(cart, in, sources, weights[0], out, targets, weights[1]) == MPI_SUCCESS);
    const NodeEdges edges = edges_between_nodes(cart, node_of_world, out, targets, weights[1]);

    int received[most_neighbors];
    for (int i = 0; i < most_neighbors; ++i)
        received[i] = -1;
    CHECK(Hop_Cart_allgather(&own, 1, MPI_INT, received, 1, MPI_INT, cart) == MPI_SUCCESS);
    for (int i = 0; i < t; ++i) {
        int from = MPI_PROC_NULL;
        int to = MPI_PROC_NULL;
        CHECK(Hop_Cart_relative_shift(cart, list + 2 * i, &from, &to) == MPI_SUCCESS);
        CHECK(from == MPI_PROC_NULL ? received[i] == -1 : received[i] == from);
    }
    return of_most ? edges.most : edges.sum;
}

static const int nearest[] = {-1, 0, 1, 0, 0, -1, 0, 1};

static void fixed(int rows, long long expected)
{
    const int dims[] = {4, 4};
    const int periods[] = {0, 0};
    const int weights[] = {rows ? 1 : 100, rows ? 1 : 100, rows ? 100 : 1, rows ? 100 : 1};
    MPI_Comm cart;
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, 4, nearest, weights, MPI_INFO_NULL, 1,
                                       &cart) == MPI_SUCCESS);
    CHECK(between_nodes(cart, 0, nearest, 4) == expected);
    MPI_Comm_free(&cart);
}

static void random_case(unsigned* seed)
{
    int dims[] = {0, 0};
    const int processes = size - random_in(seed, 0, 1) * random_in(seed, 0, size - 1);
    MPI_Dims_create(processes, 2, dims);
    const int periods[] = {random_in(seed, 0, 1), random_in(seed, 0, 1)};
    const int t = random_in(seed, 0, most_neighbors);
    int offsets[2 * most_neighbors];
    for (int i = 0; i < 2 * t; ++i)
        offsets[i] = random_in(seed, -2, 2);
    const int by_most = random_in(seed, 0, 1);
    int weights[most_neighbors]; // their rank and offset are known
    for (int i = 0; i < t; ++i)
        weights[i] = 1000 * random_in(seed, 0, 9) + 10 * rank + i;
    int heights[most_neighbors];
    for (int i = 0; i < t; ++i)
        heights[i] = weights[i] - 10 * rank;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_objective", by_most ? "max" : "sum");
    long long left[2] = {0, 0};
    for (int reorder = 0; reorder < 2; ++reorder) {
        MPI_Comm cart;
        CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, t, offsets, weights, info, reorder,
                                           &cart) == MPI_SUCCESS);
        if (cart == MPI_COMM_NULL)
            continue;
        int new_rank = -1;
        int known[2 * most_neighbors];
        int kept[most_neighbors];
        MPI_Comm_rank(cart, &new_rank);
        CHECK(Hop_Cart_neighbor_get_relative(cart, t, known, kept) == MPI_SUCCESS);
        for (int i = 0; i < t; ++i)
            CHECK(kept[i] == heights[i] + 10 * new_rank);
        left[reorder] = between_nodes(cart, by_most, offsets, t);
        MPI_Comm_free(&cart);
    }
    CHECK(left[1] <= left[0]);
    if (rank == 0) // one process is enough
        MPI_Info_set(info, "hopscotch_reorder", "off");
    MPI_Comm cart;
    CHECK(Hop_Cart_neighborhood_create(MPI_COMM_WORLD, 2, dims, periods, t, offsets, MPI_UNWEIGHTED, info, 1, &cart) ==
          MPI_SUCCESS);
    if (cart != MPI_COMM_NULL) {
        int new_rank = -1;
        MPI_Comm_rank(cart, &new_rank);
        CHECK(new_rank == rank);
        MPI_Comm_free(&cart);
    }
    MPI_Info_free(&info);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    node_of_world = nodes_of_world();
    unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    if (argc > 4)
        fixed(strcmp(argv[1], "rows") == 0, atoll(argv[4]));
    else
        for (int n = 0; n < (argc > 3 ? atoi(argv[3]) : 20); ++n)
            random_case(&seed);
    free(node_of_world);
    return finish_checks();
}
