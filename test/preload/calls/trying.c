// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking calls while `auto` tries algorithms in them, on processes that are said to be on several nodes.
//
//   trying random SEED   communicators with calls of all kinds and sizes, several in flight, completed in an order of
//                        each process's own; some are freed with calls in flight, blocking calls come in between
//   trying unwaited      hundreds of calls before the first is waited for; then calls that are waited for one by one,
//                        since a process may make all of the others before it hears of the outcome
//   trying blocked SEED  the last process waits for a message that the first one sends many calls later, before it
//                        waits for any of them
//   trying apart         while the processes agree one is hardly ever in MPI, and the others do not wait for their
//   calls
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"
#include "flights.h"
#include "lists.h"

#include <stdint.h>
#include <unistd.h>

enum { most_seconds = 60, most_in_flight = 6, most_calls = 300 };

static uint64_t shared_state; // the same on all processes
static uint64_t own_state;

static void wait_in_own_order(Flight* flights, int count)
{
    int order[most_calls];
    for (int i = 0; i < count; ++i) {
        order[i] = i;
    }
    shuffle(&own_state, order, count);
    for (int i = 0; i < count; ++i) {
        MPI_Wait(&flights[order[i]].request, MPI_STATUS_IGNORE);
    }
}

static int run_window(const Torus* torus, int* number)
{
    Flight flights[most_in_flight];
    const int count = 1 + random_below(&shared_state, most_in_flight);
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        const enum FlightKind kind = (enum FlightKind)random_below(&shared_state, flight_alltoall_init);
        const int cells = random_below(&shared_state, 4) > 0 ? 2 : 1 + random_below(&shared_state, 400);
        flights[i] = begin_flight(torus, kind, (*number)++, cells);
    }
    if (random_below(&own_state, 10) == 0) {
        usleep((useconds_t)random_below(&own_state, 3000));
    }
    wait_in_own_order(flights, count);
    for (int i = 0; i < count; ++i) {
        wrong += check_flight(&flights[i]);
        end_flight(&flights[i]);
    }
    if (random_below(&shared_state, 5) == 0) {
        wrong += exchange_and_check(torus->comm, *number, 3, torus->neighbors, torus->source, torus->neighbors,
                                    torus->destination);
    }
    return wrong;
}

static int random_calls(void)
{
    enum { communicators = 6, most_windows = 150 };
    int wrong = 0;
    int number = 0;
    for (int i = 0; i < communicators; ++i) {
        Torus torus = make_torus(MPI_COMM_WORLD, 1 + random_below(&shared_state, 3));
        for (int left = random_below(&shared_state, most_windows); left > 0; --left) {
            wrong += run_window(&torus, &number);
        }
        Torus copy = duplicate_torus(&torus);
        Flight last = begin_flight(&torus, flight_alltoallv, number++, 5);
        MPI_Comm_free(&torus.comm);
        wrong += run_window(&copy, &number);
        MPI_Wait(&last.request, MPI_STATUS_IGNORE);
        wrong += check_flight(&last);
        end_flight(&last);
        free_torus(&torus);
        free_torus(&copy);
    }
    return wrong;
}

static int unwaited(void)
{
    static Flight flights[most_calls];
    const int windows[] = {most_calls, most_calls, 1};
    const int repeats[] = {1, 1, 100};
    int wrong = 0;
    Torus torus = make_torus(MPI_COMM_WORLD, 2);
    for (int part = 0; part < 3; ++part) {
        for (int repeat = 0; repeat < repeats[part]; ++repeat) {
            for (int i = 0; i < windows[part]; ++i) {
                flights[i] = begin_flight(&torus, flight_alltoallv, i, 2);
            }
            wait_in_own_order(flights, windows[part]);
            for (int i = 0; i < windows[part]; ++i) {
                wrong += check_flight(&flights[i]);
                end_flight(&flights[i]);
            }
        }
    }
    free_torus(&torus);
    return wrong;
}

typedef struct {
    int out;
    int in;
    MPI_Request request;
} Link;

static int wait_and_check(Link* link, int wanted)
{
    MPI_Wait(&link->request, MPI_STATUS_IGNORE);
    return link->in != wanted;
}

// A chain: every process sends to the next one.
static int blocked(void)
{
    enum { calls = 600, tag = 1, most_trial_calls = 300, ahead = 100 };
    static Link links[calls];
    int wrong = 0;
    MPI_Comm chain;
    const int before = rank - 1;
    const int after = rank + 1;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank > 0, &before, MPI_UNWEIGHTED, rank + 1 < size, &after,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &chain);
    const int blocks_at = 1 + random_below(&shared_state, most_trial_calls);
    int waited_for = 0;
    for (int call = 0; call < calls; ++call) {
        Link* const link = &links[call];
        *link = (Link){.out = call * size + rank, .in = -1};
        MPI_Ineighbor_alltoall(&link->out, 1, MPI_INT, &link->in, 1, MPI_INT, chain, &link->request);
        if (rank == 0 && call == blocks_at + ahead) {
            MPI_Send(&call, 1, MPI_INT, size - 1, tag, MPI_COMM_WORLD);
        }
        if (rank == size - 1 && call == blocks_at) {
            int received;
            MPI_Recv(&received, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (rank > 0 || call < blocks_at || call > blocks_at + ahead) {
            for (; waited_for <= call; ++waited_for) {
                wrong += wait_and_check(&links[waited_for], rank > 0 ? waited_for * size + before : -1);
            }
        }
    }
    MPI_Comm_free(&chain);
    return wrong;
}

int main(int argc, char** argv)
{
    const struct {
        const char* name;
        int (*run)(void);
    } modes[] = {{"random", random_calls}, {"unwaited", unwaited}, {"blocked", blocked}};
    const char* seed = argc > 2 ? argv[2] : "1";
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        if (argc > 1 && strcmp(argv[1], modes[i].name) == 0) {
            shared_state = strtoull(seed, NULL, 10);
            begin_program(&argc, &argv);
            own_state = shared_state * 1000 + (uint64_t)rank;
            watch("trying", most_seconds);
            return conclude("trying", modes[i].run());
        }
    }
    fputs("usage: trying random SEED | unwaited | blocked SEED\n", stderr);
    return 2;
}
