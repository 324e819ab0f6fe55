// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls every neighborhood collective in every form on a torus, on a duplicate of it after its first use, and on a
// torus made after both have been freed; prints the counts of the library libcounting.so, preloaded behind the shim,
// and the bytes of the blocks: each counted, and those of an allgather once for each process. MPI_Pcontrol pauses one
// round on the first torus, which is not counted. Process 0 is late for one call of each form: processes that wait for
// a tenth of a second send no more for it.
//
//   sent [SCALE]    blocks of v and w operations are SCALE times as long
#define _GNU_SOURCE
#include "../../program.h"
#include "flights.h"
#include "launch.h"

#include <dlfcn.h>
#include <unistd.h>

enum { neighbors = 8, most_ints = 450, rounds = 3, paused_round = 1, regular_ints = 7, late_microseconds = 100000 };

typedef void (*TakeCounts)(unsigned long long counts[2]);

static TakeCounts take_counts;
static Torus torus;
static int scale = 1;
static Arguments out;
static Arguments in;
static Function native[forms][functions];
static Function called[forms][functions];
static unsigned long long sums[forms][operations][5]; // messages, bytes, those of blocks (2), blocks

// The sizes of blocks grow and shrink again; some are 0. Columns of an array are no run of bytes.
static void prepare(int operation, int round)
{
    const int largest[rounds] = {20, 150, 3};
    const int gathers = operation == op_allgatherv;
    out.type = in.type = MPI_INT;
    out.count = gathers ? torus.rank % 4 * regular_ints : regular_ints;
    in.count = regular_ints;
    for (int i = 0; i < neighbors; ++i) {
        out.counts[i] = (torus.rank + 2 * torus.destination[i]) % 4 * largest[round] * scale;
        in.counts[i] = gathers ? torus.source[i] % 4 * regular_ints
                               : (torus.source[i] + 2 * torus.rank) % 4 * largest[round] * scale;
        out.indices[i] = in.indices[i] = i * most_ints * scale;
        out.bytes[i] = (MPI_Aint)sizeof(int) * (i % 4) * 40; // some blocks have bytes in common
        in.bytes[i] = (MPI_Aint)sizeof(int) * in.indices[i];
        out.types[i] = in.types[i] = MPI_INT;
    }
}

// Bytes of the blocks of this call that go to other processes; `once`: the same block to one process counts once.
static unsigned long long block_bytes(int operation, int once)
{
    const int gathers = operation == op_allgather || operation == op_allgatherv;
    const int is_sized = operation == op_alltoallv || operation == op_alltoallw;
    unsigned long long ints = 0;
    for (int i = 0; i < neighbors; ++i) {
        int before = 0;
        while (torus.destination[before] != torus.destination[i]) {
            ++before;
        }
        const int repeated = once && gathers && before < i;
        if (torus.destination[i] != torus.rank && !repeated) {
            ints += (unsigned)(is_sized ? out.counts[i] : out.count);
        }
    }
    return sizeof(int) * ints;
}

static void measure(int operation, enum Form form, int first, int paused)
{
    unsigned long long counts[2];
    for (int round = first; round < rounds; ++round) {
        MPI_Request request = MPI_REQUEST_NULL;
        const int is_late = operation == op_alltoall && torus.rank == 0 && first + round == 0;
        prepare(operation, round);
        MPI_Pcontrol(round != paused);
        for (int counted = form != form_persistent; counted < 2; ++counted) { // the preparation of persistent ones is
                                                                              // not counted
            MPI_Barrier(torus.comm);
            take_counts(counts); // counts of earlier calls
            usleep(is_late && counted ? late_microseconds : 0);
            if (counted && form == form_persistent) {
                MPI_Start(&request);
            } else {
                launch(form, operation, called[form][operation], &out, &in, torus.comm, &request);
            }
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        take_counts(counts);
        MPI_Pcontrol(1);
        for (int i = 0; i < 2 && round != paused; ++i) {
            sums[form][operation][i] += counts[i];
        }
        for (int once = 0; once < 2 && round != paused; ++once) {
            sums[form][operation][2 + once] += block_bytes(operation, once);
        }
        for (int i = 0; i < neighbors && round != paused; ++i) {
            sums[form][operation][4] += torus.destination[i] != torus.rank;
        }
        if (form == form_persistent) {
            MPI_Request_free(&request);
        }
        MPI_Barrier(torus.comm);
    }
}

static void measure_all(int first, int paused)
{
    for (int operation = 0; operation < operations; ++operation) {
        for (int form = 0; form < forms; ++form) {
            if (called[form][operation] != NULL) {
                measure(operation, (enum Form)form, first, paused);
            }
        }
    }
}

static void print_all(void)
{
    MPI_Allreduce(MPI_IN_PLACE, sums, forms * operations * 5, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    for (int operation = 0; operation < operations && torus.rank == 0; ++operation) {
        for (int form = 0; form < forms; ++form) {
            char name[64];
            form_name((enum Form)form, operation, name, sizeof name);
            if (called[form][operation] != NULL) {
                const unsigned long long* const sum = sums[form][operation];
                printf("account: * %s messages=%llu bytes=%llu messages_trivial=%llu", name, sum[0], sum[1], sum[4]);
                if (sum[2] == sum[3]) {
                    printf(" payload_bytes=%llu", sum[2]);
                }
                printf("\n");
            }
        }
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    *(void**)&take_counts = dlsym(RTLD_DEFAULT, "take_counts");
    if (take_counts == NULL) {
        give_up("libcounting.so is not preloaded");
    }
    scale = argc > 1 ? atoi(argv[1]) : 1;
    const size_t ints = (size_t)(neighbors * most_ints * scale);
    out = allocate_arguments(neighbors);
    in = allocate_arguments(neighbors);
    out.buffer = calloc(ints, sizeof(int));
    in.buffer = calloc(ints, sizeof(int));
    for (int form = 0; form < forms; ++form) {
        find_functions((enum Form)form, native[form], called[form]);
    }
    torus = make_torus(MPI_COMM_WORLD, 2);
    measure_all(0, paused_round);
    MPI_Comm original = torus.comm;
    MPI_Comm_dup(original, &torus.comm);
    MPI_Comm_free(&original);
    measure_all(rounds - 1, -1);
    free_torus(&torus);
    torus = make_torus(MPI_COMM_WORLD, 2);
    measure_all(rounds - 1, -1);
    print_all();
    free(in.buffer);
    free(out.buffer);
    free_arguments(&in);
    free_arguments(&out);
    free_torus(&torus);
    return end_program(0);
}
