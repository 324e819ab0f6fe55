// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares MPI_Alltoallv and MPI_Alltoallw in all forms, on random communicators, byte for byte and gaps included, with
// the expected result. Patterns are sparse, dense or empty, and change in the middle; several operations may be in
// flight; types without data have counts; at times MPI_IN_PLACE. Usage: runs.h; with DEVICE_BUFFERS the buffers of the
// last calls on a communicator lie in the memory of a device (buffers.h).
//   sparse ring CALLS BYTES [COMMUNICATORS]    each process sends to the three before and the three behind it, on
//                                              so many duplicates one after the other
#include "../../program.h"
#include "../device/buffers.h"
#include "runs.h"

enum { patterns = 3, calls_of_case = 24, calls_on_host = 9, most_in_flight = 3, most_starts = 3 };
enum { pattern_sparse, pattern_ring, pattern_one_way, pattern_denser, pattern_full, pattern_empty, pattern_kinds };

// One side of the arguments, with an entry for each process.
typedef struct {
    void* buffer;
    MPI_Datatype type;
    int* counts;
    int* displacements; // in extents, or in bytes
    MPI_Count* large_counts;
    MPI_Aint* large_displacements;
    MPI_Datatype* types;
} Side;

typedef struct {
    Transfer transfer;
    Side out;
    Side in;
    Buffers buffers;
    unsigned char* arena; // their contents
    unsigned char* wanted;
    MPI_Request request;
} Exchange;

static void add_peer(Network* network, int from, int to, int most)
{
    const Lists* out = &network->lists[from];
    if (out->destinations >= most || network->lists[to].sources >= most) {
        return;
    }
    for (int i = 0; i < out->destinations; ++i) {
        if (out->destination[i] == to) {
            return;
        }
    }
    add_edge(network, from, to);
}

static Network make_pattern(uint64_t* state, int processes, int kind)
{
    Network network = {.size = processes};
    network.lists = allocate((size_t)processes * sizeof(Lists));
    memset(network.lists, 0, (size_t)processes * sizeof(Lists));
    const int half = processes / 2 > 0 ? processes / 2 : 1;
    const int step = 1 + random_below(state, processes);
    for (int process = 0; process < processes; ++process) {
        if (kind == pattern_ring) {
            add_peer(&network, process, (process + 1) % processes, half);
            add_peer(&network, process, (process + step) % processes, half);
        } else if (kind == pattern_full) {
            for (int to = 0; to < processes; ++to) {
                add_peer(&network, process, to, processes);
            }
        } else if (kind != pattern_empty && (kind != pattern_one_way || process % 3 == 0)) {
            const int most = kind == pattern_denser ? processes : half;
            for (int i = random_below(state, most + 1); i > 0; --i) {
                add_peer(&network, process, random_below(state, processes), most);
            }
        }
    }
    return network;
}

static Side make_side(const Transfer* transfer, int sending, unsigned char* arena, int processes)
{
    const Arguments packed = make_arguments(transfer, sending, arena);
    const Part* parts = sending ? transfer->send : transfer->receive;
    const int count = sending ? transfer->sends : transfer->receives;
    const ptrdiff_t base = sending ? transfer->send_base : transfer->receive_base;
    const int w = transfer->call.function % operations == op_alltoallw;
    const size_t n = (size_t)processes;
    Side side = {.buffer = packed.buffer, .type = packed.type};
    side.counts = allocate(n * sizeof(int));
    side.displacements = allocate(n * sizeof(int));
    side.large_counts = allocate(n * sizeof(MPI_Count));
    side.large_displacements = allocate(n * sizeof(MPI_Aint));
    side.types = allocate(n * sizeof(MPI_Datatype));
    for (int peer = 0; peer < processes; ++peer) {
        side.counts[peer] = 0;
        side.displacements[peer] = 12345;
        side.large_counts[peer] = 0;
        side.large_displacements[peer] = 12345;
        side.types[peer] = MPI_INT;
    }
    for (int i = 0; i < count; ++i) {
        const int peer = parts[i].peer;
        side.counts[peer] = packed.counts[i];
        side.displacements[peer] = w ? (int)(parts[i].at - base) : packed.indices[i];
        side.large_counts[peer] = packed.large_counts[i];
        side.large_displacements[peer] = w ? packed.bytes[i] : packed.large_indices[i];
        side.types[peer] = packed.types[i];
    }
    Arguments gone = packed;
    free_arguments(&gone);
    return side;
}

