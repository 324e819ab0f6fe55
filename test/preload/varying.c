// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares all neighborhood collectives, the v and w forms and those with large counts above all, on random
// communicators and with random blocks, byte for byte and gaps included, with the expected result; now and then with
// the MPI library's own functions, too, which it finds behind any preload. What parallel edges bring is learned from
// these before.
//
//   varying random SEED CASES          CASES random cases for the number of processes it runs on
//   varying case SEED NUMBER           one of them again
#include "launch.h"
#include "networks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { calls_of_each = 4, most_seconds = 90 };

typedef struct {
    unsigned long long seed;
    int number;
    const Network* network;
    MPI_Comm comm;
    int rank;
    int* matching[functions]; // by slot: which destination of its source ends there
    long calls;
    long native_calls;
} Run;

static Function called[functions];
static Function native[functions];
static char doing[200]; // for the alarm

static void stuck(int signal_number)
{
    (void)signal_number;
    (void)!write(STDOUT_FILENO, doing, strlen(doing));
    _exit(3);
}

static void complain(const Run* run, const Transfer* transfer, int call, const char* what)
{
    char text[2000];
    describe_network(run->network, text, sizeof text);
    printf("FAILED: seed %llu, case %d, %s, call %d, rank %d: %s\n  unit %d, %s\n", run->seed, run->number,
           function_name(transfer->call.function), call, run->rank, what, transfer->call.unit, text);
    fflush(stdout);
}

static int compare(const Run* run, const Transfer* transfer, int call, const char* with, const unsigned char* got,
                   const unsigned char* wanted)
{
    if (memcmp(got, wanted, transfer->bytes) == 0) {
        return 0;
    }
    size_t byte = 0;
    size_t wrong = 0;
    for (size_t i = transfer->bytes; i-- > 0;) {
        if (got[i] != wanted[i]) {
            byte = i;
            ++wrong;
        }
    }
    char place[200];
    char text[500];
    locate(transfer, byte, place, sizeof place);
    snprintf(text, sizeof text, "%zu bytes differ from %s, the first is byte %zu, %s: got %02x, not %02x", wrong, with,
             byte, place, got[byte], wanted[byte]);
    complain(run, transfer, call, text);
    return 1;
}

static int check_code(const Run* run, const Transfer* transfer, int call, const char* who, int code)
{
    if (code == MPI_SUCCESS) {
        return 0;
    }
    char message[MPI_MAX_ERROR_STRING];
    char text[MPI_MAX_ERROR_STRING + 100];
    int length;
    MPI_Error_string(code, message, &length);
    snprintf(text, sizeof text, "%s returned: %.*s", who, length, message);
    complain(run, transfer, call, text);
    return 1;
}

// Whether the shim is told to match parallel edges otherwise than the library.
static int matched_otherwise(const Network* network)
{
    return network->parallel && getenv("HOPSCOTCH_PARALLEL_EDGES") != NULL;
}

static int run_call(Run* run, int function, int call, uint64_t key, int largest_degree)
{
    const Call plan = random_call(run->network, function, key, largest_degree);
    Transfer transfer = make_transfer(&plan, run->rank, run->matching[function]);
    unsigned char* arena = allocate(transfer.bytes);
    unsigned char* wanted = allocate(transfer.bytes);
    fill_before(&transfer, arena);
    fill_after(&transfer, wanted);
    snprintf(doing, sizeof doing,
             "FAILED: stuck on rank %d, seed %llu, case %d, call %d, %s; again with: varying case %llu %d\n", run->rank,
             run->seed, run->number, call, function_name(function), run->seed, run->number);
    const int code = perform(&transfer, arena, called[function], run->comm);
    int failures = check_code(run, &transfer, call, "the function", code);
    if (failures == 0) {
        failures += compare(run, &transfer, call, "the expected result", arena, wanted);
    }
    ++run->calls;
    if (key / 64 % 8 == 0 && !natively_wrong(run->network, form_blocking, function) &&
        !matched_otherwise(run->network)) {
        fill_before(&transfer, arena);
        const int native_code = perform(&transfer, arena, native[function], run->comm);
        failures += check_code(run, &transfer, call, "the MPI library's function", native_code);
        failures += compare(run, &transfer, call, "the expected result, natively", arena, wanted);
        ++run->native_calls;
    }
    free(arena);
    free(wanted);
    free_transfer(&transfer);
    return failures;
}

// MPI 4.1, 8.6: on graphs the k-th edge to a process ends in the k-th slot from there, on a Cartesian communicator what
// is sent one way comes from the other.
static void match_by_order(const Network* network, int rank, int* matching)
{
    const Lists* mine = &network->lists[rank];
    for (int slot = 0; slot < mine->sources; ++slot) {
        const int source = mine->source[slot];
        int parallel;
        matching[slot] = 0;
        if (source != no_process) {
            matching[slot] = network->kind == kind_cartesian
                                 ? slot ^ 1
                                 : matching_destination(&network->lists[source], source, mine, rank, slot, &parallel);
        }
    }
}

