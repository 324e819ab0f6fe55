/* SPDX-FileCopyrightText: 2026 The Hopscotch authors
   SPDX-License-Identifier: BSD-3-Clause
   Exchanges whose numbers are known, one in each function: the advice has to give exactly these. In between the program
   changes its folder, and a child that it has made ends. */
#include "common.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { times = 6 };

static int after, before;

/* Half of the messages have elements of another size. */
static void change_types(void)
{
    for (int i = 0; i < times; ++i) {
        const MPI_Datatype type = i < times / 2 ? MPI_INT : MPI_DOUBLE;
        MPI_Sendrecv(field[0][0], 2, type, after, 0, field[1][0], 2, type, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

/* The library's older inquiries end the program for such a type. */
static void use_large_counts(void)
{
#if MPI_VERSION >= 4
    MPI_Datatype three;
    MPI_Type_contiguous_c(3, MPI_INT, &three);
    MPI_Type_commit(&three);
    for (int i = 0; i < times; ++i) {
        MPI_Sendrecv(field[0][0], 1, three, after, 0, field[1][0], 1, three, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&three);
#endif
}

/* The size of a message tells its sender. */
static void differ_by_rank(void)
{
    for (int i = 0; i < times; ++i) {
        MPI_Sendrecv(field[0][0], rank + 1, MPI_INT, after, 0, field[1][0], size, MPI_INT, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
}

/* MPI_Test completes nothing before all have called it: the messages around it are those of one exchange. */
static void test_in_between(void)
{
    for (int i = 0; i < times; ++i) {
        MPI_Request requests[4];
        for (int part = 0; part < 2; ++part) {
            int done = 0;
            MPI_Irecv(field[1][part], 4, MPI_INT, before, part, MPI_COMM_WORLD, &requests[part]);
            MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        for (int part = 0; part < 2; ++part) {
            MPI_Isend(field[0][part], 4, MPI_INT, after, part, MPI_COMM_WORLD, &requests[2 + part]);
        }
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
}

/* Ranks of two communicators that number the processes differently: only those of MPI_COMM_WORLD make a ring. */
static void use_two_communicators(void)
{
    MPI_Comm comms[2];
    int own, to, from;
    for (int side = 0; side < 2; ++side) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, side ? rank : rank % 2 * size + rank / 2, &comms[side]);
    }
    MPI_Comm_rank(comms[0], &own);
    int* const places = malloc((size_t)size * sizeof(int));
    MPI_Allgather(&own, 1, MPI_INT, places, 1, MPI_INT, MPI_COMM_WORLD);
    to = places[after];
    from = places[before];
    free(places);
    for (int i = 0; i < times; ++i) {
        MPI_Sendrecv(field[0][0], 1, MPI_INT, to, 0, field[1][0], 1, MPI_INT, from, 0, comms[0], MPI_STATUS_IGNORE);
        MPI_Sendrecv(field[0][0], 1, MPI_INT, before, 0, field[1][0], 1, MPI_INT, after, 0, comms[1],
                     MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&comms[0]);
    MPI_Comm_free(&comms[1]);
}

/* Graphs that go, one this way and one that way, leave their handles to others with other neighbors. */
static void renew_graphs(void)
{
    for (int i = 0; i < 2 * times; ++i) {
        const int to = i % 2 ? before : after, from = i % 2 ? after : before;
        MPI_Comm graph;
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                       0, &graph);
        MPI_Sendrecv(field[0][0], 1, MPI_INT, to, 0, field[1][0], 1, MPI_INT, from, 0, graph, MPI_STATUS_IGNORE);
        if (i < times) {
            MPI_Comm_free(&graph);
        } else {
            MPI_Comm_disconnect(&graph);
        }
    }
}

static void* wait_in_thread(void* comm)
{
    int token;
    MPI_Recv(&token, 1, MPI_INT, 0, 0, *(const MPI_Comm*)comm, MPI_STATUS_IGNORE);
    return NULL;
}

/* Calls while another thread waits inside of one. MPICH 4.0.2 sees that a message to itself has completed another
   thread's receive only after a message of another process. */
static void send_beside_thread(void)
{
    MPI_Comm own;
    pthread_t thread;
    MPI_Comm_dup(MPI_COMM_SELF, &own);
    pthread_create(&thread, NULL, wait_in_thread, &own);
    usleep(20000);
    for (int i = 0; i < times; ++i) {
        MPI_Sendrecv(field[0][0], 1, MPI_DOUBLE, after, 0, field[1][0], 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    MPI_Send(&rank, 1, MPI_INT, 0, 0, own);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Comm_free(&own);
}

static void end_a_child(void)
{
    const pid_t child = fork();
    if (child == 0) {
        exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(int argc, char** argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    after = (rank + 1) % size;
    before = (rank + size - 1) % size;
    if (chdir("/") != 0) {
        return 1;
    }
    end_a_child();
    change_types();
    use_large_counts();
    differ_by_rank();
    test_in_between();
    use_two_communicators();
    renew_graphs();
    send_beside_thread();
    return end_program(0);
}
