// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Types of many levels or members with little data, sent around a ring by a thread with a stack of STACK bytes. The
// process may take MEGABYTES more memory than it has before: unusual_types SHAPE MEGABYTES STACK
// SHAPE: twins (structures of two equal members), empty (structures of one member and of the same one no times), deep,
// shallow (10 levels), wide (a structure of 200,000 members), many (one run for each of 100,000 ints)
#include "../program.h"

#include <pthread.h>
#include <sys/resource.h>

enum { most_values = 1 << 20, wide = 200000 };

static MPI_Comm ring;
static MPI_Datatype type;
static int *out, *in;

static MPI_Datatype pair(MPI_Datatype inner, int first, int second)
{
    const int lengths[] = {first, second};
    MPI_Aint lower, extent;
    MPI_Type_get_extent(inner, &lower, &extent);
    const MPI_Aint at[] = {0, first * extent};
    const MPI_Datatype types[] = {inner, inner};
    MPI_Datatype made;
    MPI_Type_create_struct(2, lengths, at, types, &made);
    return made;
}

static MPI_Datatype wide_structure(int count, int step)
{
    int* lengths = malloc((size_t)count * sizeof *lengths);
    MPI_Aint* at = malloc((size_t)count * sizeof *at);
    MPI_Datatype* types = malloc((size_t)count * sizeof *types);
    for (int i = 0; i < count; ++i) {
        lengths[i] = 1;
        at[i] = (MPI_Aint)(i * step) * (MPI_Aint)sizeof(int);
        types[i] = MPI_INT;
    }
    MPI_Datatype made;
    MPI_Type_create_struct(count, lengths, at, types, &made);
    free(types);
    free(at);
    free(lengths);
    return made;
}

static MPI_Datatype nested(const char* shape, int levels)
{
    MPI_Datatype made;
    MPI_Type_dup(MPI_INT, &made);
    for (int i = 0; i < levels; ++i) {
        MPI_Datatype inner = made;
        if (strcmp(shape, "twins") == 0)
            made = pair(inner, 1, 1);
        else if (strcmp(shape, "empty") == 0)
            made = pair(inner, 1, 0);
        else
            MPI_Type_contiguous(1, inner, &made);
        MPI_Type_free(&inner);
    }
    return made;
}

static MPI_Datatype made_type(const char* shape)
{
    if (strcmp(shape, "wide") == 0)
        return wide_structure(wide, 1);
    if (strcmp(shape, "many") == 0)
        return wide_structure(wide / 2, 2);
    if (strcmp(shape, "deep") == 0)
        return nested(shape, 2000);
    return nested(shape, strcmp(shape, "twins") == 0 ? 20 : strcmp(shape, "empty") == 0 ? 22 : 10);
}

static void* communicate(void* unused)
{
    MPI_Neighbor_alltoall(out, 1, type, in, 1, type, ring);
    return unused;
}

/// Sets the limit of address space to so much more than the process has.
static void limit_memory(long megabytes)
{
    long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld", &pages) != 1)
        exit(4);
    fclose(file);
    struct rlimit limit;
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = (rlim_t)(pages * 4096 + (megabytes << 20));
    setrlimit(RLIMIT_AS, &limit);
}

int main(int argc, char** argv)
{
    begin_threads(MPI_THREAD_SERIALIZED, &argc, &argv);
    const char* shape = argc > 1 ? argv[1] : "deep";
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
    type = made_type(shape);
    MPI_Type_commit(&type);
    out = malloc(most_values * sizeof *out);
    in = malloc(most_values * sizeof *in);
    for (int i = 0; i < most_values; ++i) {
        out[i] = 1000 * rank + i;
        in[i] = -1;
    }
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    limit_memory(argc > 2 ? atol(argv[2]) : 200);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, argc > 3 ? (size_t)atol(argv[3]) : 16384);
    pthread_t thread;
    if (pthread_create(&thread, &attributes, communicate, NULL) != 0)
        return 5;
    pthread_join(thread, NULL);
    unsigned sum = 0;
    for (int i = 0; i < most_values; ++i)
        sum = 31 * sum + (unsigned)in[i];
    printf("%d: %d, sum %u\n", rank, in[0], sum);
    MPI_Type_free(&type);
    MPI_Comm_free(&ring);
    return end_program(0);
}