static void free_side(Side* side)
{
    free(side->counts);
    free(side->displacements);
    free(side->large_counts);
    free(side->large_displacements);
    free(side->types);
}

#ifdef NO_PERSISTENT
#define PERSISTENT_OR_NOT(name, ...) MPI_ERR_OTHER
#else
#define PERSISTENT_OR_NOT(name, ...) MPI_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, request)
#endif
#define V(count, displacement)                                                                                         \
    out->buffer, out->count, out->displacement, out->type, in->buffer, in->count, in->displacement, in->type
#define W(count, displacement)                                                                                         \
    out->buffer, out->count, out->displacement, out->types, in->buffer, in->count, in->displacement, in->types

static int call(enum Form form, int function, const Side* out, const Side* in, MPI_Comm comm, MPI_Request* request)
{
    switch (function) {
    case op_alltoallv:
        return form == form_blocking      ? MPI_Alltoallv(V(counts, displacements), comm)
               : form == form_nonblocking ? MPI_Ialltoallv(V(counts, displacements), comm, request)
                                          : PERSISTENT_OR_NOT(Alltoallv, V(counts, displacements));
    case op_alltoallw:
        return form == form_blocking      ? MPI_Alltoallw(W(counts, displacements), comm)
               : form == form_nonblocking ? MPI_Ialltoallw(W(counts, displacements), comm, request)
                                          : PERSISTENT_OR_NOT(Alltoallw, W(counts, displacements));
#ifndef NO_LARGE_COUNTS
    case operations + op_alltoallv:
        return form == form_blocking ? MPI_Alltoallv_c(V(large_counts, large_displacements), comm)
               : form == form_nonblocking
                   ? MPI_Ialltoallv_c(V(large_counts, large_displacements), comm, request)
                   : MPI_Alltoallv_init_c(V(large_counts, large_displacements), comm, MPI_INFO_NULL, request);
    default:
        return form == form_blocking ? MPI_Alltoallw_c(W(large_counts, large_displacements), comm)
               : form == form_nonblocking
                   ? MPI_Ialltoallw_c(W(large_counts, large_displacements), comm, request)
                   : MPI_Alltoallw_init_c(W(large_counts, large_displacements), comm, MPI_INFO_NULL, request);
#else
    default:
        return MPI_ERR_OTHER;
#endif
    }
}

static Exchange make_exchange(Run* run, const Network* pattern, int function, uint64_t key, int largest_degree,
                              int on_device)
{
    Exchange exchange = {.request = MPI_REQUEST_NULL};
    const Call plan = random_call(pattern, function, key, largest_degree);
    const Lists* mine = &pattern->lists[run->rank];
    int* matching = allocate(((size_t)mine->sources + 1) * sizeof *matching);
    for (int slot = 0; slot < mine->sources; ++slot) {
        int parallel;
        matching[slot] = matching_destination(&pattern->lists[mine->source[slot]], mine->source[slot], mine, run->rank,
                                              slot, &parallel);
    }
    exchange.transfer = make_transfer(&plan, run->rank, matching);
    // Displacements of MPI_Alltoallw are too short for addresses. libaware.so knows memory by the buffer argument.
    if (function == op_alltoallw || on_device) {
        exchange.transfer.send_bottom = exchange.transfer.receive_bottom = 0;
    }
    const ptrdiff_t bytes = (ptrdiff_t)exchange.transfer.bytes;
    on_device = on_device && exchange.transfer.send_base < bytes && exchange.transfer.receive_base < bytes;
    exchange.arena = allocate(exchange.transfer.bytes);
    exchange.wanted = allocate(exchange.transfer.bytes);
    fill_before(&exchange.transfer, exchange.arena);
    fill_after(&exchange.transfer, exchange.wanted);
    if (on_device) {
        exchange.buffers = make_buffers(exchange.transfer.bytes, key + (uint64_t)run->rank);
    } else {
        exchange.buffers.bytes = exchange.transfer.bytes;
        exchange.buffers.send = exchange.buffers.receive = allocate(exchange.transfer.bytes);
    }
    put_image(&exchange.buffers, exchange.arena);
    exchange.out = make_side(&exchange.transfer, 1, exchange.buffers.send, pattern->size);
    exchange.in = make_side(&exchange.transfer, 0, exchange.buffers.receive, pattern->size);
    free(matching);
    return exchange;
}

