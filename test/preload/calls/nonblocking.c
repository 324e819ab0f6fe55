// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares the nonblocking and persistent neighborhood collectives on random communicators and with random blocks, byte
// for byte and gaps included, with the expected result: up to four operations outstanding, among ordinary and inactive
// requests, completed in every way. Datatypes are freed as soon as the call has returned, communicators at times, too.
// Usage: runs.h; buffers may lie in the memory of a device
// (buffers.h).
#include "../../program.h"
#include "../device/buffers.h"
#include "completion.h"
#include "runs.h"

enum { batches = 4, most_operations = 4, most_starts = 3, ordinary_tag = 30 };

typedef struct {
    enum Form form;
    int function;
    Transfer transfer;
    Arguments out;
    Arguments in;
    Buffers buffers;
    unsigned char* arena; // content before the call
    unsigned char* wanted;
    MPI_Request request;
} Operation;

static Function called[request_forms][functions];
static Function native[request_forms][functions];
static int* matching[request_forms][functions];

static int may_reach_library(const Run* run)
{
    return called[0][0] == native[0][0] || may_be_native(run->network);
}

// The same without large counts, if the library has no such function.
static int there(enum Form form, int function)
{
    return native[form][function] != NULL ? function : function % operations;
}

static Operation make_operation(Run* run, enum Form form, int function, uint64_t key)
{
    Operation operation = {.form = form, .function = function, .request = MPI_REQUEST_NULL};
    const Call plan = random_call(run->network, function, key, run->largest_degree);
    operation.transfer = make_transfer(&plan, run->rank, matching[form][function]);
    operation.arena = allocate(operation.transfer.bytes);
    operation.wanted = allocate(operation.transfer.bytes);
    fill_before(&operation.transfer, operation.arena);
    fill_after(&operation.transfer, operation.wanted);
    operation.buffers = make_buffers(operation.transfer.bytes, key + (uint64_t)run->rank);
    put_image(&operation.buffers, operation.arena);
    operation.out = make_arguments(&operation.transfer, 1, operation.buffers.send);
    operation.in = make_arguments(&operation.transfer, 0, operation.buffers.receive);
    if (launch(form, function, called[form][function], &operation.out, &operation.in, run->comm, &operation.request) !=
        MPI_SUCCESS) {
        fault_of(run, form, function, "returned an error");
    }
#ifdef OPEN_MPI // 5.0.7 looks at the types of a persistent operation at its start
    if (form != form_persistent || !may_reach_library(run))
#endif
    {
        free_types(&operation.transfer);
    }
    ++run->counts[0];
    return operation;
}

static void free_operation(Operation* operation)
{
    free_arguments(&operation->out);
    free_arguments(&operation->in);
    free_transfer(&operation->transfer);
    free_buffers(&operation->buffers);
    free(operation->arena);
    free(operation->wanted);
}

static void add(Requests* all, MPI_Request request, int active, int persistent, int source, int tag)
{
    const int i = all->count++;
    all->request[i] = request;
    all->active[i] = active;
    all->persistent[i] = persistent;
    all->source[i] = source;
    all->tag[i] = tag;
}

// Ordinary requests, inactive ones and none at all. `ordinary`: data of the active ones.
static void add_ordinary(Requests* all, uint64_t* own, int (*ordinary)[2], MPI_Request* inactive)
{
    for (int i = random_below(own, 3); i > 0; --i) {
        add(all, MPI_REQUEST_NULL, 0, 0, MPI_ANY_SOURCE, 0);
    }
    if (*inactive != MPI_REQUEST_NULL && random_below(own, 2)) {
        add(all, *inactive, 0, 1, MPI_ANY_SOURCE, 0);
    }
    for (int i = 0; i < 2; ++i) {
        MPI_Request request;
        ordinary[i][0] = random_below(own, 1000);
        ordinary[i][1] = -1;
        if (random_below(own, 2)) {
            MPI_Irecv(&ordinary[i][1], 1, MPI_INT, 0, ordinary_tag + i, MPI_COMM_SELF, &request);
            add(all, request, 1, 0, 0, ordinary_tag + i);
            MPI_Isend(&ordinary[i][0], 1, MPI_INT, 0, ordinary_tag + i, MPI_COMM_SELF, &request);
            add(all, request, 1, 0, MPI_ANY_SOURCE, 0);
        } else {
            ordinary[i][1] = ordinary[i][0];
        }
    }
}

