// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random cases, one after the other, see runs.h.
#include "runs.h"

#include "flights.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_seconds = 90 };

void begin_call(const Run* run, const char* what)
{
    char text[600];
    snprintf(text, sizeof text, "%s; again with: %s", what, run->again);
    watch(text, most_seconds);
}

void fault(Run* run, const char* function, const char* what)
{
    char text[2000];
    describe_network(run->network, text, sizeof text);
    printf("FAILED: %s, rank %d, %s: %s\n  %s\n", run->again, run->rank, function, what, text);
    fflush(stdout);
    ++run->faults;
}

void fault_of(Run* run, enum Form form, int function, const char* what)
{
    char name[64];
    form_name(form, function, name, sizeof name);
    fault(run, name, what);
}

void check_arena(Run* run, enum Form form, const Transfer* transfer, const char* how, const unsigned char* got,
                 const unsigned char* wanted)
{
    if (memcmp(got, wanted, transfer->bytes) == 0) {
        return;
    }
    size_t first = 0;
    size_t wrong = 0;
    for (size_t i = transfer->bytes; i-- > 0;) {
        if (got[i] != wanted[i]) {
            first = i;
            ++wrong;
        }
    }
    char place[200];
    char text[500];
    locate(transfer, first, place, sizeof place);
    snprintf(text, sizeof text, "%s%zu bytes are wrong, the first is byte %zu, %s: got %02x, not %02x", how, wrong,
             first, place, got[first], wanted[first]);
    fault_of(run, form, transfer->call.function, text);
}

// MPI 4.1, 8.6: on graphs the k-th edge to a process ends in the k-th slot from there, on a Cartesian communicator a
// block sent one way arrives from the other.
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
static void match_by_library(const Run* run, enum Form form, Function native, int function, int* matching)
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
    Arguments out = make_arguments(&transfer, 1, (unsigned char*)arena);
    Arguments in = make_arguments(&transfer, 0, (unsigned char*)arena);
    MPI_Request request = MPI_REQUEST_NULL;
    launch(form, function, native, &out, &in, run->comm, &request);
    if (form == form_persistent) {
        MPI_Start(&request);
    }
    if (form != form_blocking) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (form == form_persistent) {
        MPI_Request_free(&request);
    }
    memcpy(matching, arena + most, (size_t)mine->sources * sizeof *matching);
    free_arguments(&out);
    free_arguments(&in);
    free(arena);
    free(transfer.send);
    free(transfer.receive);
}

void find_matching(const Run* run, enum Form form, const Function* native, int function, int* matching)
{
    const Network* network = run->network;
    const int learned = network->parallel && getenv("HOPSCOTCH_PARALLEL_EDGES") == NULL;
    const int asked = natively_wrong(network, form, function) ? op_alltoallv : function;
    if (learned && function % operations <= op_alltoallw && native[asked] != NULL &&
        !natively_wrong(network, form, asked)) {
        match_by_library(run, form, native[asked], asked, matching);
    } else {
        match_by_order(network, run->rank, matching);
    }
}

static int greater(int one, int other)
{
    return one > other ? one : other;
}

// Frees the network. Returns the faults of all processes together.
static int run_on(Run* run, Network* network, uint64_t state, void (*compare)(Run*, uint64_t*))
{
    run->network = network;
    begin_call(run, "the creation");
    run->comm = create_communicator(network);
    run->largest_degree = 0;
    for (int rank = 0; rank < network->size; ++rank) {
        const Lists* lists = &network->lists[rank];
        run->largest_degree = greater(run->largest_degree, greater(lists->sources, lists->destinations));
    }
    if (run->comm != MPI_COMM_NULL) {
        MPI_Comm_set_errhandler(run->comm, MPI_ERRORS_RETURN);
        MPI_Comm_rank(run->comm, &run->rank);
        compare(run, &state);
        if (run->comm != MPI_COMM_NULL) {
            MPI_Comm_free(&run->comm);
        }
    }
    free_network(network);
    int all = 0;
    MPI_Allreduce(&run->faults, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static int run_random(Run* run, int size, void (*compare)(Run*, uint64_t*))
{
    uint64_t state = (uint64_t)run->seed * 1000003u + (uint64_t)run->number;
    Network network;
    snprintf(run->again, sizeof run->again, "%s %scase %llu %d", run->program, run->almost ? "almost_" : "", run->seed,
             run->number);
    make_network(next_random(&state), size, run->almost, &network);
    return run_on(run, &network, state, compare);
}

// Ends the program if it does not understand the words.
static int run_chosen(Run* run, int words, char** word, int size, void (*compare)(Run*, uint64_t*))
{
    Pattern pattern = {0};
    Network network;
    if (!parse_pattern(words, word, size, &pattern)) {
        fprintf(stderr, "%s: the words are no grid of these processes, see test/preload/common/lists.h\n",
                run->program);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int used = snprintf(run->again, sizeof run->again, "%s", run->program);
    for (int i = 0; i < words && used < (int)sizeof run->again; ++i) {
        used += snprintf(run->again + used, sizeof run->again - (size_t)used, " '%s'", word[i]);
    }
    run->chosen = parse_numbers(text_behind(words, word, "counts="), ",", run->chosen_counts, most_chosen_counts);
    make_chosen_network(&pattern, text_behind(words, word, "duplicate=1") != NULL, &network);
    return run_on(run, &network, pattern.seed, compare);
}

int run_cases(int argc, char** argv, const char* program, const char* summary, void (*compare)(Run*, uint64_t* state))
{
    const char* what = argc == 4 ? argv[1] : "";
    const int almost = strncmp(what, "almost_", 7) == 0;
    what += almost ? 7 : 0;
    const int again = strcmp(what, "case") == 0;
    const int chosen = text_behind(argc - 1, argv + 1, "dims=") != NULL;
    if (!again && !chosen && strcmp(what, "random") != 0) {
        fprintf(stderr, "usage: %s [almost_]random SEED CASES | [almost_]case SEED NUMBER | dims=3x3 ...\n", program);
        MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    int rank;
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Run run = {.program = program, .rank = rank, .almost = almost};
    int faults = 0;
    int cases = 1;
    if (chosen) {
        faults = run_chosen(&run, argc - 1, argv + 1, size, compare);
    } else {
        run.seed = strtoull(argv[2], NULL, 10);
        run.number = again ? atoi(argv[3]) : 0;
        cases = again ? 1 : atoi(argv[3]);
        for (int left = cases; left > 0 && faults == 0; --left, ++run.number) {
            faults = run_random(&run, size, compare);
        }
    }
    end_watch();
    long all[2];
    MPI_Reduce(run.counts, all, 2, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0 && faults > 0) {
        printf("again with: %s\n", run.again);
    } else if (rank == 0) {
        printf("ok, seed %llu, %d cases: ", run.seed, cases);
        printf(summary, all[0], all[1]);
        putchar('\n');
    }
    return faults == 0 ? 0 : 1;
}
