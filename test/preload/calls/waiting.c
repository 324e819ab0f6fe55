// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One of two processes is late in every exchange, the other waits for it in each way to complete requests. The
// library's time of neighborhood collectives must equal the program's own measurement of these calls, under any
// algorithm, without the time of other calls.
//
//   waiting STYLES    so many styles for persistent requests, from MPI_Wait on; for runs under the shim
#include "../../program.h"

#include <dlfcn.h>
#include <hopscotch.h>
#include <unistd.h>

enum { halo, gathered, received, sent, requests, rounds = 2, tries = 20 };
static const int late_us = 30000;
enum Style {
    by_wait,
    by_test,
    by_waitall,
    by_status,
    by_waitany,
    by_waitsome,
    by_testany,
    by_testsome,
    by_testall,
    styles
};
static const char* const names[styles] = {"MPI_Wait",    "MPI_Test",     "MPI_Waitall", "MPI_Request_get_status",
                                          "MPI_Waitany", "MPI_Waitsome", "MPI_Testany", "MPI_Testsome",
                                          "MPI_Testall"};

static int (*counters)(MPI_Comm, Hop_Counters*);
static int faults;
static double own; // seconds in calls that concern neighborhood collectives
static int data[2][requests];

static double since(double begin)
{
    return MPI_Wtime() - begin;
}

static Hop_Counters counted(void)
{
    Hop_Counters all;
    counters(MPI_COMM_NULL, &all);
    return all;
}

static void tell(const char* what, const char* form, double seconds)
{
    printf("FAILED: rank %d, %s, %s: %.6f s are counted, %.6f s were spent\n", rank, what, form, seconds, own);
    ++faults;
}

// No more time was counted than the own.
static void expect_no_more(const char* what, const char* form, double seconds)
{
    if (seconds > 1.02 * own + 2e-4) {
        tell(what, form, seconds);
    }
}

// The one that waits does nothing else; each round takes it as long as the other one sleeps.
static void be_late(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        usleep((useconds_t)late_us);
    }
}

static void make(MPI_Comm graph, int persistent, MPI_Request* request)
{
#ifndef NO_PERSISTENT
    if (persistent) {
        MPI_Neighbor_alltoall_init(&data[0][halo], 1, MPI_INT, &data[1][halo], 1, MPI_INT, graph, MPI_INFO_NULL,
                                   &request[halo]);
        MPI_Neighbor_allgather_init(&data[0][gathered], 1, MPI_INT, &data[1][gathered], 1, MPI_INT, graph,
                                    MPI_INFO_NULL, &request[gathered]);
        return;
    }
#endif
    MPI_Ineighbor_alltoall(&data[0][halo], 1, MPI_INT, &data[1][halo], 1, MPI_INT, graph, &request[halo]);
    MPI_Ineighbor_allgather(&data[0][gathered], 1, MPI_INT, &data[1][gathered], 1, MPI_INT, graph, &request[gathered]);
}

static void complete_one(enum Style style, MPI_Request* request)
{
    int flag = style == by_wait;
    while (!flag) {
        if (style == by_test) {
            MPI_Test(request, &flag, MPI_STATUS_IGNORE);
        } else {
            MPI_Request_get_status(*request, &flag, MPI_STATUS_IGNORE);
        }
    }
    if (style != by_test) {
        MPI_Wait(request, MPI_STATUS_IGNORE);
    }
}

static void complete(enum Style style, MPI_Request* request)
{
    MPI_Status statuses[requests];
    int indices[requests];
    int found = 0;
    int flag = 0;
    if (style == by_waitall) {
        MPI_Waitall(requests, request, statuses);
    } else if (style == by_testall) {
        while (!flag) {
            MPI_Testall(requests, request, &flag, statuses);
        }
    } else if (style < by_waitany) {
        for (int i = 0; i < requests; ++i) {
            complete_one(style, &request[i]);
        }
    } else {
        for (int done = 0; done < requests; done += found) {
            found = 1;
            switch (style) {
            case by_waitany:
                MPI_Waitany(requests, request, indices, MPI_STATUS_IGNORE);
                break;
            case by_testany:
                MPI_Testany(requests, request, indices, &found, MPI_STATUS_IGNORE);
                break;
            case by_waitsome:
                MPI_Waitsome(requests, request, &found, indices, statuses);
                break;
            default:
                MPI_Testsome(requests, request, &found, indices, statuses);
            }
        }
    }
}