// Lets the MPI library carry the numbers of the edges.
static void match_by_library(const Run* run, int function, int* matching)
{
    const Lists* mine = &run->network->lists[run->rank];
    const size_t most = (size_t)(mine->sources > mine->destinations ? mine->sources : mine->destinations);
    Shape shape = {.type = MPI_INT, .predefined = 1, .bytes = sizeof(int), .extent = sizeof(int)};
    Transfer transfer = {.call = {.network = run->network, .function = function},
                         .sends = mine->destinations,
                         .receives = mine->sources,
                         .send = allocate(most * sizeof(Part)),
                         .receive = allocate(most * sizeof(Part)),
                         .receive_base = (ptrdiff_t)(most * sizeof(int))};
    int* arena = allocate(2 * most * sizeof *arena);
    for (size_t i = 0; i < most; ++i) {
        arena[i] = (int)i;
        arena[most + i] = 0;
        transfer.send[i] = (Part){.shape = &shape, .count = 1, .at = (ptrdiff_t)(i * sizeof(int))};
        transfer.receive[i] = (Part){.shape = &shape, .count = 1, .at = (ptrdiff_t)((most + i) * sizeof(int))};
    }
    perform(&transfer, (unsigned char*)arena, native[function], run->comm);
    memcpy(matching, arena + most, (size_t)mine->sources * sizeof *matching);
    free(arena);
    free(transfer.send);
    free(transfer.receive);
}

static void find_matching(Run* run)
{
    const Network* network = run->network;
    const int learned = network->parallel && !matched_otherwise(network);
    for (int function = 0; function < functions; ++function) {
        const int asked = natively_wrong(network, form_blocking, function) ? op_alltoallv : function;
        run->matching[function] = allocate((size_t)network->lists[run->rank].sources * sizeof(int));
        if (learned && function % operations <= op_alltoallw && native[asked] != NULL &&
            !natively_wrong(network, form_blocking, asked)) {
            match_by_library(run, asked, run->matching[function]);
        } else {
            match_by_order(network, run->rank, run->matching[function]);
        }
    }
}

// Collective over MPI_COMM_WORLD. Returns the failures of all processes together.
static int run_case(Run* run)
{
    int world;
    MPI_Comm_size(MPI_COMM_WORLD, &world);
    uint64_t state = (uint64_t)run->seed * 1000003u + (uint64_t)run->number;
    Network network;
    make_network(next_random(&state), world, &network);
    run->network = &network;
    snprintf(doing, sizeof doing, "FAILED: stuck in the creation, seed %llu, case %d\n", run->seed, run->number);
    alarm(most_seconds);
    run->comm = create_communicator(&network);
    int failures = 0;
    if (run->comm != MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(run->comm, MPI_ERRORS_RETURN);
        MPI_Comm_rank(run->comm, &run->rank);
        find_matching(run);
        int largest_degree = 0;
        for (int rank = 0; rank < network.size; ++rank) {
            const Lists* lists = &network.lists[rank];
            largest_degree = lists->sources > largest_degree ? lists->sources : largest_degree;
            largest_degree = lists->destinations > largest_degree ? lists->destinations : largest_degree;
        }
        for (int call = 0; call < calls_of_each; ++call) {
            int order[functions];
            for (int i = 0; i < functions; ++i) {
                order[i] = i;
            }
            shuffle(&state, order, functions);
            for (int i = 0; i < functions; ++i) {
                const uint64_t key = next_random(&state);
                const int unlike_native =
                    natively_wrong(&network, form_blocking, order[i]) || matched_otherwise(&network);
                const int skipped = unlike_native && (called[0] == native[0] || may_be_native(&network));
                const int known = order[i] == op_alltoall || order[i] == op_allgather; // regular.c does these
                if (native[order[i]] != NULL && !skipped && !(known && call > 0)) {
                    failures += run_call(run, order[i], call, key, largest_degree);
                }
            }
        }
        for (int function = 0; function < functions; ++function) {
            free(run->matching[function]);
        }
        MPI_Comm_free(&run->comm);
    }
    free_network(&network);
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int random = argc == 4 && strcmp(argv[1], "random") == 0;
    const int again = argc == 4 && strcmp(argv[1], "case") == 0;
    if (!random && !again) {
        fputs("usage: varying random SEED CASES | case SEED NUMBER\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    find_functions(form_blocking, native, called);
    signal(SIGALRM, stuck);
    Run run = {.seed = strtoull(argv[2], NULL, 10), .rank = rank};
    const int first = again ? atoi(argv[3]) : 0;
    const int last = again ? first : atoi(argv[3]) - 1;
    int failures = 0;
    for (run.number = first; run.number <= last && failures == 0; ++run.number) {
        failures = run_case(&run);
        if (failures > 0 && rank == 0) {
            printf("again with: varying case %llu %d\n", run.seed, run.number);
        }
    }
    alarm(0);
    long counts[2] = {run.calls, run.native_calls};
    long all[2];
    MPI_Reduce(counts, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && failures == 0) {
        printf("ok %d cases, %ld calls, %ld of them natively, too\n", last - first + 1, all[0], all[1]);
    }
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
