// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Graphs that are made, duplicated, called a few times in mixed ways, and freed, again and again, from few places:
//
//   renewed ROUNDS SEED [blocking]    blocking: no other calls
//   renewed ROUNDS SEED threads       two threads, each with parents of its own
//   renewed like CALLS LAST           ten graphs alike with so many blocking calls, and one with LAST of them
//   renewed other CALLS LAST          the same with other lists each time
//
// The graphs are made from communicators with other ranks and from a Cartesian one, with and without weights and keys.
// One process differs from the others in what must not matter: the order of its lists, its weights, a key that nobody
// knows, calls that are not counted, wrong calls.
#include "../../program.h"

#include <pthread.h>

enum { most_graphs = 4, most_edges = 4, parents = 4 };

struct graph {
    MPI_Comm comm;
    int rank;
    int edges; // 0: there is none
    int sources[most_edges], destinations[most_edges];
    int calls;
};

static int rounds = 10;
static int blocks_only;
static _Thread_local int wrong;
static _Thread_local unsigned seed;            // the same on all processes
static _Thread_local MPI_Comm parent[parents]; // all processes, the same in the opposite order, a plane, a ring

static int some_number(void)
{
    return rand_r(&seed);
}

static int value(int from, int to, int call)
{
    return (from * 64 + to) * 1000 + call;
}

static void expect(const struct graph* graph, const int* received, int same)
{
    for (int i = 0; i < graph->edges; ++i)
        if (received[i] != value(graph->sources[i], same ? 0 : graph->rank, graph->calls) && wrong++ < 5)
            printf("rank %d: call %d: block %d is %d\n", rank, graph->calls, i, received[i]);
}

static void turn_around(int* list, int count)
{
    for (int i = 0; i < count / 2; ++i) {
        const int first = list[i];
        list[i] = list[count - 1 - i];
        list[count - 1 - i] = first;
    }
}

static void make_parents(MPI_Comm all)
{
    int dims[2] = {0, 0};
    const int periods[2] = {1, 0};
    MPI_Dims_create(size, 2, dims);
    parent[0] = all;
    MPI_Comm_split(all, 0, -rank, &parent[1]);
    MPI_Cart_create(all, 2, dims, periods, 0, &parent[2]);
    MPI_Cart_create(all, 1, &size, periods, 0, &parent[3]);
}

static void free_parents(void)
{
    for (int i = 1; i < parents; ++i)
        MPI_Comm_free(&parent[i]);
}

/// Null, an empty one, or one with a key that nobody knows.
static MPI_Info some_info(int choice)
{
    MPI_Info info = MPI_INFO_NULL;
    if (choice > 0)
        MPI_Info_create(&info);
    if (choice > 1)
        MPI_Info_set(info, "nobody_knows_this", rank == 0 ? "0" : "1");
    return info;
}

static void make(struct graph* graph)
{
    const MPI_Comm from = parent[some_number() % 2 != 0 ? 0 : some_number() % parents];
    MPI_Comm_rank(from, &graph->rank);
    graph->edges = 1 + some_number() % most_edges;
    for (int i = 0; i < graph->edges; ++i) {
        const int shift = some_number() % size;
        graph->destinations[i] = (graph->rank + shift) % size;
        graph->sources[i] = (graph->rank + size - shift) % size;
    }
    if (some_number() % 3 == 0 && rank == size - 1) { // this process alone has other lists
        turn_around(graph->destinations, graph->edges);
        turn_around(graph->sources, graph->edges);
    }
    int weights[most_edges] = {1, 1, 1, 1};
    weights[0] += some_number() % 3 == 0 && rank == 0 ? 1 : 0;
    const int* const given = some_number() % 3 == 0 ? weights : MPI_UNWEIGHTED;
    const int choice = some_number() % 4;
    MPI_Info info = some_info(choice == 3 && rank == 0 ? 0 : choice % 3);
    graph->calls = 0;
    if (some_number() % 2 != 0)
        MPI_Dist_graph_create_adjacent(from, graph->edges, graph->sources, given, graph->edges, graph->destinations,
                                       given, info, 0, &graph->comm);
    else // from another place
        MPI_Dist_graph_create_adjacent(from, graph->edges, graph->sources, given, graph->edges, graph->destinations,
                                       given, info, 0, &graph->comm);
    if (info != MPI_INFO_NULL)
        MPI_Info_free(&info);
}

