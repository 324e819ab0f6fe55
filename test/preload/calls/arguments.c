// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Wrong arguments, on all processes alike: prints the result of each call and the error handler that was called, so
// that compare.py finds any difference; then the next right call has to work. No process passes arguments that crash in
// MPICH 4.0.2 itself: missing arrays despite neighbors, MPI_IN_PLACE with data, types and requests that were freed.
//
//   arguments calls      every neighborhood collective in every form, and MPI_Allgather
//   arguments requests   every function that starts, completes or frees requests
#include "../../program.h"
#include "flights.h"
#include "launch.h"

enum { cells = 3, most_neighbors = 4, most_seconds = 60, room_for_text = 1 << 18 };
enum Fault {
    negative_count,
    no_type,
    uncommitted_type,
    recycled_type, // uncommitted, with the handle of one that was committed and freed
    no_buffer,
    handle_of_another_kind,
    nothing_of_no_type, // no fault for MPICH
    faults
};
static const char* const fault_names[faults] = {"negative count",    "no type",   "uncommitted type",
                                                "recycled type",     "no buffer", "handle of another kind",
                                                "nothing of no type"};

typedef struct {
    MPI_Comm comm;
    const char* name;
    int sources, destinations;
    int source[most_neighbors], destination[most_neighbors];
} Graph;

static int seen_by_graph, seen_by_world;
static enum Form form;
static Function called[forms][functions];
static char doing[200];
static char said[room_for_text]; // lines of several processes at once would mix
static int said_bytes;

static void on_graph(MPI_Comm* comm, int* code, ...)
{
    ++seen_by_graph;
}

static void on_world(MPI_Comm* comm, int* code, ...)
{
    ++seen_by_world;
}

static void note(const char* what, int value)
{
    const int room = room_for_text - said_bytes;
    const int length = snprintf(said + said_bytes, (size_t)room, "rank %d, %s: %s %d, handlers %d %d\n", rank, doing,
                                what, value, seen_by_graph, seen_by_world);
    said_bytes += length < room ? length : 0;
    seen_by_graph = seen_by_world = 0;
}

static void say(const char* what, int code)
{
    char text[200];
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    snprintf(text, sizeof text, "%s: class", what);
    note(text, class);
}

