// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoallv under HOPSCOTCH_ALLTOALLV=on beside other ways of the same exchange, in one run and in turn: the MPI
// library's own function, messages, and neighborhood collectives on the graph of the blocks. Times are medians over
// rounds of the average call, on the slowest process; ratios are to the library's own function. The processor time is
// that of all processes per call, which other load on the machine changes less.
//
//   mpicc.mpich -O2 -Wno-stringop-overflow scripts/benchmarks/sparse_benchmark.c -o sparse_benchmark -ldl
//   mpiexec.mpich -n 27 -genv LD_PRELOAD build/shim/libhopscotch.so.0:build/test/preload/libyielding.so
//       -genv HOPSCOTCH_ALLTOALLV on -genv HOPSCOTCH_REPORT off ./sparse_benchmark PEERS INTS
//       [ROUNDS [CALLS [changing|missing]]]
//
// Each process sends to the PEERS / 2 before it and the others behind it; PEERS = 0: to all processes. `changing`:
// blocks of half to one and a half times so many ints, others in each call, after an MPI_Alltoall of the counts.
// `missing`: the same, and a third of the blocks is not there.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { warm_up = 60, most_rounds = 201 };

static int ranks, rank, peers, ints;
static int changing, missing;
static int* counts;
static int* received; // counts
static int* places;
static int* peer;
static int* out;
static int* in;
static MPI_Request* requests;
static MPI_Comm graph, trivial_graph;
static int* ones; // counts by peer
static int* received_ones;
static int* peer_places;
static int (*native)(const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype,
                     MPI_Comm);

static int find_library(struct dl_phdr_info* info, size_t size, void* unused)
{
    (void)size;
    (void)unused;
    if (strstr(info->dlpi_name, "libmp") == NULL) {
        return 0;
    }
    void* library = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (library != NULL && dlsym(library, "PMPI_Init") != NULL) {
        *(void**)&native = dlsym(library, "PMPI_Alltoallv");
    }
    return native != NULL;
}

/// Takes as long for all ways.
static void next_sizes(void)
{
    static unsigned state = 1;
    if (!changing) {
        return;
    }
    for (int i = 0; i < peers; ++i) {
        state = state * 1103515245 + 12345;
        counts[peer[i]] = missing && state % 97 % 3 == 0 ? 0 : ints / 2 + (int)(state >> 16) % (ints + 1);
    }
    MPI_Alltoall(counts, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < peers; ++i) {
        ones[i] = counts[peer[i]];
        received_ones[i] = received[peer[i]];
    }
}

static void by_hopscotch(void)
{
    MPI_Alltoallv(out, counts, places, MPI_INT, in, received, places, MPI_INT, MPI_COMM_WORLD);
}

static void by_library(void)
{
    native(out, counts, places, MPI_INT, in, received, places, MPI_INT, MPI_COMM_WORLD);
}

