// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Communicators that come and go.
//
//   lifetimes cycles COUNT    the same graph is made, used and freed COUNT times, in two places
//   lifetimes pairs COUNT     COUNT calls of processes 0 and 1, then of 1 and 2, and so on: one of two has used such a
//                             graph before
//   lifetimes idup            calls on a communicator made by MPI_Comm_idup
//   lifetimes requests        nonblocking and persistent calls: each kind from one place
//   lifetimes unused          eight graphs go away unused, the next one from the same place is used, in every way once
//   lifetimes freed           the communicator is freed before its request fails: its error handler is called
//   lifetimes freed_sparse    the same for MPI_Ialltoallv
#include "../../program.h"
#include "exchange.h"

static int lists[2];

static int cycles(int count)
{
    int wrong = 0;
    for (int round = 0; round < count; ++round) {
        MPI_Comm graph;
        make_ring(MPI_COMM_WORLD, lists, &graph);
        wrong += exchange_and_check(graph, round % 100, 1, 2, lists, 2, lists);
        MPI_Comm_free(&graph);
    }
    return wrong;
}

static int pairs(int calls)
{
    int wrong = 0;
    for (int first = 0; first + 1 < size; ++first) {
        const int inside = rank == first || rank == first + 1;
        MPI_Comm pair;
        MPI_Comm graph;
        MPI_Comm_split(MPI_COMM_WORLD, inside ? 0 : MPI_UNDEFINED, rank, &pair);
        if (!inside) {
            continue;
        }
        make_ring(pair, lists, &graph);
        const int other = 2 * first + 1 - rank;
        for (int call = 0; call < calls; ++call) {
            const int out[2] = {rank, call};
            int in[4] = {-1, -1, -1, -1};
            MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, graph);
            wrong += in[0] != other || in[1] != call || in[2] != other || in[3] != call;
        }
        MPI_Comm_free(&graph);
        MPI_Comm_free(&pair);
    }
    return wrong;
}

static int nonblocking(MPI_Comm graph)
{
    int out[2] = {rank, rank};
    int in[2] = {-1, -1};
    MPI_Request request;
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return in[0] != lists[0] || in[1] != lists[1];
}

static int persistent(MPI_Comm graph, int starts)
{
    int wrong = 0;
#ifndef NO_PERSISTENT
    int out[2] = {rank, rank};
    int in[2] = {-1, -1};
    MPI_Request request;
    MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, graph, MPI_INFO_NULL, &request);
    for (int start = 0; start < starts; ++start) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        wrong += in[0] != lists[0] || in[1] != lists[1];
    }
    MPI_Request_free(&request);
#else
    (void)graph;
    (void)starts;
#endif
    return wrong;
}

static int idup(void)
{
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, lists, &graph);
    MPI_Comm duplicate;
    MPI_Request request;
    MPI_Comm_idup(graph, &duplicate, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", "merged");
    MPI_Comm_set_info(duplicate, info); // has no effect
    MPI_Info_free(&info);
    int wrong =
        exchange_and_check(duplicate, 1, 3, 2, lists, 2, lists) + nonblocking(duplicate) + persistent(duplicate, 0);
    MPI_Pcontrol(0); // nor are these counted
    wrong += exchange_and_check(duplicate, 2, 3, 2, lists, 2, lists) + nonblocking(duplicate);
    MPI_Pcontrol(1);
    MPI_Comm_set_errhandler(duplicate, MPI_ERRORS_RETURN);
    wrong += MPI_Neighbor_alltoall(lists, -1, MPI_INT, lists, -1, MPI_INT, duplicate) == MPI_SUCCESS;
    MPI_Comm_free(&duplicate);
    MPI_Comm_free(&graph);
    return wrong;
}

static int requests(void)
{
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, lists, &graph);
    int wrong = 0;
    volatile int calls = 5; // not unrolled: one place in the program
    while (calls-- > 0) {
        wrong += nonblocking(graph);
    }
    wrong += persistent(graph, 3);
    MPI_Comm_free(&graph);
    return wrong;
}

static int duplicated(MPI_Comm graph)
{
    MPI_Comm duplicate;
    MPI_Comm_dup(graph, &duplicate);
    const int wrong = exchange_and_check(duplicate, 7, 2, 2, lists, 2, lists) + nonblocking(duplicate);
    MPI_Comm_free(&duplicate);
    return wrong;
}

static int among_all(MPI_Comm graph)
{
    int processes;
    MPI_Comm_size(graph, &processes);
    int* const in = malloc((size_t)processes * sizeof *in);
    MPI_Allgather(&rank, 1, MPI_INT, in, 1, MPI_INT, graph);
    int wrong = 0;
    for (int i = 0; i < processes; ++i) {
        wrong += in[i] != i;
    }
    free(in);
    return wrong;
}