static void print_all(void)
{
    for (int from = 0; from < size; ++from) {
        if (from > 0 && rank == from) {
            MPI_Send(said, said_bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
        } else if (from > 0 && rank == 0) {
            MPI_Status status;
            MPI_Recv(said, room_for_text, MPI_CHAR, from, 0, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_CHAR, &said_bytes);
        }
        if (rank == 0) {
            fwrite(said, 1, (size_t)said_bytes, stdout);
        }
    }
}

static Arguments side(int blocks, int* buffer, MPI_Datatype type)
{
    Arguments result = allocate_arguments(blocks);
    result.buffer = buffer;
    result.count = cells;
    result.type = type;
    for (int i = 0; i < blocks; ++i) {
        result.counts[i] = cells;
        result.large_counts[i] = cells;
        result.indices[i] = i * cells;
        result.large_indices[i] = i * cells;
        result.bytes[i] = i * cells * (MPI_Aint)sizeof(int);
        result.types[i] = type;
    }
    return result;
}

static int complete(MPI_Request* request)
{
    int code = form == form_persistent ? MPI_Start(request) : MPI_SUCCESS;
    if (code == MPI_SUCCESS) {
        code = MPI_Wait(request, MPI_STATUS_IGNORE);
    }
    if (form == form_persistent) {
        MPI_Request_free(request);
    }
    return code;
}

static int call(const Graph* graph, int function, const Arguments* send, const Arguments* receive)
{
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = launch(form, function, called[form][function], send, receive, graph->comm, &request);
    return code == MPI_SUCCESS && form != form_blocking ? complete(&request) : code;
}

// A right call, with these types. `idle`: a process that sends or receives nothing passes neither buffer nor lists.
static void call_rightly(const Graph* graph, int function, MPI_Datatype sent, MPI_Datatype received, int idle)
{
    static int round;
    int out[most_neighbors * cells], in[most_neighbors * cells];
    ++round;
    for (int i = 0; i < most_neighbors * cells; ++i) {
        out[i] = 1000 * round + rank;
        in[i] = -1;
    }
    Arguments send = side(graph->destinations, out, sent);
    Arguments receive = side(graph->sources, in, received);
    Arguments nothing = {.type = MPI_INT};
#ifndef OPEN_MPI
    const int operation = function % operations;
    nothing.type = operation == op_alltoall || operation == op_allgather ? MPI_DATATYPE_NULL : MPI_INT;
#endif
    const int code = call(graph, function, idle && graph->destinations == 0 ? &nothing : &send,
                          idle && graph->sources == 0 ? &nothing : &receive);
    int wrong = 0;
    for (int i = 0; i < graph->sources * cells; ++i) {
        wrong += in[i] != 1000 * round + graph->source[i / cells];
    }
    if (wrong || code != MPI_SUCCESS) {
        say("FAILED: the right call", code);
        note("wrong numbers", wrong);
    }
    free_arguments(&send);
    free_arguments(&receive);
}

static MPI_Datatype one_int(int committed)
{
    MPI_Datatype type;
    MPI_Type_contiguous(1, MPI_INT, &type);
    if (committed) {
        MPI_Type_commit(&type);
    }
    return type;
}

static MPI_Datatype wrong_type(const Graph* graph, int function, enum Fault fault)
{
    if (fault == recycled_type) {
        MPI_Datatype type = one_int(1);
        call_rightly(graph, function, type, type, 0);
        MPI_Type_free(&type);
    }
    switch (fault) {
#ifndef OPEN_MPI // its handles are pointers
    case handle_of_another_kind:
        return (MPI_Datatype)MPI_COMM_WORLD;
#endif
    case no_type:
    case nothing_of_no_type:
        return MPI_DATATYPE_NULL;
    case uncommitted_type:
    case recycled_type:
        return one_int(0);
    default:
        return MPI_INT;
    }
}

// Spoils one argument, in arrays of the last block.
static void spoil(Arguments* arguments, int blocks, enum Fault fault, MPI_Datatype type)
{
    arguments->type = type;
    if (blocks > 0) {
        arguments->types[blocks - 1] = type;
    }
    if (fault == negative_count) {
        arguments->count = -1;
        arguments->counts[blocks - 1] = -1;
        arguments->large_counts[blocks - 1] = -1;
    } else if (fault == no_buffer) {
        arguments->buffer = NULL;
    } else if (fault == nothing_of_no_type) {
        arguments->count = 0;
    }
}

// True if this side of the function has one count for all blocks.
static int has_one_count(int function, int sending)
{
    const int operation = function % operations;
    return operation == op_alltoall || operation == op_allgather || (operation == op_allgatherv && sending);
}

// Faults that a library cannot be asked about, or does not report for this function.
static int can_try(int function, enum Fault fault)
{
#ifdef OPEN_MPI // looks at no buffer, and lets no type pass without data
    return fault < no_buffer;
#endif
    return fault != nothing_of_no_type || (has_one_count(function, 0) && has_one_count(function, 1));
}

static void call_wrongly(const Graph* graph, int function, int sending, enum Fault fault)
{
    int buffer[2][most_neighbors * cells] = {{0}};
    const int blocks[2] = {graph->sources, graph->destinations};
    MPI_Datatype type = wrong_type(graph, function, fault);
    Arguments arguments[2] = {side(blocks[0], buffer[0], MPI_INT), side(blocks[1], buffer[1], MPI_INT)};
    spoil(&arguments[sending], blocks[sending], fault, type);
    if (fault == nothing_of_no_type) { // both ends agree
        spoil(&arguments[!sending], blocks[!sending], fault, type);
    }
    say(sending ? "wrong to send" : "wrong to receive", call(graph, function, &arguments[1], &arguments[0]));
    if (fault == uncommitted_type || fault == recycled_type) {
        MPI_Type_commit(&type);
        call_rightly(graph, function, type, type, 0);
        MPI_Type_free(&type);
    }
    free_arguments(&arguments[0]);
    free_arguments(&arguments[1]);
}

static void try_function(const Graph* graph, int function)
{
    char name[64];
    form_name(form, function, name, sizeof name);
    for (int fault = 0; fault < faults; ++fault) {
        for (int sending = 0; sending < 2; ++sending) {
            snprintf(doing, sizeof doing, "%s on a %s, %s", name, graph->name, fault_names[fault]);
            watch(doing, most_seconds);
            if (can_try(function, (enum Fault)fault)) {
                call_wrongly(graph, function, sending, (enum Fault)fault);
                call_rightly(graph, function, MPI_INT, MPI_INT, 0);
            }
        }
    }
    snprintf(doing, sizeof doing, "%s on a %s", name, graph->name);
    Arguments right = side(most_neighbors, (int[most_neighbors * cells]){0}, MPI_INT);
#ifndef OPEN_MPI // it follows null pointers in some of these calls
    MPI_Request request = MPI_REQUEST_NULL;
    say("no communicator", launch(form, function, called[form][function], &right, &right, MPI_COMM_NULL, &request));
    if (form != form_blocking) {
        say("no request", launch(form, function, called[form][function], &right, &right, graph->comm, NULL));
    }
#endif
    call_rightly(graph, function, MPI_INT, MPI_INT, 0);
    free_arguments(&right);
}

static Graph make_graph(const char* name, int sources, const int* source, int destinations, const int* destination)
{
    Graph graph = {.name = name, .sources = sources, .destinations = destinations};
    memcpy(graph.source, source, (size_t)sources * sizeof *source);
    memcpy(graph.destination, destination, (size_t)destinations * sizeof *destination);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, sources, graph.source, MPI_UNWEIGHTED, destinations,
                                   graph.destination, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph.comm);
    return graph;
}