static void check(Run* run, Exchange* exchange, enum Form form)
{
    get_image(&exchange->buffers, exchange->arena, exchange->arena);
    check_arena(run, form, &exchange->transfer, "as among all: ", exchange->arena, exchange->wanted);
}

static void free_exchange(Run* run, Exchange* exchange)
{
    free_side(&exchange->out);
    free_side(&exchange->in);
    free_transfer(&exchange->transfer);
    free_buffers(&exchange->buffers);
    free(exchange->arena);
    free(exchange->wanted);
    ++run->counts[0];
}

static void run_persistent(Run* run, Exchange* exchange, uint64_t* state)
{
    for (int start = random_below(state, most_starts); start >= 0; --start) {
        MPI_Start(&exchange->request);
        MPI_Wait(&exchange->request, MPI_STATUS_IGNORE);
        check(run, exchange, form_persistent);
        exchange->transfer.call.key += (uint64_t)1 << 32; // other data for the next start
        if (start > 0) {
            fill_before(&exchange->transfer, exchange->arena);
            fill_after(&exchange->transfer, exchange->wanted);
            put_image(&exchange->buffers, exchange->arena);
        }
    }
    MPI_Request_free(&exchange->request);
}

// Types without data, with counts that differ on the two ends.
static void exchange_nothing(Run* run, int form)
{
    const int processes = run->network->size;
    int* counts = allocate((size_t)processes * sizeof *counts);
    MPI_Datatype* types = allocate((size_t)processes * sizeof *types);
    MPI_Datatype nothing;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    for (int peer = 0; peer < processes; ++peer) {
        counts[peer] = (peer + run->rank) % 3;
        types[peer] = nothing;
    }
    int unused = 7;
    begin_call(run, "MPI_Alltoallv of nothing");
    if (form) {
        MPI_Alltoallv(&unused, counts, counts, nothing, &unused + 1, counts, counts, nothing, run->comm);
    } else {
        MPI_Alltoallw(&unused, counts, counts, types, &unused + 1, counts, counts, types, run->comm);
    }
    if (unused != 7) {
        fault(run, "MPI_Alltoallv", "types without data have changed memory");
    }
    MPI_Type_free(&nothing);
    free(counts);
    free(types);
}

static void exchange_in_place(Run* run)
{
    const int processes = run->network->size;
    int* counts = allocate((size_t)processes * sizeof *counts);
    int* places = allocate((size_t)processes * sizeof *places);
    int* values = allocate((size_t)processes * sizeof *values);
    for (int peer = 0; peer < processes; ++peer) {
        counts[peer] = (peer + run->rank) % 4 == 0;
        places[peer] = peer;
        values[peer] = 1000 * run->rank + peer;
    }
    begin_call(run, "MPI_Alltoallv in place");
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, values, counts, places, MPI_INT, run->comm);
    for (int peer = 0; peer < processes; ++peer) {
        if (values[peer] != (counts[peer] ? 1000 * peer + run->rank : 1000 * run->rank + peer)) {
            fault(run, "MPI_Alltoallv", "a wrong value in place");
        }
    }
    free(counts);
    free(places);
    free(values);
}

static int may_persist(void)
{
#ifdef NO_PERSISTENT
    return 0;
#else
    return 1;
#endif
}

static int has_device(void)
{
    return getenv("DEVICE_BUFFERS") != NULL;
}

