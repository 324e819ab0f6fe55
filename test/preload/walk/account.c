// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A program's own account of its calls, see account.h.
#define _GNU_SOURCE
#include "account.h"

#include <hopscotch.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { keys = forms * functions + 1 };

static Tally tallies[makers][keys];
static unsigned long long graphs[makers];
static unsigned long long mixed[2];
static unsigned long long sparse[forms];
static unsigned long long sparse_failed;
static int paused;

void look_at_messages(unsigned long long counts[2])
{
    static void (*take_counts)(unsigned long long counts[2]);
    if (take_counts == NULL) {
        *(void**)&take_counts = dlsym(RTLD_DEFAULT, "take_counts");
    }
    counts[0] = counts[1] = 0;
    if (take_counts != NULL) {
        take_counts(counts);
    }
}

void add_tally(Tally* sum, const Tally* more)
{
    unsigned long long* to = &sum->calls;
    const unsigned long long* from = &more->calls;
    for (int i = 0; i < tally_members; ++i) {
        to[i] += from[i];
    }
}

void account(enum Maker maker, enum Form form, int function, int rank, const Tally* more)
{
    if (!paused) {
        Tally counted = *more;
        counted.failed_calls = rank == 0 ? more->failed_calls : 0;
        add_tally(&tallies[maker][form == forms ? keys - 1 : (int)form * functions + function], &counted);
    }
}

void account_sparse(enum Form form, int failed)
{
    sparse[form] += !paused;
    sparse_failed += !paused && failed;
}

void account_mixed(const unsigned long long counts[2])
{
    mixed[0] += paused ? 0 : counts[0];
    mixed[1] += paused ? 0 : counts[1];
}

void account_graph(enum Maker maker, int rank)
{
    graphs[maker] += rank == 0;
}

void pause_account(int now)
{
    paused = now;
    MPI_Pcontrol(!now);
}

int account_paused(void)
{
    return paused;
}

int hopscotch_is_active(void)
{
    int (*is_active)(int*);
    int active = 0;
    *(void**)&is_active = dlsym(RTLD_DEFAULT, "Hop_active");
    return is_active != NULL && is_active(&active) == MPI_SUCCESS && active;
}

static int counters_of(MPI_Comm comm, Hop_Counters* counters)
{
    int (*ask)(MPI_Comm, Hop_Counters*);
    *(void**)&ask = dlsym(RTLD_DEFAULT, "Hop_counters");
    return hopscotch_is_active() && ask(comm, counters) == MPI_SUCCESS;
}

long long accelerated_calls(MPI_Comm comm)
{
    Hop_Counters counters;
    return counters_of(comm, &counters) ? (long long)counters.accelerated : -1;
}

static unsigned long long sparse_calls(void)
{
    return sparse[form_nonblocking] + sparse[form_persistent] + sparse[form_blocking];
}

static int compare(const char* what, const char* member, unsigned long long got, unsigned long long wanted)
{
    if (got == wanted) {
        return 0;
    }
    printf("FAILED: %s: Hop_counters has %s %llu, not %llu\n", what, member, got, wanted);
    fflush(stdout);
    return 1;
}

int check_counters(MPI_Comm comm, const Tally* tally, int exact_messages, const char* what)
{
    Hop_Counters counters;
    if (!counters_of(comm, &counters)) {
        return 0;
    }
    if (comm == MPI_COMM_NULL && sparse_calls() > 0) { // of which not all is known
        counters.messages_trivial = tally->messages_trivial;
    }
    int wrong = compare(what, "calls", counters.calls, tally->calls);
    wrong += compare(what, "accelerated + native", counters.accelerated + counters.native, tally->calls);
    wrong += compare(what, "failed", counters.failed, tally->failed);
    wrong += compare(what, "messages_trivial", counters.messages_trivial, tally->messages_trivial);
    return wrong +
           (exact_messages && counters.native == 0 ? compare(what, "messages", counters.messages, tally->messages) : 0);
}

int check_all_counters(void)
{
    Tally all = {.calls = sparse_calls(), .failed = sparse_failed};
    for (int maker = 0; maker < makers; ++maker) {
        for (int key = 0; key < keys; ++key) {
            add_tally(&all, &tallies[maker][key]);
        }
    }
    return check_counters(MPI_COMM_NULL, &all, 0, "all calls");
}

static void print_key(enum Maker maker, int key, const char* name, const Tally* most, const Tally* sum)
{
    static const char* const names[makers] = {"MPI_Cart_create",
                                              "MPI_Cart_sub",
                                              "MPI_Graph_create",
                                              "MPI_Dist_graph_create",
                                              "MPI_Dist_graph_create_adjacent",
                                              "MPI_Comm_dup",
                                              "MPI_Comm_dup_with_info",
                                              "MPI_Comm_set_info",
                                              "unknown"};
    if (key < 0) {
        printf("account: %s - graphs=%llu\n", names[maker], graphs[maker]);
        return;
    }
    printf("account: %s %s process_calls=%llu failed_least=%llu failed_most=%llu messages_trivial=%llu", names[maker],
           name, sum->calls, most->failed, maker == by_nobody ? most->failed : sum->failed_calls,
           sum->messages_trivial);
    if (maker == by_nobody) {
        printf(" calls=%llu", most->calls);
    } else {
        printf(" left=%llu", sum->wrong);
    }
    if (sum->inexact_payload == 0) {
        printf(" payload_bytes=%llu", sum->payload_bytes);
    }
    if (sum->mixed == 0) {
        printf(" messages=%llu bytes=%llu", sum->messages, sum->bytes);
    }
    printf("\n");
}

void print_account(void)
{
    Tally most[makers][keys];
    Tally sums[makers][keys];
    const int numbers = makers * keys * tally_members;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(tallies, most, numbers, MPI_UNSIGNED_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(tallies, sums, numbers, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : graphs, graphs, makers, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : mixed, mixed, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : sparse, sparse, forms, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    static const char* const of_sparse[forms] = {"MPI_Ialltoallv", "MPI_Alltoallv_init", "MPI_Alltoallv"};
    for (int form = 0; form < forms && rank == 0 && sparse_calls() > 0; ++form) {
        printf("account: * %s process_calls=%llu\n", of_sparse[form], sparse[form]);
    }
    unsigned long long all[2] = {mixed[0], mixed[1]};
    for (int maker = 0; maker < makers && rank == 0; ++maker) {
        if (maker != by_nobody) {
            print_key((enum Maker)maker, -1, NULL, NULL, NULL);
        }
        for (int key = 0; key < keys; ++key) {
            char name[64] = "MPI_Allgather";
            if (key < keys - 1) {
                form_name((enum Form)(key / functions), key % functions, name, sizeof name);
            }
            if (sums[maker][key].calls > 0) {
                print_key((enum Maker)maker, key, name, &most[maker][key], &sums[maker][key]);
            }
            all[0] += sums[maker][key].messages;
            all[1] += sums[maker][key].bytes;
        }
    }
    if (rank == 0 && sparse_calls() == 0) {
        printf("account: * * messages=%llu bytes=%llu\n", all[0], all[1]);
    }
    fflush(stdout);
}
