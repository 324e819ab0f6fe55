// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A wrong type, by the argument, in calls whose communicator returns errors: prints the classes of the
// codes, and how often the handlers of MPI_COMM_WORLD and MPI_COMM_SELF were called meanwhile.
#include "../program.h"

static int on_world;
static int on_self;

static void count_world(MPI_Comm* comm, int* code, ...)
{
    ++on_world;
}

static void count_self(MPI_Comm* comm, int* code, ...)
{
    ++on_self;
}

static void set_handler(MPI_Comm comm, MPI_Comm_errhandler_function* function)
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(function, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
}

static void show(const char* call, int code)
{
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    printf("%d: %s: class %d; heard on world %d, on self %d\n", rank, call, error_class, on_world, on_self);
    on_world = on_self = 0;
}

static void use_type(MPI_Datatype type, MPI_Comm graph)
{
    int send[64] = {0}, receive[64] = {0};
    const int counts[] = {1, 1};
    const MPI_Aint at[] = {0, 64};
    const MPI_Datatype types[] = {type, type};
    show("alltoall", MPI_Neighbor_alltoall(send, 1, type, receive, 1, type, graph));
    show("allgather", MPI_Neighbor_allgather(send, 1, type, receive, 1, type, graph));
    show("alltoallw", MPI_Neighbor_alltoallw(send, counts, at, types, receive, counts, at, types, graph));
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    set_handler(MPI_COMM_WORLD, count_world);
    set_handler(MPI_COMM_SELF, count_self);
    const char* what = argc > 1 ? argv[1] : "uncommitted";
    const int peers[] = {(rank + size - 1) % size, (rank + 1) % size};
    MPI_Comm all, graph;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN);
    MPI_Dist_graph_create_adjacent(all, 2, peers, MPI_UNWEIGHTED, 2, peers, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_set_errhandler(graph, MPI_ERRORS_RETURN);
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    if (strcmp(what, "null") == 0)
        use_type(MPI_DATATYPE_NULL, graph);
    else
        use_type(type, graph);
    MPI_Type_commit(&type);
    use_type(type, graph);
    MPI_Type_free(&type);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&all);
    return end_program(0);
}
