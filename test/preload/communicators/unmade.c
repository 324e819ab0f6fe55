// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Wrong arguments, on all processes alike, for functions that make communicators with a topology, duplicate them, give
// them info keys or compute grids: prints the class of each error and the handlers that were called, so that compare.py
// finds any difference; then right calls make communicators that work. On three processes.
#include "../../program.h"
#include "exchange.h"

static int seen_by_graph, seen_by_world;
static MPI_Comm graph;

static void on_graph(MPI_Comm* comm, int* code, ...)
{
    ++seen_by_graph;
}

static void on_world(MPI_Comm* comm, int* code, ...)
{
    ++seen_by_world;
}

static int say(const char* call, int code)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    printf("rank %d, %s: class %d, handlers %d %d\n", rank, call, class, seen_by_graph, seen_by_world);
    fflush(stdout);
    seen_by_graph = seen_by_world = 0;
    const int neighbors[2] = {(rank + size - 1) % size, (rank + 1) % size};
    return exchange_and_check(graph, class, 2, 2, neighbors, 2, neighbors);
}

#define SAY(call) wrong += say(#call, call)

// No call passes arguments that crash in MPICH 4.0.2 itself.
static int make_wrongly(void)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    const MPI_Comm none = MPI_COMM_NULL;
    const int many[1] = {size + 1}, negative[1] = {-1}, one[1] = {1}, nobody[1] = {size}, ends[2] = {1, 0};
    int odd[2] = {size + 1, 0}, wrong = 0;
    MPI_Comm made;
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", "trivial");
    SAY(MPI_Dims_create(size, 2, odd));
    SAY(MPI_Dims_create(-1, 2, odd));
    SAY(MPI_Dims_create(size, 1, NULL));
    SAY(MPI_Cart_create(world, 1, many, one, 0, &made));
    SAY(MPI_Cart_create(world, 1, negative, one, 0, &made));
    SAY(MPI_Cart_create(world, -1, one, one, 0, &made));
    SAY(MPI_Cart_create(world, 1, NULL, one, 0, &made));
    SAY(MPI_Cart_create(world, 1, one, NULL, 0, &made));
    SAY(MPI_Cart_create(world, 1, one, one, 0, NULL));
    SAY(MPI_Cart_create(none, 1, one, one, 0, &made));
    SAY(MPI_Cart_sub(world, one, &made));
    SAY(MPI_Cart_sub(graph, one, &made));
    SAY(MPI_Cart_sub(none, one, &made));
    SAY(MPI_Cart_map(world, 1, many, one, odd));
    SAY(MPI_Cart_map(world, 1, one, one, NULL));
    SAY(MPI_Cart_map(none, 1, one, one, odd));
    SAY(MPI_Graph_create(world, size + 1, ends, ends, 0, &made));
    SAY(MPI_Graph_create(world, 2, ends, ends, 0, &made));
    SAY(MPI_Graph_create(world, 1, one, nobody, 0, &made));
    SAY(MPI_Graph_create(world, 1, one, negative, 0, &made));
    SAY(MPI_Graph_create(none, 1, one, one, 0, &made));
    SAY(MPI_Graph_map(world, size + 1, ends, ends, odd));
    SAY(MPI_Graph_map(none, 1, one, one, odd));
    SAY(MPI_Dist_graph_create_adjacent(world, -1, one, one, 1, one, one, MPI_INFO_NULL, 0, &made));
    SAY(MPI_Dist_graph_create_adjacent(none, 0, one, one, 0, one, one, MPI_INFO_NULL, 0, &made));
    SAY(MPI_Dist_graph_create(world, -1, one, one, one, one, MPI_INFO_NULL, 0, &made));
    SAY(MPI_Dist_graph_create(none, 0, one, one, one, one, MPI_INFO_NULL, 0, &made));
    SAY(MPI_Comm_dup(none, &made));
    SAY(MPI_Comm_dup(graph, NULL));
    SAY(MPI_Comm_dup_with_info(none, info, &made));
    SAY(MPI_Comm_dup_with_info(graph, info, NULL));
    SAY(MPI_Comm_set_info(none, info));
    SAY(MPI_Comm_set_info(graph, MPI_INFO_NULL));
#ifndef OPEN_MPI // its handles are pointers
    SAY(MPI_Comm_set_info(graph, (MPI_Info)MPI_COMM_WORLD));
    SAY(MPI_Comm_dup_with_info(graph, (MPI_Info)MPI_COMM_WORLD, &made));
#endif
    MPI_Info_free(&info);
    return wrong;
}

// With other ranks allowed: the place of a process among its neighbors is that of the new communicator.
static void make_with_other_ranks(void)
{
    const int one[1] = {1}, extent[1] = {size}, degrees[3] = {1, 2, 3}, next[3] = {1, 2, 0};
    const int after = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Comm made[4];
    MPI_Cart_create(MPI_COMM_WORLD, 1, extent, one, 1, &made[0]);
    MPI_Graph_create(MPI_COMM_WORLD, 3, degrees, next, 1, &made[1]);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, one, &after, one, MPI_INFO_NULL, 1, &made[2]);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, one, 1, &after, one, MPI_INFO_NULL, 1, &made[3]);
    for (int i = 0; i < 4; ++i) {
        MPI_Comm_free(&made[i]);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    MPI_Errhandler handlers[2];
    int neighbors[2];
    MPI_Comm_create_errhandler(on_graph, &handlers[0]);
    MPI_Comm_create_errhandler(on_world, &handlers[1]);
    make_ring(MPI_COMM_WORLD, neighbors, &graph);
    int wrong = 0;
    for (int own = 0; own < 2; ++own) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, own ? handlers[1] : MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(graph, own ? handlers[0] : MPI_ERRORS_RETURN);
        wrong += make_wrongly();
    }
    MPI_Comm_free(&graph);
    make_with_other_ranks();
    make_ring(MPI_COMM_WORLD, neighbors, &graph);
    wrong += exchange_and_check(graph, 1, 1, 2, neighbors, 2, neighbors);
    MPI_Comm_free(&graph);
    MPI_Errhandler_free(&handlers[0]);
    MPI_Errhandler_free(&handlers[1]);
    return conclude("unmade", wrong);
}
