// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes graphs while calls of the shim fail: in the first graph the first call, in the second graph the second, and so
// on. Needs libfaulty.so. Each graph, its duplicate and the graph after it must exchange the right data, and no
// descriptor and no mapping may be left.
//
//   stepwise WHICH all|RANK [FIRST [LAST]]    WHICH: mpi, system, memory, or a function. The call fails on all
//                                             processes or on one. Ends after call LAST, or after a pass without a
//                                             failed call
//   stepwise WHICH all|RANK world NUMBER      the first graph of the job, of all processes in order
//   stepwise Init all                         MPI_Init fails and is called again
//   stepwise none all                         no call fails: the first graph needs no communicator of the shim's own,
//                                             and a graph made again from its parent needs none of the calls by which
//                                             processes talk to each other
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"
#include "footprint.h"

#include <dlfcn.h>

static int lists[2];
static char failed[64]; // the call that did
static void (*fail_call)(const char*, long);
static const char* (*failed_call)(void);

static long files_in_memory(void)
{
    char line[512];
    long count = 0;
    FILE* const maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        count += strstr(line, "memfd:hopscotch") != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return count;
}

// True if the call failed on some process.
static long any_failed(void)
{
    long any = failed[0] != '\0';
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    return any;
}

// The shim keeps the group of the last graph for the next one. From here on it keeps that of a process alone.
static void leave_group(void)
{
    const int self[2] = {0, 0};
    MPI_Comm alone;
    MPI_Comm graph;
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &alone);
    MPI_Dist_graph_create_adjacent(alone, 2, self, MPI_UNWEIGHTED, 2, self, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&alone);
}

// A graph of the processes in the order of their keys, used; the shim's call of that number fails while it is made; 0:
// none. Returns the number of wrong results.
static int make_and_use_in_order(int key, const char* which, long number)
{
    MPI_Comm parent;
    MPI_Comm graph;
    MPI_Comm copy;
    MPI_Comm_split(MPI_COMM_WORLD, 0, key, &parent);
    MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
    fail_call(which, number);
    const int made = make_ring(parent, lists, &graph);
    snprintf(failed, sizeof failed, "%s", failed_call() != NULL ? failed_call() : "");
    fail_call(which, 0);
    int wrong = made != MPI_SUCCESS;
    MPI_Comm_dup(graph, &copy);
    for (int i = 0; i < 2; ++i) {
        wrong += exchange_and_check(i == 0 ? graph : copy, i, 3, 2, lists, 2, lists);
    }
    MPI_Comm_free(&copy);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&parent);
    return wrong;
}

// The same with the ranks reversed; the shim has to make their group.
static int make_and_use(const char* which, long number)
{
    leave_group();
    return make_and_use_in_order(-rank, which, number);
}

// Makes a graph of MPI_COMM_WORLD again and again. Returns the number of wrong results, and of calls that would have
// failed: Comm_create_group of the first graph, and all once the shim knows the graph and the processes have memory to
// agree in.
static int make_silently(void)
{
    static const char* const talks[] = {"Allreduce",  "Iallreduce", "Bcast", "Barrier",    "Allgather",
                                        "Allgatherv", "Isend",      "Irecv", "Comm_split", "Comm_create_group"};
    enum { before = 6, all = before + sizeof talks / sizeof *talks };
    int wrong = 0;
    for (int i = 0; i < all; ++i) {
        MPI_Comm graph;
        fail_call(i == 0 ? "Comm_create_group" : i < before ? "" : talks[i - before], 1);
        wrong += make_ring(MPI_COMM_WORLD, lists, &graph) != MPI_SUCCESS;
        if (failed_call() != NULL) {
            printf("FAILED: rank %d: graph %d needs %s\n", rank, i, failed_call());
            ++wrong;
        }
        fail_call("", 0);
        wrong += exchange_and_check(graph, i, 3, 2, lists, 2, lists);
        MPI_Comm_free(&graph);
    }
    return wrong;
}

int main(int argc, char** argv)
{
    *(void**)&fail_call = dlsym(RTLD_DEFAULT, "fail_call");
    *(void**)&failed_call = dlsym(RTLD_DEFAULT, "failed_call");
    const int begins_twice = argc > 1 && strcmp(argv[1], "Init") == 0 && fail_call != NULL;
    if (begins_twice) {
        fail_call("Init", 1);
    }
    int failures = MPI_Init(&argc, &argv) != MPI_SUCCESS;
    if (begins_twice) {
        MPI_Init(&argc, &argv);
    }
    find_place();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (argc < 3 || fail_call == NULL || failed_call == NULL) {
        give_up("usage, with libfaulty.so: stepwise WHICH all|RANK [FIRST [LAST]]");
    }
    if (strcmp(argv[1], "none") == 0) {
        return conclude("stepwise", make_silently());
    }
    const int fails_here = strcmp(argv[2], "all") == 0 || atoi(argv[2]) == rank;
    const int of_world = argc > 4 && strcmp(argv[3], "world") == 0;
    const long first = argc > 3 && !of_world ? atol(argv[3]) : 1;
    const long last = of_world ? 0 : argc > 4 ? atol(argv[4]) : 1000;
    int wrong = 0;
    if (of_world) {
        wrong = make_and_use_in_order(rank, argv[1], fails_here ? atol(argv[4]) : 0);
        failures += (int)any_failed();
        wrong += make_and_use_in_order(rank, argv[1], 0);
    }
    wrong += make_and_use(argv[1], 0) + make_and_use(argv[1], 0);
    const long before[2] = {entries_of("/proc/self/fd"), files_in_memory()};
    for (long number = first, failing = 1; number <= last && failing; ++number, failures += (int)failing) {
        wrong += make_and_use(argv[1], fails_here ? number : 0);
        failing = any_failed();
        if (failing && getenv("STEPWISE_SHOWS") != NULL) {
            fprintf(stderr, "rank %d: %s %ld is %s\n", rank, argv[1], number, failed);
        }
        wrong += make_and_use(argv[1], 0);
        if (entries_of("/proc/self/fd") > before[0] || files_in_memory() > before[1]) {
            printf("FAILED: rank %d, %s, call %ld (%s): %ld descriptors, %ld before; %ld files in memory, %ld before\n",
                   rank, argv[1], number, failed, entries_of("/proc/self/fd"), before[0], files_in_memory(), before[1]);
            ++wrong;
        }
    }
    wrong += failures == 0;
    if (rank == 0) {
        printf("time: %d calls failed\n", failures);
    }
    return conclude("stepwise", wrong);
}
