// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares MPI_Allgather among all processes, int and large counts, with blocks of their own and in place, byte for
// byte and gaps included, with the expected result and now and then with the MPI library's own function. At times a
// collective of neighbors is in flight meanwhile.
//
//   global random SEED CASES           CASES random communicators with a topology
//   global case SEED NUMBER            one of them again
//   global grid DIMENSIONS BYTES CALLS blocks of BYTES bytes on a grid by MPI_Dims_create, open in its first dimension
//   global mismatch                    rank 1 has another size than the others, which must get the error
#include "../../program.h"
#include "../device/buffers.h"
#include "runs.h"

enum { calls_of_each = 3 };

static const char* const names[2] = {"MPI_Allgather", "MPI_Allgather_c"};
static Function native[2];
static Function called[2];
static Network everyone; // the processes of the case, all of them neighbors of all

static void make_everyone(const Run* run)
{
    everyone = (Network){.size = run->network->size};
    everyone.lists = allocate((size_t)everyone.size * sizeof(Lists));
    for (int process = 0; process < everyone.size; ++process) {
        Lists* lists = &everyone.lists[process];
        lists->sources = lists->destinations = everyone.size;
        for (int other = 0; other < everyone.size; ++other) {
            lists->source[other] = lists->destination[other] = other;
        }
    }
}

// In place the block of the process stands in the receive buffer before the call.
static void put_own_block(const Transfer* transfer, int own_rank, unsigned char* arena, const unsigned char* after)
{
    const Part* own = &transfer->receive[own_rank];
    for (int element = 0; element < own->count; ++element) {
        for (size_t i = 0; i < own->shape->bytes; ++i) {
            const ptrdiff_t at = own->at + element * own->shape->extent + own->shape->displacement[i];
            arena[at] = after[at];
        }
    }
}

static void call_and_compare(Run* run, const Transfer* transfer, int large, int in_place, int natively)
{
    unsigned char* arena = allocate(transfer->bytes);
    unsigned char* wanted = allocate(transfer->bytes);
    fill_before(transfer, arena);
    fill_after(transfer, wanted);
    if (in_place) {
        put_own_block(transfer, run->rank, arena, wanted);
    }
    const Buffers buffers = make_buffers(natively ? 0 : transfer->bytes, transfer->call.key + (uint64_t)run->rank);
    if (!natively) {
        put_image(&buffers, arena);
    }
    Arguments out = make_arguments(transfer, 1, natively ? arena : buffers.send);
    Arguments in = make_arguments(transfer, 0, natively ? arena : buffers.receive);
    if (in_place) {
        free_arguments(&out);
        out = (Arguments){.buffer = MPI_IN_PLACE, .type = MPI_DATATYPE_NULL};
    }
    const Function function = (natively ? native : called)[large];
    const int code = launch(form_blocking, transfer->call.function, function, &out, &in, run->comm, NULL);
    if (code != MPI_SUCCESS) {
        fault(run, names[large], natively ? "fails natively" : "fails");
    } else {
        char how[40];
        if (!natively) {
            get_image(&buffers, arena, arena);
        }
        snprintf(how, sizeof how, "%s%s", natively ? "natively " : "", in_place ? "in place " : "");
        check_arena(run, form_blocking, transfer, how, arena, wanted);
    }
    if (!in_place) {
        free_arguments(&out);
    }
    free_arguments(&in);
    free_buffers(&buffers);
    free(arena);
    free(wanted);
}

static void launch_empty(Run* run, int large)
{
    const Arguments none = {.type = MPI_INT};
    const int function = op_allgather + large * operations;
    if (launch(form_blocking, function, called[large], &none, &none, run->comm, NULL) != MPI_SUCCESS) {
        fault(run, names[large], "fails without data");
    }
}

static void gather(Run* run, int large, uint64_t key)
{
    Call plan = random_call(&everyone, op_allgather + large * operations, key, everyone.size);
    if (plan.regular_units == 0) { // MPICH 4.0.2 goes by the count, and waits for those that give none
        launch_empty(run, large);
        return;
    }
#ifdef OPEN_MPI // 5.0.7 mixes up large blocks if processes use different types
    const int most_units = 100;
    plan.regular_units = plan.regular_units < most_units ? plan.regular_units : most_units;
#endif
    int* matching = allocate((size_t)everyone.size * sizeof *matching);
    memset(matching, 0, (size_t)everyone.size * sizeof *matching);
    Transfer transfer = make_transfer(&plan, run->rank, matching);
    begin_call(run, names[large]);
    const int in_place = key / 4096 % 3 == 0;
    call_and_compare(run, &transfer, large, in_place, 0);
    if (key / 64 % 8 == 0) {
        call_and_compare(run, &transfer, large, in_place, 1);
    }
    ++run->counts[0];
    free_transfer(&transfer);
    free(matching);
}

