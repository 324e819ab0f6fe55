// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls every neighborhood collective in every form on a torus, and prints what the library libcounting.so, preloaded
// behind the shim, has counted meanwhile. `sent 1000`: blocks of v and w operations are 1000 times as long.
#define _GNU_SOURCE
#include "flights.h"
#include "launch.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { neighbors = 8, most_ints = 450, rounds = 3, regular_ints = 7 };

typedef void (*TakeCounts)(unsigned long long counts[2]);

static TakeCounts take_counts;
static Torus torus;
static int scale = 1;
static Arguments out;
static Arguments in;
static Function native[forms][functions];
static Function called[forms][functions];

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

static void measure(int operation, enum Form form)
{
    char name[64];
    unsigned long long counts[2];
    unsigned long long sums[2] = {0, 0};
    form_name(form, operation, name, sizeof name);
    for (int round = 0; round < rounds; ++round) {
        MPI_Request request = MPI_REQUEST_NULL;
        prepare(operation, round);
        for (int counted = form != form_persistent; counted < 2; ++counted) { // what persistent ones prepare is not
            MPI_Barrier(torus.comm);
            take_counts(counts); // what was sent before
            if (counted && form == form_persistent) {
                MPI_Start(&request);
            } else {
                launch(form, operation, called[form][operation], &out, &in, torus.comm, &request);
            }
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        take_counts(counts);
        for (int i = 0; i < 2; ++i) {
            sums[i] += counts[i];
        }
        if (form == form_persistent) {
            MPI_Request_free(&request);
        }
        MPI_Barrier(torus.comm);
    }
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (torus.rank == 0) {
        printf("sent: %s %llu messages %llu bytes\n", name, sums[0], sums[1]);
    }
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    *(void**)&take_counts = dlsym(RTLD_DEFAULT, "take_counts");
    if (take_counts == NULL) {
        fprintf(stderr, "libcounting.so is not preloaded\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    scale = argc > 1 ? atoi(argv[1]) : 1;
    const size_t ints = (size_t)(neighbors * most_ints * scale);
    out = allocate_arguments(neighbors);
    in = allocate_arguments(neighbors);
    out.buffer = calloc(ints, sizeof(int));
    in.buffer = calloc(ints, sizeof(int));
    torus = make_torus(MPI_COMM_WORLD, 2);
    for (int form = 0; form < forms; ++form) {
        find_functions((enum Form)form, native[form], called[form]);
    }
    for (int operation = 0; operation < operations; ++operation) {
        for (int form = 0; form < forms; ++form) {
            if (called[form][operation] != NULL) {
                measure(operation, (enum Form)form);
            }
        }
    }
    free(in.buffer);
    free(out.buffer);
    free_arguments(&in);
    free_arguments(&out);
    free_torus(&torus);
    MPI_Finalize();
    return 0;
}