// True if the time that was counted is a large part of the own, or `last`.
static int try_once(MPI_Comm graph, const char* form, int persistent, enum Style style, int last)
{
    const Hop_Counters before = counted();
    MPI_Request request[requests];
    own = 0;
    if (persistent) {
        make(graph, persistent, request);
    }
    for (int round = 0; round < rounds; ++round) {
        be_late();
        double begin = MPI_Wtime();
        if (persistent) {
            MPI_Start(&request[halo]);
            MPI_Startall(1, &request[gathered]);
        } else {
            make(graph, persistent, request);
        }
        own += since(begin);
        MPI_Irecv(&data[1][received], 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request[received]);
        MPI_Isend(&data[0][sent], 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request[sent]);
        if (round == rounds - 1) {
            MPI_Comm_free(&graph);
        }
        begin = MPI_Wtime();
        complete(style, request);
        own += since(begin);
    }
    if (persistent) {
        MPI_Request_free(&request[halo]);
        MPI_Request_free(&request[gathered]);
    }
    const Hop_Counters after = counted();
    const double seconds = after.seconds - before.seconds;
    expect_no_more(names[style], form, seconds);
    // A process that only looks again spends much of its time between the looks. The late one does not wait: its time
    // may be that of other programs on its core.
    const int looks = style == by_test || style == by_status || style >= by_testany;
    const int waits = rank == 0 && own >= 0.5e-6 * late_us;
    const int is_large = !waits || seconds >= (looks ? 0.1 : 0.9) * own - 2e-4;
    if (last && !is_large) {
        tell(names[style], form, seconds);
    }
    if (after.calls - before.calls != 2 * rounds) {
        printf("FAILED: rank %d, %s, %s: %llu calls are counted\n", rank, names[style], form,
               after.calls - before.calls);
        ++faults;
    }
    return is_large || last;
}

// Other programs may have the core of this process between its calls, but not in each of some tries. Each try is made
// on a duplicate: one of MPI_Comm_idup has no record.
static void try_style(MPI_Comm graph, const char* form, int persistent, enum Style style, int has_record)
{
    int done = 0;
    for (int number = 1; !done; ++number) {
        MPI_Comm used;
        if (has_record) {
            MPI_Comm_dup(graph, &used);
        } else {
            MPI_Request duplicated;
            MPI_Comm_idup(graph, &used, &duplicated);
            MPI_Wait(&duplicated, MPI_STATUS_IGNORE);
        }
        done = try_once(used, form, persistent, style, number == tries);
        MPI_Allreduce(MPI_IN_PLACE, &done, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
}

// The library may give these requests handles of those it has freed.
static void wait_for_others(void)
{
    const double before = counted().seconds;
    MPI_Request request[requests];
    MPI_Status statuses[requests];
    for (int i = 0; i < requests; ++i) {
        MPI_Irecv(&data[1][i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &request[i]);
    }
    be_late();
    for (int i = 0; i < requests; ++i) {
        MPI_Send(&data[0][i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    }
    MPI_Waitall(requests, request, statuses);
    own = 0;
    expect_no_more("MPI_Waitall", "other requests", counted().seconds - before);
}

// While counting is paused neither the calls count nor the waits for them.
static void wait_uncounted(MPI_Comm graph, int persistent)
{
    MPI_Request request[2];
    make(graph, 0, request);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE); // the graph is counted
    const Hop_Counters before = counted();
    MPI_Pcontrol(0);
    if (persistent) {
        make(graph, persistent, request);
    }
    be_late();
    if (persistent) {
        MPI_Startall(2, request);
    } else {
        make(graph, persistent, request);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2 && persistent; ++i) {
        MPI_Request_free(&request[i]);
    }
    MPI_Pcontrol(1);
    const Hop_Counters after = counted();
    if (after.calls != before.calls || after.seconds > before.seconds + 1e-4) {
        printf("FAILED: rank %d, paused: %llu calls and %.6f s are counted\n", rank, after.calls - before.calls,
               after.seconds - before.seconds);
        ++faults;
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    *(void**)&counters = dlsym(RTLD_DEFAULT, "Hop_counters"); // the conversion POSIX prescribes for dlsym
    if (argc != 2 || counters == NULL) {
        give_up("usage: waiting STYLES, under libhopscotch.so");
    }
    const int other = 1 - rank;
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &other, MPI_UNWEIGHTED, 1, &other, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &graph);
    for (int style = 0; style < styles; ++style) {
        try_style(graph, "nonblocking", 0, (enum Style)style, 1);
        wait_for_others();
    }
#ifndef NO_PERSISTENT
    for (int style = 0; style < atoi(argv[1]); ++style) {
        try_style(graph, "persistent", 1, (enum Style)style, 1);
        wait_for_others();
    }
#endif
    wait_uncounted(graph, 0);
#ifndef NO_PERSISTENT
    if (atoi(argv[1]) > 0) {
        wait_uncounted(graph, 1);
    }
#endif
    try_style(graph, "nonblocking, on a communicator without a record", 0, by_waitall, 0);
    MPI_Comm_free(&graph);
    MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return end_program(faults == 0 ? 0 : 1);
}
