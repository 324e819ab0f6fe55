// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators and processes in unusual company.
//
//   guests between           an intercommunicator between two halves; a graph over both, merged
//   guests spawn SETTING     the same with two processes that it spawns with SETTING in their environment
//   guests half make|idle    in one job (mpiexec ... : ...) some processes make graphs, the others never do
//   guests late LIBRARY      MPI begins and a graph is made before the library is loaded
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"

#include <dlfcn.h>

// Each process sends its number to the first of the others, which are of the other group if there are two.
static int send_to_first(MPI_Comm comm)
{
    enum { most = 64 };
    int between = 0;
    int others = 0;
    int own = 0;
    int own_rank;
    MPI_Comm_rank(comm, &own_rank);
    MPI_Comm_size(comm, &own);
    MPI_Comm_test_inter(comm, &between);
    if (between) {
        MPI_Comm_remote_size(comm, &others);
    } else {
        others = own;
    }
    int out[most] = {1};
    int in[most] = {0};
    int places[most] = {0};
    int received[most];
    for (int i = 0; i < most; ++i) {
        in[i] = own_rank == 0 && i < others;
        places[i] = i;
        received[i] = -1;
    }
    MPI_Alltoallv(&own_rank, out, places, MPI_INT, received, in, places, MPI_INT, comm);
    int wrong = 0;
    for (int i = 0; i < most; ++i) {
        wrong += received[i] != (in[i] ? i : -1);
    }
    return wrong;
}

static int exchange_over(MPI_Comm parent, int calls)
{
    int lists[2];
    MPI_Comm graph;
    make_ring(parent, lists, &graph);
    int wrong = 0;
    for (int call = 0; call < calls; ++call) {
        wrong += exchange_and_check(graph, call, 1 + call, 2, lists, 2, lists);
    }
    MPI_Comm_free(&graph);
    return wrong;
}

// The common part of parents and children: collectives of the intercommunicator, then a graph over all of them.
static int together(MPI_Comm between, int is_child)
{
    int own = is_child ? 100 : 1;
    int theirs = 0;
    MPI_Allreduce(&own, &theirs, 1, MPI_INT, MPI_SUM, between);
    int remote;
    MPI_Comm_remote_size(between, &remote);
    int wrong = theirs != remote * (is_child ? 1 : 100);
    MPI_Request request;
    MPI_Ibarrier(between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm duplicate;
    MPI_Comm_dup(between, &duplicate);
    MPI_Barrier(duplicate);
    wrong += send_to_first(between) + send_to_first(duplicate);
    MPI_Comm_free(&duplicate);
    MPI_Comm all;
    MPI_Intercomm_merge(between, is_child, &all);
    wrong += exchange_over(all, 3);
    for (int call = 0; call < 3; ++call) {
        wrong += send_to_first(all);
    }
    MPI_Comm_free(&all);
    wrong += exchange_over(MPI_COMM_WORLD, 3);
    return wrong;
}

static int between(void)
{
    MPI_Comm side;
    MPI_Comm between;
    const int is_upper = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_upper, rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_upper ? 0 : size / 2, 0, &between);
    const int wrong = together(between, is_upper) + exchange_over(side, 3);
    MPI_Comm_free(&between);
    MPI_Comm_free(&side);
    return wrong;
}

static int spawn(char* program, char* setting)
{
    MPI_Comm children;
    char* command[] = {setting, program, "child", NULL};
    int wrong = exchange_over(MPI_COMM_WORLD, 3);
    MPI_Comm_spawn("env", command, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    wrong += together(children, 0);
    int theirs = 0;
    if (rank == 0) {
        MPI_Recv(&theirs, 1, MPI_INT, 0, 0, children, MPI_STATUS_IGNORE);
    }
    MPI_Comm_disconnect(&children);
    return wrong + theirs;
}

static void be_child(MPI_Comm parents)
{
    const int all = sum_of_all(together(parents, 1));
    if (rank == 0) {
        MPI_Send(&all, 1, MPI_INT, 0, 0, parents);
    }
    MPI_Comm_disconnect(&parents);
}

static int half(int makes)
{
    MPI_Comm side;
    MPI_Comm_split(MPI_COMM_WORLD, makes, rank, &side);
    int wrong = 0;
    if (makes) {
        wrong = exchange_over(side, 5);
    } else {
        for (int call = 0; call < 7; ++call) {
            MPI_Barrier(side);
        }
    }
    MPI_Comm_free(&side);
    return wrong;
}

typedef int (*Alltoall)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
typedef int (*MakeGraph)(MPI_Comm, int, const int[], const int[], int, const int[], const int[], MPI_Info, int,
                         MPI_Comm*);

static int late(const char* library)
{
    int lists[2];
    MPI_Comm early;
    make_ring(MPI_COMM_WORLD, lists, &early);
    int wrong = exchange_and_check(early, 1, 2, 2, lists, 2, lists);
    void* const loaded = dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    if (loaded == NULL) {
        printf("%s\n", dlerror());
        return 1;
    }
    Alltoall alltoall;
    MakeGraph make;
    *(void**)&alltoall = dlsym(loaded, "MPI_Neighbor_alltoall");
    *(void**)&make = dlsym(loaded, "MPI_Dist_graph_create_adjacent");
    MPI_Comm fresh;
    make(MPI_COMM_WORLD, 2, lists, MPI_UNWEIGHTED, 2, lists, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &fresh);
    MPI_Comm graphs[2] = {early, fresh};
    for (int i = 0; i < 2; ++i) {
        int own;
        MPI_Comm_rank(graphs[i], &own);
        const int out[2] = {own, own};
        int in[2] = {-1, -1};
        wrong += alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graphs[i]) != MPI_SUCCESS;
        wrong += in[0] != lists[0] || in[1] != lists[1];
        wrong += exchange_and_check(graphs[i], 2, 2, 2, lists, 2, lists);
        MPI_Comm_free(&graphs[i]);
    }
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    MPI_Comm parents;
    MPI_Comm_get_parent(&parents);
    if (parents != MPI_COMM_NULL) {
        be_child(parents);
        return end_program(0);
    }
    int wrong = 1;
    if (argc == 3 && strcmp(argv[1], "spawn") == 0) {
        wrong = spawn(argv[0], argv[2]);
    } else if (argc == 2 && strcmp(argv[1], "between") == 0) {
        wrong = between();
    } else if (argc == 3 && strcmp(argv[1], "half") == 0) {
        wrong = half(strcmp(argv[2], "make") == 0);
    } else if (argc == 3 && strcmp(argv[1], "late") == 0) {
        wrong = late(argv[2]);
    } else {
        fputs("usage: guests between | spawn SETTING | half make|idle | late LIBRARY\n", stderr);
    }
    return conclude("guests", wrong);
}
