// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls MPI_Alltoallv and MPI_Alltoallw in every form. The blocks for the process before and the one behind become a
// graph. At times there is a block for the next but one, outside of the graph.
//
//   pattern sent               prints the counts of libcounting.so, preloaded behind the shim
//   pattern short              blocks outside of the graph have other sizes than their receivers expect. For runs under
//                              the shim
//   pattern verified FORM      blocks outside of the graph have 400 bytes, others few. FORM: blocking or nonblocking
//   pattern wrong              wrong arguments on all processes: prints the results
//   pattern passed             with blocks for all: 3 calls of each function, one of them fails; one more, not counted
//   pattern star               all processes send to the first one; it sends to all
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"

#include <dlfcn.h>

enum Form {
    blocking,
    nonblocking,
#ifndef NO_PERSISTENT
    persistent,
#endif
    forms
};
enum { most = 64, room = 128, near_ints = 3, warm_ups = 16 }; // then processes agree in the 32nd call
static const char* const names[2][3] = {{"MPI_Alltoallv", "MPI_Ialltoallv", "MPI_Alltoallv_init"},
                                        {"MPI_Alltoallw", "MPI_Ialltoallw", "MPI_Alltoallw_init"}};

typedef struct {
    int counts[most];
    int places[most]; // in ints
    int bytes[most];  // the same in bytes
    MPI_Datatype types[most];
    int data[most * room];
} Side;

static int wrong;
static int handled;
static Side out;
static Side in;

static void count_error(MPI_Comm* comm, int* code, ...)
{
    (void)comm;
    (void)code;
    ++handled;
}

static int cell(int from, int to, int i)
{
    return 10000 * from + 100 * to + i;
}

// `sent` and `expected`: ints of the blocks outside.
static void prepare(int sent, int expected)
{
    memset(&out, 0, sizeof out);
    memset(&in, 0, sizeof in);
    for (int other = 0; other < size; ++other) {
        const int far = (other - rank + size) % size; // behind this process
        const int is_near = far == 1 || far == size - 1;
        out.counts[other] = is_near ? near_ints : far == 2 ? sent : 0;
        in.counts[other] = is_near ? near_ints : far == size - 2 ? expected : 0;
        out.places[other] = in.places[other] = room * other;
        out.bytes[other] = in.bytes[other] = room * other * (int)sizeof(int);
        out.types[other] = in.types[other] = MPI_INT;
        for (int i = 0; i < room; ++i) {
            out.data[room * other + i] = cell(rank, other, i);
            in.data[room * other + i] = -1;
        }
    }
}

static int launch(int w, enum Form form, MPI_Comm comm, MPI_Request* request)
{
    Side* const o = &out;
    Side* const i = &in;
#define V o->data, o->counts, o->places, o->types[0], i->data, i->counts, i->places, i->types[0], comm
#define W o->data, o->counts, o->bytes, o->types, i->data, i->counts, i->bytes, i->types, comm
    switch (form) {
    case blocking:
        return w ? MPI_Alltoallw(W) : MPI_Alltoallv(V);
    case nonblocking:
        return w ? MPI_Ialltoallw(W, request) : MPI_Ialltoallv(V, request);
    default:
#ifndef NO_PERSISTENT
        return w ? MPI_Alltoallw_init(W, MPI_INFO_NULL, request) : MPI_Alltoallv_init(V, MPI_INFO_NULL, request);
#else
        return MPI_ERR_OTHER;
#endif
    }
}