static int may_be_large(void)
{
#ifdef NO_LARGE_COUNTS
    return 0;
#else
    return !has_device(); // libaware.so knows forms with int counts
#endif
}

static void compare(Run* run, uint64_t* state)
{
    const int processes = run->network->size;
    Network pattern[patterns];
    for (int i = 0; i < patterns; ++i) {
        const int kind = random_below(state, 2) ? random_below(state, 3) : random_below(state, pattern_kinds);
        pattern[i] = make_pattern(state, processes, kind);
    }
    Exchange in_flight[most_in_flight];
    int flying = 0;
    for (int number = 0; number < calls_of_case; ++number) {
        const int now = random_below(state, 5) == 0 ? random_below(state, patterns) : number * 2 / calls_of_case;
        const int what = random_below(state, 20);
        const enum Form form = what < 4                    ? form_nonblocking
                               : what < 6 && may_persist() ? form_persistent
                                                           : form_blocking;
        const int function = (random_below(state, 2) ? op_alltoallv : op_alltoallw) +
                             (may_be_large() && random_below(state, 2) ? operations : 0);
        if (what == 19) {
            random_below(state, 2) ? exchange_in_place(run) : exchange_nothing(run, random_below(state, 2));
        }
        Exchange made = make_exchange(run, &pattern[now], function, next_random(state), processes,
                                      number >= calls_on_host && has_device());
        begin_call(run, "MPI_Alltoallv or MPI_Alltoallw");
        if (call(form, function, &made.out, &made.in, run->comm, &made.request) != MPI_SUCCESS) {
            fault(run, "MPI_Alltoallv", "returned an error");
        }
        if (form == form_nonblocking) {
            in_flight[flying++] = made;
        } else {
            if (form == form_persistent) {
                run_persistent(run, &made, state);
            } else {
                check(run, &made, form);
            }
            free_exchange(run, &made);
        }
        if (flying == most_in_flight || number + 1 == calls_of_case || random_below(state, 3) == 0) {
            while (flying > 0) {
                MPI_Wait(&in_flight[--flying].request, MPI_STATUS_IGNORE);
                check(run, &in_flight[flying], form_nonblocking);
                free_exchange(run, &in_flight[flying]);
            }
        }
    }
    for (int i = 0; i < patterns; ++i) {
        free(pattern[i].lists);
    }
}

static int ring(MPI_Comm comm, int calls, int bytes)
{
    int* counts = allocate((size_t)size * sizeof *counts);
    int* places = allocate((size_t)size * sizeof *places);
    memset(counts, 0, (size_t)size * sizeof *counts);
    for (int far = 1; far <= 3; ++far) {
        counts[(rank + far) % size] = bytes;
        counts[(rank - far % size + size) % size] = bytes;
    }
    char* out = allocate((size_t)size * (size_t)bytes + 1);
    char* in = allocate((size_t)size * (size_t)bytes + 1);
    for (int other = 0; other < size; ++other) {
        places[other] = other * bytes;
        memset(out + other * bytes, rank + other, (size_t)bytes);
    }
    int wrong = 0;
    for (int i = 0; i < calls; ++i) {
        memset(in, -1, (size_t)size * (size_t)bytes);
        MPI_Alltoallv(out, counts, places, MPI_CHAR, in, counts, places, MPI_CHAR, comm);
        for (int other = 0; other < size; ++other) {
            const char wanted = (char)(counts[other] > 0 ? rank + other : -1);
            wrong += bytes > 0 && in[other * bytes] != wanted;
        }
    }
    printf("rank %d: %d wrong\n", rank, wrong);
    free(counts);
    free(places);
    free(out);
    free(in);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int failures = 0;
    if (argc >= 4 && strcmp(argv[1], "ring") == 0) {
        for (int i = argc > 4 ? atoi(argv[4]) : 1; i > 0; --i) {
            MPI_Comm comm;
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            failures += ring(comm, atoi(argv[2]), atoi(argv[3]));
            MPI_Comm_free(&comm);
        }
    } else {
        failures = run_cases(argc, argv, "sparse", "%ld calls", compare);
    }
    return end_program(failures == 0 ? 0 : 1);
}