static void mix(Requests* all, uint64_t* own, int* where, int count)
{
    int order[most_requests];
    Requests mixed = {.count = all->count};
    for (int i = 0; i < all->count; ++i) {
        order[i] = i;
    }
    shuffle(own, order, all->count);
    for (int i = 0; i < all->count; ++i) {
        const int from = order[i];
        mixed.request[i] = all->request[from];
        mixed.active[i] = all->active[from];
        mixed.persistent[i] = all->persistent[from];
        mixed.source[i] = all->source[from];
        mixed.tag[i] = all->tag[from];
        if (from < count) {
            where[from] = i;
        }
    }
    *all = mixed;
}

static enum Style random_style(uint64_t* own, int native_persistent)
{
    return (enum Style)random_below(own, native_persistent ? style_waitany : styles);
}

// Starts the persistent ones in this process's own order, alone or together.
static void start_persistent(Operation* all, int count, uint64_t* own)
{
    int order[most_operations];
    MPI_Request requests[most_operations];
    int persistent = 0;
    for (int i = 0; i < count; ++i) {
        if (all[i].form == form_persistent) {
            order[persistent++] = i;
        }
    }
    shuffle(own, order, persistent);
    const int together = random_below(own, 2);
    for (int i = 0; i < persistent; ++i) {
        requests[i] = all[order[i]].request;
        if (!together) {
            MPI_Start(&requests[i]);
        }
    }
    if (together) {
        MPI_Startall(persistent, requests);
    }
}

// Other data for the next start; the same change on all processes.
static void change(Operation* operation, uint64_t by)
{
    operation->transfer.call.key += by;
    fill_before(&operation->transfer, operation->arena);
    fill_after(&operation->transfer, operation->wanted);
    put_image(&operation->buffers, operation->arena);
}