static Graph ring_graph(void)
{
    const int neighbors[2] = {(rank + size - 1) % size, (rank + 1) % size};
    return make_graph("ring", 2, neighbors, 2, neighbors);
}

// Each process sends to the next one: the first has no source, the last no destination.
static Graph make_line(void)
{
    const int before = rank - 1, next = rank + 1;
    return make_graph("line", rank > 0, &before, next < size, &next);
}

// Processes without a neighbor on one side give no arguments for it, or any.
static void try_idle_sides(const Graph* line)
{
    for (int function = 0; function < functions; ++function) {
        if (called[form][function] == NULL || function % operations == op_alltoallw) { // the library mixes up degrees
            continue;
        }
        char name[64];
        form_name(form, function, name, sizeof name);
        snprintf(doing, sizeof doing, "%s on a line, nothing to give", name);
        watch(doing, most_seconds);
#ifndef OPEN_MPI
        call_rightly(line, function, MPI_INT, MPI_INT, 1);
        if (has_one_count(function, 0) && has_one_count(function, 1)) {
            call_wrongly(line, function, 0, no_buffer);
            call_wrongly(line, function, 1, no_buffer);
        }
#endif
        call_rightly(line, function, MPI_INT, MPI_INT, 0);
    }
}

static void gather_rightly(MPI_Comm comm)
{
    int all[most_neighbors];
    const int own = 100 + rank;
    const int code = MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; ++i) {
        if (code != MPI_SUCCESS || all[i] != 100 + i) {
            say("FAILED: the right call", code);
        }
    }
}