// The same while a collective of neighbors is in flight on the communicator, and again after it.
static void gather_during_exchange(Run* run, int large, uint64_t key)
{
    const Lists* lists = &run->network->lists[run->rank];
    int* ranks = allocate(((size_t)lists->sources + 1) * sizeof *ranks);
    MPI_Request request;
    MPI_Ineighbor_allgather(&run->rank, 1, MPI_INT, ranks, 1, MPI_INT, run->comm, &request);
    gather(run, large, key);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    gather(run, large, key + 1);
    for (int slot = 0; slot < lists->sources && run->faults == 0; ++slot) {
        if (lists->source[slot] != no_process && ranks[slot] != lists->source[slot]) {
            fault(run, "MPI_Ineighbor_allgather", "a wrong rank");
        }
    }
    free(ranks);
}

static void compare(Run* run, uint64_t* state)
{
    make_everyone(run);
    for (int call = 0; call < calls_of_each; ++call) {
        for (int large = 0; large < (native[1] == NULL ? 1 : 2); ++large) {
            const uint64_t key = next_random(state);
            (random_below(state, 2) ? gather : gather_during_exchange)(run, large, key);
        }
    }
    free(everyone.lists);
}

static MPI_Comm create_grid(int dimensions)
{
    int dims[most_dimensions] = {0};
    const int periods[most_dimensions] = {0, 1, 1, 1, 1, 1};
    MPI_Dims_create(size, dimensions, dims);
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, dims, periods, 0, &comm);
    return comm;
}

static int mismatch(void)
{
    int own_rank;
    MPI_Comm comm = create_grid(2);
    MPI_Comm_rank(comm, &own_rank);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int* all = allocate(3 * (size_t)size * sizeof *all);
    int wrong = 0;
    for (int call = 0; call < 9; ++call) {
        const int own[3] = {own_rank, call, own_rank + call};
        const int count = call % 3 == 1 && own_rank == 1 ? 1 + call / 3 : 2; // shorter, as long, longer
        const int code = MPI_Allgather(own, count, MPI_INT, all, count, MPI_INT, comm);
        const int wanted = call == 1 || call == 7 ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
        int error_class;
        MPI_Error_class(code, &error_class);
        wrong += error_class != wanted;
        for (int other = 0; wanted == MPI_SUCCESS && other < size; ++other) {
            wrong += all[2 * other] != other || all[2 * other + 1] != call;
        }
    }
    printf("rank %d: %d wrong\n", own_rank, wrong);
    free(all);
    MPI_Comm_free(&comm);
    return wrong;
}

static int grid(int dimensions, int bytes, int calls)
{
    MPI_Comm comm = create_grid(dimensions);
    int own_rank;
    MPI_Comm_rank(comm, &own_rank);
    const size_t length = (size_t)bytes;
    char* own = allocate(length + 1);
    char* all = allocate((size_t)size * length + 1);
    int wrong = 0;
    double elapsed = 0.0;
    for (int call = 0; call < calls; ++call) {
        memset(own, own_rank + call, length);
        const double begin = MPI_Wtime();
        MPI_Allgather(own, bytes, MPI_CHAR, all, bytes, MPI_CHAR, comm);
        elapsed += MPI_Wtime() - begin;
        for (int other = 0; other < size; ++other) {
            memset(own, other + call, length);
            wrong += memcmp(own, all + (size_t)other * length, length) != 0;
        }
    }
    printf("rank %d: %d wrong\n", own_rank, wrong);
    if (own_rank == 0) {
        printf("time: %.1f us per call\n", 1e6 * elapsed / calls);
    }
    free(own);
    free(all);
    MPI_Comm_free(&comm);
    return wrong;
}

static void find_own_functions(void)
{
    for (int large = 0; large < 2; ++large) {
        native[large] = native_function(names[large]);
        called[large] = called_function(names[large]);
    }
    if (native[0] == NULL) {
        fputs("global: cannot find the MPI library's own functions\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    int failures = 0;
    if (argc == 4) {
        find_own_functions();
        failures = run_cases(argc, argv, "global", "%ld calls", compare);
    } else if (argc == 5 && strcmp(argv[1], "grid") == 0) {
        failures = grid(atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    } else if (argc == 2 && strcmp(argv[1], "mismatch") == 0) {
        failures = mismatch();
    } else {
        give_up("usage: global random SEED CASES | case SEED NUMBER | grid DIMENSIONS BYTES CALLS | mismatch");
    }
    return end_program(failures == 0 ? 0 : 1);
}