static void run_batch(Run* run, uint64_t* shared, uint64_t* own, int last)
{
    Operation all[most_operations];
    const int count = 1 + random_below(shared, most_operations);
    const int native_possible = may_reach_library(run);
    int persistent = 0;
    for (int i = 0; i < count; ++i) {
        enum Form form = (enum Form)random_below(shared, request_forms);
        int function = random_below(shared, functions);
        const uint64_t key = next_random(shared);
        if (natively_wrong(run->network, form, function) && native_possible) {
            function = op_alltoallv;
        }
        if (run->network->parallel && getenv("HOPSCOTCH_PARALLEL_EDGES") != NULL && native_possible) {
            function = op_allgatherv; // all parallel edges carry one block: their order does not matter
        }
        function = there(form, function);
        if (native[form][function] == NULL) {
            form = form_nonblocking;
        }
        all[i] = make_operation(run, form, function, key);
        persistent += form == form_persistent;
    }
#ifdef OPEN_MPI // 4.1.4 looks at the communicator at the completion of its operation
    const int may_be_freed = !native_possible;
#else
    const int may_be_freed = 1;
#endif
    if (last && random_below(shared, 2) && may_be_freed) {
        MPI_Comm_free(&run->comm);
    }
    MPI_Request inactive = MPI_REQUEST_NULL;
    int unused;
    if (random_below(own, 2)) {
        MPI_Recv_init(&unused, 1, MPI_INT, 0, ordinary_tag, MPI_COMM_SELF, &inactive);
    }
    const int starts = 1 + (persistent > 0 ? random_below(shared, most_starts) : 0);
    for (int start = 0; start < starts; ++start) {
        Requests requests = {0};
        int ordinary[2][2];
        int where[most_operations];
        for (int i = 0; i < count; ++i) {
            if (start > 0 && all[i].form == form_persistent) {
                change(&all[i], (uint64_t)start << 32);
            }
        }
        start_persistent(all, count, own);
        for (int i = 0; i < count; ++i) {
            const int held = all[i].form == form_persistent;
            add(&requests, all[i].request, held || start == 0, held, MPI_ANY_SOURCE, 0);
        }
        add_ordinary(&requests, own, ordinary, &inactive);
        mix(&requests, own, where, count);
        const enum Style style = random_style(own, persistent > 0 && native_possible);
        begin_call(run, style_name(style));
        run->faults += complete(&requests, style, random_below(own, 2), own);
        for (int i = 0; i < count; ++i) {
            all[i].request = requests.request[where[i]];
            unsigned char* now = allocate(all[i].transfer.bytes);
            get_image(&all[i].buffers, now, all[i].arena);
            check_arena(run, all[i].form, &all[i].transfer, "", now, all[i].wanted);
            free(now);
        }
        if (ordinary[0][0] != ordinary[0][1] || ordinary[1][0] != ordinary[1][1]) {
            fault_of(run, all[0].form, all[0].function, "an ordinary message beside it is wrong");
        }
    }
    for (int i = 0; i < count; ++i) {
        if (all[i].request != MPI_REQUEST_NULL) {
            MPI_Request_free(&all[i].request);
        }
        free_operation(&all[i]);
    }
    if (inactive != MPI_REQUEST_NULL) {
        MPI_Request_free(&inactive);
    }
}

// A persistent request freed while it is active: the data still arrives, even if this process makes other MPI calls
// meanwhile.
static void run_freed_active(Run* run, uint64_t* shared)
{
    const int function = there(form_persistent, random_below(shared, functions));
    Operation operation = make_operation(run, form_persistent, function, next_random(shared));
    MPI_Start(&operation.request);
    MPI_Request_free(&operation.request);
    if (operation.request != MPI_REQUEST_NULL) {
        fault_of(run, form_persistent, function, "the handle is not null when freed");
    }
    begin_call(run, "waiting for a freed request");
    unsigned char* now = allocate(operation.transfer.bytes);
    get_image(&operation.buffers, now, operation.arena);
    while (memcmp(now, operation.wanted, operation.transfer.bytes) != 0) {
        int flag;
        MPI_Iprobe(0, ordinary_tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); // on MPI_COMM_SELF it makes no progress
        get_image(&operation.buffers, now, operation.arena);
    }
    free(now);
    MPI_Barrier(run->comm); // nobody's buffer is freed before all have everything
    free_operation(&operation);
}

static void compare(Run* run, uint64_t* state)
{
    uint64_t own = *state + 977u * (uint64_t)(run->rank + 1);
    for (int i = 0; i < request_forms * functions; ++i) {
        int** slots = &matching[i / functions][i % functions];
        *slots = allocate((size_t)run->network->lists[run->rank].sources * sizeof(int));
        find_matching(run, (enum Form)(i / functions), native[i / functions], i % functions, *slots);
    }
    if (!may_reach_library(run) && native[form_persistent][op_alltoall] != NULL) {
        run_freed_active(run, state);
    }
    for (int batch = 0; batch < batches; ++batch) {
        run_batch(run, state, &own, batch + 1 == batches);
    }
    for (int i = 0; i < request_forms * functions; ++i) {
        free(matching[i / functions][i % functions]);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); // faults without a communicator go there
    for (int form = 0; form < request_forms; ++form) {
        find_functions((enum Form)form, native[form], called[form]);
    }
    return end_program(run_cases(argc, argv, "nonblocking", "%ld operations", compare));
}
