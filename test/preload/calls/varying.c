// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares all neighborhood collectives, also those with large counts, on random or chosen communicators and with
// random blocks, byte for byte and gaps included, with the expected result; MPI_Neighbor_alltoall and
// MPI_Neighbor_allgather always, others now and then also with the MPI library's own functions, found behind any
// preload. The match of parallel edges is learned from these before. With counts=1,7 these two alone are called. Usage:
// runs.h; buffers may lie in the memory of a device (buffers.h).
#include "../../program.h"
#include "../device/buffers.h"
#include "runs.h"

enum { calls_of_each = 4 };

static Function called[functions];
static Function native[functions];
static int* matching[functions];

static void check_code(Run* run, int function, const char* who, int code)
{
    if (code != MPI_SUCCESS) {
        char message[MPI_MAX_ERROR_STRING];
        char text[MPI_MAX_ERROR_STRING + 100];
        int length;
        MPI_Error_string(code, message, &length);
        snprintf(text, sizeof text, "%s returned: %.*s", who, length, message);
        fault_of(run, form_blocking, function, text);
    }
}

// True if the shim is told to match parallel edges otherwise than the library.
static int matched_otherwise(const Network* network)
{
    return network->parallel && getenv("HOPSCOTCH_PARALLEL_EDGES") != NULL;
}

// Blocks of so many ints, or of random ones if negative; natively, too, if `often` or now and then.
static void run_call(Run* run, int function, uint64_t key, int ints, int often)
{
    enum { kind_int = 1 };
    Call plan = random_call(run->network, function, key, run->largest_degree);
    if (ints >= 0) {
        plan.unit = kind_int;
        plan.regular_units = ints;
    }
    Transfer transfer = make_transfer(&plan, run->rank, matching[function]);
    unsigned char* arena = allocate(transfer.bytes);
    unsigned char* wanted = allocate(transfer.bytes);
    fill_before(&transfer, arena);
    fill_after(&transfer, wanted);
    begin_call(run, function_name(function));
    const int before = run->faults;
    const Buffers buffers = make_buffers(transfer.bytes, key + (uint64_t)run->rank);
    put_image(&buffers, arena);
    check_code(run, function, "the function",
               perform(&transfer, buffers.send, buffers.receive, called[function], run->comm));
    if (run->faults == before) {
        get_image(&buffers, arena, arena);
        check_arena(run, form_blocking, &transfer, "", arena, wanted);
    }
    free_buffers(&buffers);
    ++run->counts[0];
    if ((often || key / 64 % 8 == 0) && !natively_wrong(run->network, form_blocking, function) &&
        !matched_otherwise(run->network)) {
        fill_before(&transfer, arena);
        check_code(run, function, "the MPI library's function",
                   perform(&transfer, arena, arena, native[function], run->comm));
        check_arena(run, form_blocking, &transfer, "natively ", arena, wanted);
        ++run->counts[1];
    }
    free(arena);
    free(wanted);
    free_transfer(&transfer);
}

static void compare(Run* run, uint64_t* state)
{
    for (int function = 0; function < functions; ++function) {
        matching[function] = allocate((size_t)run->network->lists[run->rank].sources * sizeof(int));
        find_matching(run, form_blocking, native, function, matching[function]);
    }
    const int calls = run->chosen > 0 ? run->chosen : calls_of_each;
    for (int call = 0; call < calls; ++call) {
        int order[functions];
        for (int i = 0; i < functions; ++i) {
            order[i] = i;
        }
        shuffle(state, order, functions);
        for (int i = 0; i < functions; ++i) {
            const uint64_t key = next_random(state);
            const int unlike_native =
                natively_wrong(run->network, form_blocking, order[i]) || matched_otherwise(run->network);
            const int skipped = unlike_native && (called[0] == native[0] || may_be_native(run->network));
            const int is_regular = order[i] == op_alltoall || order[i] == op_allgather;
            if (native[order[i]] != NULL && !skipped && (is_regular || run->chosen == 0)) {
                run_call(run, order[i], key, run->chosen > 0 ? run->chosen_counts[call] : -1, is_regular);
            }
        }
    }
    for (int function = 0; function < functions; ++function) {
        free(matching[function]);
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    find_functions(form_blocking, native, called);
    return end_program(run_cases(argc, argv, "varying", "%ld calls, %ld of them natively, too", compare));
}
