// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Helpers of the programs of this directory: checks that count, the end of a program, small random numbers.
#ifndef HOP_CHECK_H
#define HOP_CHECK_H

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int checks_failed;
static int checks_made;

/// The begin of main: the number of processes, and the own rank.
static inline void begin_checks(int* argc, char*** argv, int* processes, int* own)
{
    MPI_Init(argc, argv);
    MPI_Comm_size(MPI_COMM_WORLD, processes);
    MPI_Comm_rank(MPI_COMM_WORLD, own);
}

/// Counts a failed check and prints its line; the program goes on, so that all processes stay together.
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        ++checks_made;                                                                                                 \
        if (!(condition) && checks_failed++ < 20)                                                                      \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                                     \
    } while (0)

/// The class of an error, for functions that may return a code.
static inline int class_of(int code)
{
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    return error_class;
}

#define CHECK_ERROR(call, expected)                                                                                    \
    do {                                                                                                               \
        const int returned_ = class_of(call);                                                                          \
        ++checks_made;                                                                                                 \
        if (returned_ != (expected) && checks_failed++ < 20)                                                           \
            printf("%s:%d: %s is of class %d, not %s\n", __FILE__, __LINE__, #call, returned_, #expected);             \
    } while (0)

static MPI_Op spoiling = MPI_OP_NULL;

static inline void spoil(void* in, void* inout, int* length, MPI_Datatype* type)
{
    (void)in;
    (void)type;
    memset(inout, 0x55, (size_t)*length);
}

/// Frees an operator. If nobody holds it, one that gives wrong results takes its place in the MPI library.
static inline void free_operator(MPI_Op* op)
{
    if (spoiling != MPI_OP_NULL)
        MPI_Op_free(&spoiling);
    MPI_Op_free(op);
    MPI_Op_create(spoil, 1, &spoiling);
}

/// Ends MPI. True if the MPI library warns of handles that nobody has freed, as MPICH does of datatypes.
static inline int leaves_handles(void)
{
    char line[1000];
    int leaves = 0;
    FILE* const said = tmpfile();
    const int own = dup(STDERR_FILENO);
    if (said == NULL || own < 0)
        return 1;
    dup2(fileno(said), STDERR_FILENO);
    MPI_Finalize();
    dup2(own, STDERR_FILENO);
    close(own);
    rewind(said);
    while (fgets(line, sizeof line, said) != NULL) {
        fputs(line, stderr);
        leaves = leaves || strstr(line, "leaked") != NULL;
    }
    fclose(said);
    return leaves;
}

/// The end of main: 0 if no process has met a failure. Collective over MPI_COMM_WORLD.
static inline int finish_checks(void)
{
    int own = 0;
    int sums[2] = {checks_failed, checks_made};
    int totals[2] = {0, 0};
    if (spoiling != MPI_OP_NULL)
        MPI_Op_free(&spoiling);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    PMPI_Allreduce(sums, totals, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (own == 0)
        printf("%d checks, %d failed\n", totals[1], totals[0]);
    return leaves_handles() || totals[0] != 0;
}

/// The same sequence on all processes for the same seed.
static inline unsigned next_random(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static inline int random_in(unsigned* state, int from, int to)
{
    return from + (int)(next_random(state) % (unsigned)(to - from + 1));
}

#endif
