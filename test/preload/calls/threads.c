// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_THREAD_MULTIPLE: threads run neighborhood collectives at once, each on a communicator of its own, make and free
// others meanwhile, and wait for one thread's messages while another thread's operation is under way.
//
//   threads [THREADS [ROUNDS]]
//   threads crossing ROUNDS    two threads make graphs of the same processes at once, and use them
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"
#include "flights.h"

#include <pthread.h>
#include <sched.h>

// Threads wait for one lock in MPICH, and for cores that other work keeps for long.
enum { most_threads = 8, outstanding = 3, tag = 11, most_seconds = 100 };

typedef struct {
    int number;
    int rounds;
    MPI_Comm base; // for this thread alone
    int wrong;
} Worker;

static void* work(void* argument)
{
    Worker* worker = argument;
    int processes;
    MPI_Comm_size(worker->base, &processes);
    for (int round = 0; round < worker->rounds; ++round) {
        Torus torus = make_torus(worker->base, 2);
        Torus copy = duplicate_torus(&torus);
        Flight flights[outstanding];
        MPI_Request requests[outstanding + 1];
        for (int i = 0; i < outstanding; ++i) {
            const int kind = (round + i + worker->number) % flight_kinds;
            flights[i] = begin_flight(i == 1 ? &copy : &torus, (enum FlightKind)kind, 100 * worker->number + i, 40);
            requests[i] = flights[i].request;
        }
        worker->wrong +=
            exchange_and_check(torus.comm, round, 3, torus.neighbors, torus.source, torus.neighbors, torus.destination);
        int token = -1;
        const int right = (torus.rank + 1) % processes;
        const int left = (torus.rank + processes - 1) % processes;
        MPI_Irecv(&token, 1, MPI_INT, left, tag, worker->base, &requests[outstanding]);
        MPI_Send(&torus.rank, 1, MPI_INT, right, tag, worker->base);
        if (round % 2 == 0) {
            MPI_Waitall(outstanding + 1, requests, MPI_STATUSES_IGNORE);
        } else {
            for (int i = outstanding; i >= 0; --i) {
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            }
        }
        worker->wrong += token != left;
        for (int i = 0; i < outstanding; ++i) {
            worker->wrong += check_flight(&flights[i]);
            flights[i].request = requests[i];
            end_flight(&flights[i]);
        }
        // This process's others wait in a receive while the operation is under way at the neighbors.
        Flight last = begin_flight(&copy, flight_alltoallv, 100 * worker->number + round, 400);
        if (torus.rank == round % processes) {
            MPI_Wait(&last.request, MPI_STATUS_IGNORE);
        }
        MPI_Bcast(&token, 1, MPI_INT, round % processes, worker->base);
        MPI_Wait(&last.request, MPI_STATUS_IGNORE);
        worker->wrong += check_flight(&last);
        end_flight(&last);
        free_torus(&copy);
        free_torus(&torus);
    }
    return NULL;
}

static int persistent(MPI_Comm ring, const int lists[2], int own)
{
    int wrong = 0;
#ifndef NO_PERSISTENT
    const int out[2] = {own, own};
    MPI_Request requests[2];
    int in[2][2];
    for (int i = 0; i < 2; ++i) {
        MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in[i], 1, MPI_INT, ring, MPI_INFO_NULL, &requests[i]);
    }
    for (int start = 0; start < 2; ++start) {
        memset(in, -1, sizeof in);
        MPI_Startall(2, requests);
        for (int i = 0; i < 2; ++i) {
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            wrong += in[i][0] != lists[0] || in[i][1] != lists[1];
        }
    }
    for (int i = 0; i < 2; ++i) {
        MPI_Request_free(&requests[i]);
    }
#else
    (void)ring;
    (void)lists;
    (void)own;
#endif
    return wrong;
}

static pthread_barrier_t together;

static void* cross(void* argument)
{
    Worker* worker = argument;
    int own;
    int lists[2];
    MPI_Comm kept = MPI_COMM_NULL;
    MPI_Comm_rank(worker->base, &own);
    for (int round = 0; round < worker->rounds; ++round) {
        pthread_barrier_wait(&together);
        if ((own + worker->number) % 2 == 0) {
            sched_yield();
        }
        MPI_Comm ring;
        make_ring(worker->base, lists, &ring);
        worker->wrong += persistent(ring, lists, own);
        worker->wrong += exchange_and_check(ring, 2 * round + worker->number, 3, 2, lists, 2, lists);
        if (kept != MPI_COMM_NULL) {
            worker->wrong += exchange_and_check(kept, round, 500, 2, lists, 2, lists);
            MPI_Comm_free(&kept);
        }
        kept = ring;
    }
    MPI_Comm_free(&kept);
    return NULL;
}

int main(int argc, char** argv)
{
    begin_threads(MPI_THREAD_MULTIPLE, &argc, &argv);
    const int crossing = argc > 1 && strcmp(argv[1], "crossing") == 0;
    const int threads = crossing ? 2 : argc > 1 ? atoi(argv[1]) : 4;
    if (threads > most_threads) {
        give_up("threads: too many threads");
    }
    Worker workers[most_threads];
    pthread_t handles[most_threads];
    watch("threads", most_seconds);
    for (int i = 0; i < threads; ++i) {
        workers[i] = (Worker){.number = i, .rounds = argc > 2 ? atoi(argv[2]) : 20};
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].base);
    }
    Torus first = make_torus(MPI_COMM_WORLD, 2); // Open MPI 4.1.4 loads its topology code at the first, unprotected
    free_torus(&first);
    int wrong = pthread_barrier_init(&together, NULL, 2);
    for (int i = 0; i < threads; ++i) {
        wrong += pthread_create(&handles[i], NULL, crossing ? cross : work, &workers[i]) != 0;
    }
    for (int i = 0; i < threads; ++i) {
        pthread_join(handles[i], NULL);
        wrong += workers[i].wrong;
        MPI_Comm_free(&workers[i].base);
    }
    return conclude("threads", wrong);
}