// Arguments that MPI_Allgather rejects. If data are missing on both sides it returns without a message.
static void try_allgather(MPI_Comm comm)
{
    int out[cells] = {0};
    int in[most_neighbors * cells];
    MPI_Datatype type = one_int(0);
    snprintf(doing, sizeof doing, "MPI_Allgather");
    watch(doing, most_seconds);
#define TRY(out, count, type, in, in_count, in_type)                                                                   \
    say(#out " " #count " " #type " " #in " " #in_count " " #in_type,                                                  \
        MPI_Allgather(out, count, type, in, in_count, in_type, comm));                                                 \
    gather_rightly(comm)
    TRY(out, -1, MPI_INT, in, cells, MPI_INT);
    TRY(out, cells, MPI_INT, in, -1, MPI_INT);
    TRY(out, cells, MPI_DATATYPE_NULL, in, cells, MPI_INT);
    TRY(out, cells, MPI_INT, in, cells, MPI_DATATYPE_NULL);
    TRY(out, cells, type, in, cells, MPI_INT);
    TRY(out, cells, MPI_INT, in, cells, type);
    TRY(out, 0, type, in, 0, MPI_INT);
    TRY(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, cells, type);
    TRY(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, in, cells, MPI_INT);
#ifndef OPEN_MPI
    TRY(out, 0, MPI_DATATYPE_NULL, in, 0, MPI_INT);
    TRY(NULL, cells, MPI_INT, in, cells, MPI_INT);
    TRY(out, cells, MPI_INT, NULL, cells, MPI_INT);
    TRY(out, cells, MPI_INT, MPI_IN_PLACE, cells, MPI_INT);
    TRY(in + rank * cells, cells, MPI_INT, in, cells, MPI_INT);
#endif
    MPI_Type_free(&type);
}

static void try_calls(const Graph* ring, const Graph* line)
{
    for (form = 0; form < forms; ++form) {
        for (int function = 0; function < functions; ++function) {
            if (called[form][function] != NULL) {
                try_function(ring, function);
            }
        }
        try_idle_sides(line);
    }
    try_allgather(ring->comm);
}

// Wrong calls of functions for requests, while `active` is in flight and `ready` is a persistent one that is not.
static void complete_wrongly(MPI_Request active, MPI_Request ready)
{
    MPI_Request requests[2] = {active, ready};
    MPI_Request none = MPI_REQUEST_NULL;
    MPI_Status status[2];
    int flag, count, indices[2];
#define SAY(call) say(#call, call)
    SAY(MPI_Wait(NULL, status));
    SAY(MPI_Test(NULL, &flag, status));
    SAY(MPI_Test(&active, NULL, status));
    SAY(MPI_Request_get_status(active, NULL, status));
    SAY(MPI_Start(NULL));
    SAY(MPI_Start(&none));
    SAY(MPI_Start(&active));
    SAY(MPI_Request_free(NULL));
    SAY(MPI_Request_free(&none));
    SAY(MPI_Waitall(2, NULL, status));
    SAY(MPI_Waitall(-1, requests, status));
    SAY(MPI_Testall(2, NULL, &flag, status));
    SAY(MPI_Testall(-1, requests, &flag, status));
    SAY(MPI_Testall(2, requests, NULL, status));
    SAY(MPI_Waitany(2, NULL, &count, status));
    SAY(MPI_Waitany(-1, requests, &count, status));
    SAY(MPI_Waitany(2, requests, NULL, status));
    SAY(MPI_Testany(2, NULL, &count, &flag, status));
    SAY(MPI_Testany(-1, requests, &count, &flag, status));
    SAY(MPI_Testany(2, requests, NULL, &flag, status));
    SAY(MPI_Testany(2, requests, &count, NULL, status));
    SAY(MPI_Waitsome(2, NULL, &count, indices, status));
    SAY(MPI_Waitsome(-1, requests, &count, indices, status));
    SAY(MPI_Waitsome(2, requests, NULL, indices, status));
    SAY(MPI_Waitsome(2, requests, &count, NULL, status));
    SAY(MPI_Testsome(2, NULL, &count, indices, status));
    SAY(MPI_Testsome(-1, requests, &count, indices, status));
    SAY(MPI_Testsome(2, requests, NULL, indices, status));
    SAY(MPI_Testsome(2, requests, &count, NULL, status));
    SAY(MPI_Startall(2, NULL));
    SAY(MPI_Startall(-1, requests));
    SAY(MPI_Cancel(NULL));
    SAY(MPI_Cancel(&none));
    const int refused = MPI_Cancel(&active) != MPI_SUCCESS && MPI_Cancel(&ready) != MPI_SUCCESS;
    seen_by_graph = seen_by_world = 0; // libraries differ in the handler called, and in the class
    note("MPI_Cancel: refused", refused);
#ifndef OPEN_MPI // it takes NULL for MPI_STATUS_IGNORE
    SAY(MPI_Wait(&active, NULL));
    SAY(MPI_Test(&active, &flag, NULL));
    SAY(MPI_Request_get_status(active, &flag, NULL));
    SAY(MPI_Waitall(2, requests, NULL));
    SAY(MPI_Testall(2, requests, &flag, NULL));
    SAY(MPI_Waitany(2, requests, &count, NULL));
    SAY(MPI_Testany(2, requests, &count, &flag, NULL));
    SAY(MPI_Waitsome(2, requests, &count, indices, NULL));
    SAY(MPI_Testsome(2, requests, &count, indices, NULL));
#endif
}