// One call, from its beginning to its end.
static int carry(int w, enum Form form, MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code = launch(w, form, comm, &request);
    if (code == MPI_SUCCESS && form > nonblocking) {
        code = MPI_Start(&request);
    }
    if (code == MPI_SUCCESS && form > blocking) {
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (request != MPI_REQUEST_NULL) {
        MPI_Request_free(&request);
    }
    return code;
}

static void check(const char* what, int holds, int value)
{
    if (!holds) {
        printf("FAILED: rank %d, %s: %d\n", rank, what, value);
        ++wrong;
    }
}

// Blocks whose two ends agree have arrived.
static void check_data(const char* what, int outside)
{
    for (int other = 0; other < size; ++other) {
        const int is_outside = (rank - other + size) % size == 2;
        for (int i = 0; i < in.counts[other] && (outside || !is_outside); ++i) {
            check(what, in.data[room * other + i] == cell(other, rank, i), in.data[room * other + i]);
        }
    }
}

static void make_graph(MPI_Comm comm)
{
    MPI_Pcontrol(0);
    for (int call = 0; call < warm_ups; ++call) {
        prepare(0, 0);
        check("warming up", carry(call % 2, blocking, comm) == MPI_SUCCESS, call);
        check_data("warming up", 0);
    }
    MPI_Pcontrol(1);
}

static void sent(MPI_Comm comm)
{
    void (*take_counts)(unsigned long long[2]);
    unsigned long long sums[2][forms][2] = {{{0}}};
    *(void**)&take_counts = dlsym(RTLD_DEFAULT, "take_counts");
    make_graph(comm);
    for (int call = 0; call < 4 * 2 * forms && take_counts != NULL; ++call) {
        const int w = call % 2;
        const enum Form form = (enum Form)(call / 2 % forms);
        const int outside = form > nonblocking ? 0 : call / 2 / forms * 5; // persistent ones would make another graph
        unsigned long long counts[2];
        MPI_Request request = MPI_REQUEST_NULL;
        prepare(outside, outside);
        if (form > nonblocking) {
            launch(w, form, comm, &request);
        }
        MPI_Barrier(comm);
        take_counts(counts); // of the preparation
        form > nonblocking ? MPI_Start(&request) : launch(w, form, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        take_counts(counts);
        for (int i = 0; i < 2; ++i) {
            sums[w][form][i] += counts[i];
        }
        check_data(names[w][form], 1);
        if (request != MPI_REQUEST_NULL) {
            MPI_Request_free(&request);
        }
        MPI_Barrier(comm);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2 * forms * 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 2 * forms && rank == 0; ++i) {
        printf("account: * %s messages=%llu bytes=%llu\n", names[i % 2][i / 2], sums[i % 2][i / 2][0],
               sums[i % 2][i / 2][1]);
    }
    check("libcounting.so is not preloaded", take_counts != NULL, 0);
}

// True for the error of a message that is too long. Under HOPSCOTCH_VERIFY blocking calls return the MPI library's
// error, which may name no cause.
static int is_truncation(int class, enum Form form)
{
    return class == MPI_ERR_TRUNCATE ||
           (class == MPI_ERR_IN_STATUS && form == blocking && getenv("HOPSCOTCH_VERIFY") != NULL);
}

static void not_as_expected(MPI_Comm comm)
{
    static const int sizes[][2] = {{6, 5}, {5, 6}, {5, 5}}; // sent and expected
    make_graph(comm);
    for (int call = 0; call < 3 * 2 * 2; ++call) {
        const int w = call % 2;
        const enum Form form = (enum Form)(call / 2 % 2);
        const int* const ints = sizes[call / 4];
        int class = MPI_SUCCESS;
        prepare(ints[0], ints[1]);
        handled = 0;
        MPI_Error_class(carry(w, form, comm), &class);
        check(names[w][form], ints[0] == ints[1] ? class == MPI_SUCCESS : is_truncation(class, form), class);
        check("calls of the error handler", handled == (ints[0] != ints[1]), handled);
        check_data(names[w][form], ints[0] == ints[1]);
        MPI_Barrier(comm);
    }
}

static void verified(MPI_Comm comm, enum Form form)
{
    enum { outside_ints = 100 };
    make_graph(comm);
    for (int call = 0; call < 4; ++call) {
        prepare(outside_ints, outside_ints);
        check(names[call % 2][form], carry(call % 2, form, comm) == MPI_SUCCESS, call);
        check_data(names[call % 2][form], 1);
    }
}

enum Fault { negative_near, negative_outside, no_type, uncommitted, faults };
static const char* const fault_names[faults] = {"negative count", "negative count outside", "no type",
                                                "uncommitted type"};

static void spoil(Side* side, enum Fault fault, int outside, MPI_Datatype type)
{
    for (int other = 0; other < size; ++other) {
        const int is_outside = other == outside;
        if (fault == negative_near ? side->counts[other] > 0 : fault == negative_outside && is_outside) {
            side->counts[other] = -1;
        }
        side->types[other] = fault == no_type ? MPI_DATATYPE_NULL : fault == uncommitted ? type : side->types[other];
    }
}

static void wrong_arguments(MPI_Comm comm)
{
    MPI_Datatype type;
    MPI_Type_contiguous(1, MPI_INT, &type);
    make_graph(comm);
    for (int call = 0; call < faults * 2 * 2 * forms; ++call) {
        const enum Fault fault = (enum Fault)(call % faults);
        const int w = call / faults % 2;
        const enum Form form = (enum Form)(call / faults / 2 % forms);
        const int sends = call / faults / 2 / forms;
        int class = MPI_SUCCESS;
        prepare(0, 0);
        spoil(sends ? &out : &in, fault, (sends ? rank + 2 : rank + size - 2) % size, type);
        handled = 0;
        MPI_Error_class(carry(w, form, comm), &class);
        printf("rank %d, %s, %s, %s: class %d, handler %d\n", rank, names[w][form], sends ? "sent" : "received",
               fault_names[fault], class, handled);
    }
    prepare(4, 4);
    check("the right call", carry(0, blocking, comm) == MPI_SUCCESS, 0);
    check_data("the right call", 1);
    MPI_Type_free(&type);
}

static void passed(MPI_Comm comm)
{
    for (int call = 0; call < 4 * 2 * forms; ++call) {
        const int number = call % 4;
        const int w = call / 4 % 2;
        const enum Form form = (enum Form)(call / 4 / 2);
        prepare(0, 0);
        for (int other = 0; other < size; ++other) {
            out.counts[other] = in.counts[other] = number == 3 ? -1 : 1;
        }
        MPI_Pcontrol(number != 1);
        const int code = carry(w, form, comm);
        MPI_Pcontrol(1);
        check(names[w][form], (code != MPI_SUCCESS) == (number == 3), number);
    }
}

static void star(MPI_Comm comm, int outwards)
{
    for (int call = 0; call < 5; ++call) {
        prepare(0, 0);
        for (int other = 0; other < size; ++other) {
            out.counts[other] = outwards ? rank == 0 : other == 0;
            in.counts[other] = outwards ? other == 0 : rank == 0;
        }
        check("star", carry(call % 2, blocking, comm) == MPI_SUCCESS, call);
        check_data("star", 1);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    const char* const mode = argc > 1 ? argv[1] : "";
    if (strcmp(mode, "sent") == 0) {
        sent(comm);
    } else if (strcmp(mode, "short") == 0) {
        not_as_expected(comm);
    } else if (strcmp(mode, "verified") == 0 && argc > 2) {
        verified(comm, strcmp(argv[2], "blocking") == 0 ? blocking : nonblocking);
    } else if (strcmp(mode, "wrong") == 0) {
        wrong_arguments(comm);
    } else if (strcmp(mode, "passed") == 0) {
        passed(comm);
    } else if (strcmp(mode, "star") == 0) {
        star(comm, 0);
        MPI_Comm_free(&comm);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        star(comm, 1);
    } else {
        fputs("usage: pattern sent | short | verified blocking|nonblocking | wrong | passed | star\n", stderr);
        ++wrong;
    }
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler);
    return conclude("pattern", wrong);
}