static void by_messages(void)
{
    for (int i = 0; i < peers; ++i) {
        MPI_Irecv(in + places[peer[i]], received_ones[i], MPI_INT, peer[i], 1, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < peers; ++i) {
        MPI_Isend(out + places[peer[i]], ones[i], MPI_INT, peer[i], 1, MPI_COMM_WORLD, &requests[peers + i]);
    }
    MPI_Waitall(2 * peers, requests, MPI_STATUSES_IGNORE);
}

static void by_graph(void)
{
    MPI_Neighbor_alltoallv(out, ones, peer_places, MPI_INT, in, received_ones, peer_places, MPI_INT, graph);
}

static void by_trivial(void)
{
    MPI_Neighbor_alltoallv(out, ones, peer_places, MPI_INT, in, received_ones, peer_places, MPI_INT, trivial_graph);
}

static const struct {
    const char* name;
    void (*call)(void);
} ways[] = {{"MPI library", by_library},
            {"MPI_Alltoallv", by_hopscotch},
            {"Irecv and Isend", by_messages},
            {"MPI_Neighbor_alltoallv", by_graph},
            {"the same, trivial", by_trivial}};
enum { way_count = sizeof ways / sizeof ways[0] };

static int ascending(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

// Of this process. Units: seconds.
static double processor_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static void prepare(void)
{
    counts = calloc((size_t)ranks, sizeof *counts);
    received = calloc((size_t)ranks, sizeof *received);
    places = calloc((size_t)ranks, sizeof *places);
    peer = calloc((size_t)ranks, sizeof *peer);
    ones = calloc((size_t)ranks, sizeof *ones);
    received_ones = calloc((size_t)ranks, sizeof *received_ones);
    peer_places = calloc((size_t)ranks, sizeof *peer_places);
    const size_t room = 2 * (size_t)ints + 1;
    out = calloc((size_t)ranks * room, sizeof *out);
    in = calloc((size_t)ranks * room, sizeof *in);
    requests = calloc(2 * (size_t)ranks, sizeof *requests);
    const int asked = peers == 0 ? ranks : peers;
    peers = 0;
    for (int i = 0; i < asked; ++i) {
        const int distance = asked == ranks ? i : (i % 2 == 0 ? 1 : -1) * (i / 2 + 1);
        const int other = ((rank + distance) % ranks + ranks) % ranks;
        if (counts[other] == 0) {
            counts[other] = received[other] = ints;
            peer[peers++] = other;
        }
    }
    for (int other = 0; other < ranks; ++other) {
        places[other] = other * (int)room;
    }
    for (int i = 0; i < peers; ++i) {
        ones[i] = received_ones[i] = ints;
        peer_places[i] = places[peer[i]];
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, peers, peer, MPI_UNWEIGHTED, peers, peer, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "hopscotch_algorithm", "trivial");
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, peers, peer, MPI_UNWEIGHTED, peers, peer, MPI_UNWEIGHTED, info, 0,
                                   &trivial_graph);
    MPI_Info_free(&info);
}

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    dl_iterate_phdr(find_library, NULL);
    peers = argc > 1 ? atoi(argv[1]) : 6;
    ints = argc > 2 ? atoi(argv[2]) : 10;
    int rounds = argc > 3 ? atoi(argv[3]) : 21;
    const int calls = argc > 4 ? atoi(argv[4]) : 50;
    missing = argc > 5 && strcmp(argv[5], "missing") == 0;
    changing = missing || (argc > 5 && strcmp(argv[5], "changing") == 0);
    rounds = rounds < most_rounds ? rounds : most_rounds;
    if (native == NULL || peers < 0 || peers > ranks || ints < 0 || rounds < 1 || calls < 1) {
        fputs("usage: sparse_benchmark PEERS INTS [ROUNDS [CALLS [changing|missing]]]\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    prepare();
    static double times[way_count][most_rounds];
    double used[way_count] = {0};
    for (int way = 0; way < way_count; ++way) {
        for (int i = 0; i < warm_up; ++i) {
            next_sizes();
            ways[way].call();
        }
    }
    for (int round = 0; round < rounds; ++round) {
        for (int way = 0; way < way_count; ++way) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double used_before = processor_time();
            const double begin = MPI_Wtime();
            for (int i = 0; i < calls; ++i) {
                next_sizes();
                ways[way].call();
            }
            const double elapsed = (MPI_Wtime() - begin) / calls;
            used[way] += (processor_time() - used_before) / calls / rounds;
            MPI_Reduce(&elapsed, &times[way][round], 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        }
    }
    double all_used[way_count];
    MPI_Reduce(used, all_used, way_count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int way = 0; rank == 0 && way < way_count; ++way) {
        qsort(times[way], (size_t)rounds, sizeof(double), ascending);
        printf("%-22s %9.2f us, fastest round %9.2f us, %5.2f times the library; processor time %9.2f us\n",
               ways[way].name, times[way][rounds / 2] * 1e6, times[way][0] * 1e6,
               times[0][rounds / 2] / times[way][rounds / 2], all_used[way] * 1e6);
    }
    MPI_Comm_free(&graph);
    MPI_Comm_free(&trivial_graph);
    MPI_Finalize();
    return 0;
}