static void call(struct graph* graph)
{
    int out[most_edges], in[most_edges];
    ++graph->calls;
    for (int i = 0; i < graph->edges; ++i)
        out[i] = value(graph->rank, graph->destinations[i], graph->calls);
    memset(in, -1, sizeof in);
    const int kind = some_number() % (blocks_only ? 3 : 5);
    if (rank == 0 && kind == 1)
        MPI_Pcontrol(0);
    if (rank == 0 && kind == 2) { // nothing is sent, and the others wait for the next one
        MPI_Comm_set_errhandler(graph->comm, MPI_ERRORS_RETURN);
        wrong += MPI_Neighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, graph->comm) == MPI_SUCCESS;
    }
    int own = value(graph->rank, 0, graph->calls);
    MPI_Request request;
    switch (kind) {
    case 0:
        MPI_Neighbor_allgather(&own, 1, MPI_INT, in, 1, MPI_INT, graph->comm);
        break;
    case 3:
        MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph->comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 4:
        MPI_Ineighbor_allgather(&own, 1, MPI_INT, in, 1, MPI_INT, graph->comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph->comm);
        break;
    }
    if (rank == 0 && kind == 1)
        MPI_Pcontrol(1);
    expect(graph, in, kind == 0 || kind == 4);
}

/// A ring, with so many places in the lists that are MPI_PROC_NULL.
static void make_alike(int calls, int nobody)
{
    int before[16], after[16], out[16], in[16];
    for (int i = 0; i <= nobody; ++i) {
        before[i] = i > 0 ? MPI_PROC_NULL : (rank + size - 1) % size;
        after[i] = i > 0 ? MPI_PROC_NULL : (rank + 1) % size;
        out[i] = rank;
    }
    MPI_Comm ring;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, nobody + 1, before, MPI_UNWEIGHTED, nobody + 1, after,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    for (int i = 0; i < calls; ++i) {
        MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
        wrong += in[0] != before[0];
    }
    MPI_Comm_free(&ring);
}

static void renew(MPI_Comm all)
{
    struct graph graphs[most_graphs] = {{MPI_COMM_NULL, 0, 0, {0}, {0}, 0}};
    make_parents(all);
    for (int round = 0; round < rounds; ++round) {
        struct graph* const graph = &graphs[some_number() % most_graphs];
        const struct graph* const other = &graphs[some_number() % most_graphs];
        if (graph->edges != 0) {
            MPI_Comm_free(&graph->comm);
            graph->edges = 0;
        }
        if (other->edges != 0 && some_number() % 3 == 0) {
            *graph = *other;
            MPI_Comm_dup(other->comm, &graph->comm);
        } else {
            make(graph);
        }
        for (int calls = some_number() % (some_number() % 4 == 0 ? 20 : 4); calls > 0; --calls)
            call(some_number() % 4 == 0 && other->edges != 0 ? (struct graph*)other : graph);
    }
    for (int i = 0; i < most_graphs; ++i)
        if (graphs[i].edges != 0)
            MPI_Comm_free(&graphs[i].comm);
    free_parents();
}

struct work {
    MPI_Comm all;
    unsigned seed;
    int wrong;
};

static void* renew_in_thread(void* given)
{
    struct work* const work = given;
    seed = work->seed;
    renew(work->all);
    work->wrong = wrong;
    return NULL;
}

static void renew_in_two_threads(unsigned first)
{
    struct work works[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) {
        works[i] = (struct work){MPI_COMM_NULL, first + (unsigned)i, 0};
        MPI_Comm_dup(MPI_COMM_WORLD, &works[i].all);
    }
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, renew_in_thread, &works[i]);
    for (int i = 0; i < 2; ++i) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&works[i].all);
        wrong += works[i].wrong;
    }
}

static void renew_alike(const char* calls, const char* last, int others)
{
    enum { graphs = 11 };
    int calls_on[graphs];
    for (int i = 0; i < graphs; ++i)
        calls_on[i] = atoi(i + 1 < graphs ? calls : last);
    for (int i = 0; i < graphs; ++i) // one place for all: nothing here depends on i, so the compiler makes one call
        make_alike(calls_on[i], others * i);
}

int main(int argc, char** argv)
{
    const char* const way = argc > 3 ? argv[3] : "";
    const int threads = strcmp(way, "threads") == 0;
    begin_threads(threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &argc, &argv);
    blocks_only = strcmp(way, "blocking") == 0;
    if (argc > 1)
        rounds = atoi(argv[1]);
    seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    const int others = argc > 3 && strcmp(argv[1], "other") == 0;
    if (others || (argc > 3 && strcmp(argv[1], "like") == 0))
        renew_alike(argv[2], argv[3], others);
    else if (threads)
        renew_in_two_threads(seed);
    else
        renew(MPI_COMM_WORLD);
    return end_program(wrong != 0);
}