enum Use { not_at_all, blocking, early, late, with_request, as_model, by_all, uses };

static int use(MPI_Comm graph, enum Use how)
{
    switch (how) {
    case blocking:
        return exchange_and_check(graph, 1, 3, 2, lists, 2, lists) + nonblocking(graph);
    case early: // before it is set up, and never after
        return nonblocking(graph);
    case late:
        return nonblocking(graph) + exchange_and_check(graph, 2, 3, 2, lists, 2, lists) + nonblocking(graph);
    case with_request:
        return persistent(graph, 1) + exchange_and_check(graph, 3, 3, 2, lists, 2, lists);
    case as_model:
        return duplicated(graph) + exchange_and_check(graph, 4, 3, 2, lists, 2, lists);
    case by_all:
        return among_all(graph) + nonblocking(graph);
    default:
        return 0;
    }
}

// A place of its own for each depth of the stack. Only one: the compiler must not know enough to make several loops of
// it.
static int unused_at(int depth, enum Use how)
{
    static int (*volatile deeper)(int, enum Use) = unused_at;
    static int (*volatile used)(MPI_Comm, enum Use) = use;
    volatile int wrong = 0;
    if (depth > 0) {
        wrong = deeper(depth - 1, how);
        return wrong;
    }
    for (volatile int made = 0; made < 10; ++made) {
        MPI_Comm graph;
        make_ring(MPI_COMM_WORLD, lists, &graph);
        wrong = wrong + used(graph, made < 8 ? not_at_all : how);
        MPI_Comm_free(&graph);
    }
    return wrong;
}

static int unused(void)
{
    int wrong = 0;
    for (enum Use how = blocking; how < uses; ++how) {
        wrong += unused_at((int)how, how);
    }
    return wrong;
}

static int handled;

static void count_error(MPI_Comm* comm, int* code, ...)
{
    int class;
    (void)comm;
    MPI_Error_class(*code, &class);
    handled += class == MPI_ERR_TRUNCATE;
}

// Processes send to their neighbors in the ring; after some calls a graph carries that.
static void start_sparse_mismatch(MPI_Comm comm, MPI_Request* request)
{
    enum { most = 64 };
    static int out[most];
    static int in[most];
    static int sends[most];
    static int receives[most];
    static int places[most];
    for (int i = 0; i < most; ++i) {
        places[i] = i;
    }
    for (int i = 0; i < 2; ++i) {
        sends[lists[i]] = receives[lists[i]] = 1;
    }
    for (int call = 0; call < 4; ++call) {
        MPI_Alltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, comm);
    }
    sends[lists[0]] = sends[lists[1]] = rank == 0 ? 2 : 1;
    MPI_Ialltoallv(out, sends, places, MPI_INT, in, receives, places, MPI_INT, comm, request);
}

static int freed(int sparse)
{
    MPI_Comm graph;
    make_ring(MPI_COMM_WORLD, lists, &graph);
    if (sparse) {
        MPI_Comm_free(&graph);
        MPI_Comm_dup(MPI_COMM_WORLD, &graph);
    }
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(graph, handler);
    MPI_Errhandler_free(&handler);
    MPI_Request request;
    sparse ? start_sparse_mismatch(graph, &request) : start_mismatch(graph, &request);
    MPI_Comm_free(&graph);
    MPI_Comm next; // may get the handle of the one that was freed; any error on it ends the program
    MPI_Comm_dup(MPI_COMM_WORLD, &next);
    const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    const int is_receiver = lists[0] == 0 || lists[1] == 0;
    const int wrong = class != (is_receiver ? MPI_ERR_TRUNCATE : MPI_SUCCESS) || handled != is_receiver;
    if (wrong) {
        printf("rank %d: error class %d, the handler was called %d times\n", rank, class, handled);
    }
    MPI_Comm_free(&next);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const char* mode = argc > 1 ? argv[1] : "";
    int wrong = 1;
    if (strcmp(mode, "cycles") == 0 && argc > 2) {
        wrong = cycles(atoi(argv[2]));
        wrong += cycles(1);
    } else if (strcmp(mode, "pairs") == 0 && argc > 2) {
        wrong = pairs(atoi(argv[2]));
    } else if (strcmp(mode, "idup") == 0) {
        wrong = idup();
    } else if (strcmp(mode, "requests") == 0) {
        wrong = requests();
    } else if (strcmp(mode, "unused") == 0) {
        wrong = unused();
    } else if (strcmp(mode, "freed") == 0) {
        wrong = freed(0);
    } else if (strcmp(mode, "freed_sparse") == 0) {
        wrong = freed(1);
    } else {
        fputs("usage: lifetimes cycles COUNT | pairs COUNT | idup | requests | unused | freed | freed_sparse\n",
              stderr);
    }
    return conclude("lifetimes", wrong);
}