#ifndef NO_PERSISTENT
// From an array with an active request none is started: then each can be.
static void start_wrongly(MPI_Request active, MPI_Request ready)
{
    MPI_Request requests[2] = {ready, active};
    SAY(MPI_Startall(2, requests));
    SAY(MPI_Start(&ready));
    SAY(MPI_Start(&ready));
    SAY(MPI_Startall(1, &ready));
}
#endif

static void try_requests(const Graph* ring)
{
    int out[2 * cells], in[2][2 * cells];
    for (int i = 0; i < 2 * cells; ++i) {
        out[i] = rank;
        in[0][i] = in[1][i] = -1;
    }
    MPI_Request active, ready = MPI_REQUEST_NULL;
    snprintf(doing, sizeof doing, "requests");
    watch(doing, most_seconds);
    MPI_Ineighbor_alltoall(out, cells, MPI_INT, in[0], cells, MPI_INT, ring->comm, &active);
#ifdef NO_PERSISTENT
    complete_wrongly(active, ready);
    MPI_Wait(&active, MPI_STATUS_IGNORE);
    MPI_Ineighbor_alltoall(out, cells, MPI_INT, in[1], cells, MPI_INT, ring->comm, &ready);
#else
    MPI_Neighbor_alltoall_init(out, cells, MPI_INT, in[1], cells, MPI_INT, ring->comm, MPI_INFO_NULL, &ready);
    complete_wrongly(active, ready);
    start_wrongly(active, ready);
    MPI_Wait(&active, MPI_STATUS_IGNORE);
#endif
    SAY(MPI_Wait(&ready, MPI_STATUS_IGNORE));
    for (int i = 0; i < 2 * cells; ++i) {
        if (in[0][i] != ring->source[i / cells] || in[1][i] != ring->source[i / cells]) {
            note("FAILED: wrong data at", i);
        }
    }
    if (ready != MPI_REQUEST_NULL) {
        MPI_Request_free(&ready);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    for (form = 0; form < forms; ++form) {
        Function native[functions];
        find_functions(form, native, called[form]);
    }
    MPI_Errhandler handlers[2];
    MPI_Comm_create_errhandler(on_graph, &handlers[0]);
    MPI_Comm_create_errhandler(on_world, &handlers[1]);
    const Graph ring = ring_graph();
    const Graph line = make_line();
    for (int own = 0; own < 2; ++own) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, own ? handlers[1] : MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(ring.comm, own ? handlers[0] : MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(line.comm, own ? handlers[0] : MPI_ERRORS_RETURN);
        if (argc > 1 && strcmp(argv[1], "requests") == 0) {
            try_requests(&ring);
        } else {
            try_calls(&ring, &line);
        }
    }
    print_all();
    return end_program(0);
}
