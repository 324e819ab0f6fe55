// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Cases that random cases do not reach.
//
//   corners orders      persistent requests, all active at once, started in an order of each process's own
//   corners tags        as many graphs and persistent requests as there are tags for, under limiting.c, which leaves
//                       few
//   corners abandoned   all processes but one, which is late, free their active request and do not wait
//   corners disowned    the buffer of a freed active request is used again as soon as its data has arrived
//   corners following   blocking calls until their trial is over, then nonblocking ones
//   corners sleeping    one process after the other comes late
//   corners crowded     on two processes, more threads wait than there are cores for: they give them away
//   corners large       one block of more bytes than an int can count; displacements and counts that are no int
//   corners truncated   a message is too long for its receive, in one array with an operation and another receive
//   corners handlers    the program's error handlers of MPI_COMM_SELF and MPI_COMM_WORLD stay; mpi4py sets both
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"
#include "flights.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_seconds = 60, cells = 3 };

static int wait_and_check(Flight* flight)
{
    MPI_Wait(&flight->request, MPI_STATUS_IGNORE);
    return check_flight(flight);
}

#ifdef NO_PERSISTENT
static int orders(void)
{
    return 0;
}

static int tags(void)
{
    return 0;
}
#else
// Odd ranks start from the end, the others from somewhere in the middle.
static int in_order(const Torus* torus, int count, int i, int round)
{
    return torus->rank % 2 == 0 ? (i + round) % count : count - 1 - i;
}

static int orders(void)
{
    enum { count = 6, rounds = 4 };
    Torus torus = make_torus(MPI_COMM_WORLD, 2);
    Flight flights[count];
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        flights[i] = begin_flight(&torus, flight_alltoall_init, i, cells);
        wrong += wait_and_check(&flights[i]);
    }
    for (int round = 1; round <= rounds; ++round) {
        for (int i = 0; i < count; ++i) {
            refill(&flights[i], 10 * round + i);
        }
        for (int i = 0; i < count; ++i) {
            MPI_Start(&flights[in_order(&torus, count, i, round)].request);
        }
        for (int i = 0; i < count; ++i) {
            wrong += wait_and_check(&flights[in_order(&torus, count, i, round + 1)]);
        }
    }
    for (int i = 0; i < count; ++i) {
        end_flight(&flights[i]);
    }
    free_torus(&torus);
    return wrong;
}

// limiting.c leaves two blocks of tags for a private communicator: 687 persistent requests each.
static int tags(void)
{
    enum { graphs = 5, least = 1001, most = 2000 };
    static int out[most];
    static int in[most][2];
    static MPI_Request requests[most];
    int lists[2];
    int wrong = 0;
    int made = 0;
    int code = MPI_SUCCESS;
    MPI_Comm ring;
    MPI_Comm others[graphs];
    make_ring(MPI_COMM_WORLD, lists, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    for (; made < most && code == MPI_SUCCESS; made += code == MPI_SUCCESS) {
        code = MPI_Neighbor_allgather_init(&out[made], 1, MPI_INT, in[made], 1, MPI_INT, ring, MPI_INFO_NULL,
                                           &requests[made]);
    }
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    if (made < least || class != MPI_ERR_TAG) {
        printf("FAILED: rank %d: after %d requests the error class is %d\n", rank, made, class);
        return 1;
    }
    for (int i = 0; i < made; ++i) {
        out[i] = most * rank + i;
    }
    for (int i = 0; i < made; ++i) {
        MPI_Start(&requests[rank % 2 == 0 ? i : made - 1 - i]);
    }
    for (int k = 0; k < graphs; ++k) {
        make_ring(MPI_COMM_WORLD, lists, &others[k]);
        wrong += exchange_and_check(others[k], k, cells, 2, lists, 2, lists);
    }
    wrong += MPI_Waitall(made, requests, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    for (int i = 0; i < made; ++i) {
        wrong += in[i][0] != most * lists[0] + i || in[i][1] != most * lists[1] + i;
        MPI_Request_free(&requests[i]);
    }
    for (int k = 0; k < graphs; ++k) {
        MPI_Comm_free(&others[k]);
    }
    MPI_Comm_free(&ring);
    return wrong;
}
#endif

static int abandoned(void)
{
    Torus torus = make_torus(MPI_COMM_WORLD, 2);
    if (torus.rank == 0) {
        usleep(100000); // else the others are done at once
    }
    Flight flight = begin_flight(&torus, flight_alltoall, 1, cells);
    if (torus.rank == 0) {
        return wait_and_check(&flight);
    }
    MPI_Request_free(&flight.request);
    return 0; // the buffers stay
}

static int disowned(void)
{
    Torus torus = make_torus(MPI_COMM_WORLD, 2);
    Flight flight = begin_flight(&torus, flight_alltoall, 1, cells);
    MPI_Request_free(&flight.request);
    for (int i = 0; i < torus.neighbors * cells; ++i) {
        while (flight.in[i] == -7) { // the value that begin_flight leaves there
            int flag;
            MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    }
    const int wrong = check_flight(&flight);
    refill(&flight, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    Flight other = begin_flight(&torus, flight_alltoall, 3, cells);
    return wrong + wait_and_check(&other);
}

static int following(void)
{
    enum { blocking_calls = 40, nonblocking_calls = 3 };
    Torus torus = make_torus(MPI_COMM_WORLD, 2);
    Flight flight = begin_flight(&torus, flight_allgather, 1, cells); // for its memory
    int wrong = wait_and_check(&flight);
    long long* out = calloc((size_t)torus.neighbors * cells, sizeof *out);
    for (int call = 0; call < blocking_calls; ++call) {
        MPI_Neighbor_alltoall(out, cells, MPI_LONG_LONG, flight.in, cells, MPI_LONG_LONG, torus.comm);
    }
    for (int call = 0; call < nonblocking_calls; ++call) {
        Flight next = begin_flight(&torus, flight_alltoall, call, cells);
        wrong += wait_and_check(&next);
        end_flight(&next);
    }
    free(out);
    end_flight(&flight);
    free_torus(&torus);
    return wrong;
}

static int sleeping(void)
{
    enum { calls = 8 };
    int wrong = 0;
    Torus torus = make_torus(MPI_COMM_WORLD, 2);
    for (int call = 0; call < calls; ++call) {
        if (torus.rank == call % size) {
            usleep(60000);
        }
        wrong += exchange_and_check(torus.comm, call, cells, torus.neighbors, torus.source, torus.neighbors,
                                    torus.destination);
    }
    free_torus(&torus);
    return wrong;
}

typedef struct {
    MPI_Comm ring; // for this thread alone
    int lists[2];
    pthread_barrier_t* begun;
    int wrong;
} Waiter;

static void* call_in_thread(void* argument)
{
    Waiter* waiter = argument;
    pthread_barrier_wait(waiter->begun);
    waiter->wrong = exchange_and_check(waiter->ring, 1, cells, 2, waiter->lists, 2, waiter->lists);
    return NULL;
}

static int crowded(void)
{
    enum { most_threads = 64, most_milliseconds = 20000 };
    Waiter waiters[most_threads];
    pthread_t handles[most_threads];
    pthread_barrier_t begun;
    cpu_set_t cores;
    int token = 0;
    long (*given_away)(void);
    *(void**)&given_away = dlsym(RTLD_DEFAULT, "cores_given_away");
    sched_getaffinity(0, sizeof cores, &cores);
    const int enough = CPU_COUNT(&cores) / 2 + 1;
    const int threads = enough < most_threads ? enough : most_threads;
    pthread_barrier_init(&begun, NULL, (unsigned)threads + 1);
    for (int i = 0; i < threads; ++i) {
        waiters[i].begun = &begun;
        make_ring(MPI_COMM_WORLD, waiters[i].lists, &waiters[i].ring);
        pthread_create(&handles[i], NULL, call_in_thread, &waiters[i]);
    }
    if (rank == 0) { // late: the others have to wait
        MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    const long before = given_away();
    pthread_barrier_wait(&begun);
    if (rank == 1) {
        for (int waited = 0; waited < most_milliseconds && given_away() == before && enough == threads; ++waited) {
            usleep(1000);
        }
        MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    int wrong = 0;
    for (int i = 0; i < threads; ++i) {
        pthread_join(handles[i], NULL);
        wrong += waiters[i].wrong;
        MPI_Comm_free(&waiters[i].ring);
    }
    if (rank == 1 && given_away() == before && enough == threads) {
        puts("FAILED: threads keep their cores");
        ++wrong;
    }
    return wrong;
}

#ifdef NO_LARGE_COUNTS
static int large(void)
{
    return 0;
}
#else
// The same two megabytes again and again.
static char* repeated(size_t bytes)
{
    const size_t piece = (size_t)2 << 20;
    const int file = memfd_create("corners", 0);
    char* const all = mmap(NULL, bytes + piece, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (file < 0 || ftruncate(file, (off_t)piece) != 0 || all == MAP_FAILED) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (size_t at = 0; at < bytes; at += piece) {
        mmap(all + at, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    }
    return all;
}

// Three bytes from rank 0 to rank 1, at a displacement that is no int.
static int far_away(MPI_Comm graph, char* buffer, MPI_Aint at)
{
    const MPI_Count count = 3;
    const MPI_Datatype type = MPI_BYTE;
    int wrong = 0;
    for (int round = 0; round < 2; ++round) {
        memset(buffer + at, rank == 0 ? 7 + round : 0, 3);
        if (round == 0) {
            MPI_Neighbor_alltoallv_c(buffer, &count, &at, MPI_BYTE, buffer, &count, &at, MPI_BYTE, graph);
        } else {
            MPI_Neighbor_alltoallw_c(buffer, &count, &at, &type, buffer, &count, &at, &type, graph);
        }
        wrong += buffer[at] != 7 + round || buffer[at + 2] != 7 + round;
    }
    return wrong;
}

// More elements than an int can count, of a type without data.
static int many_of_nothing(MPI_Comm graph, MPI_Count count)
{
    const MPI_Aint zero = 0;
    char data[1] = {(char)rank};
    MPI_Datatype type;
    MPI_Type_contiguous(0, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    int codes = MPI_Neighbor_alltoallv_c(data, &count, &zero, type, data, &count, &zero, type, graph);
    codes += MPI_Neighbor_alltoallw_c(data, &count, &zero, &type, data, &count, &zero, &type, graph);
    codes += MPI_Neighbor_allgatherv_c(data, count, type, data, &count, &zero, type, graph);
    MPI_Type_free(&type);
    return codes != MPI_SUCCESS || data[0] != rank;
}

static int large(void)
{
    const MPI_Count bytes = ((MPI_Count)1 << 31) + 5;
    const int other = 1 - rank;
    char* const buffer = repeated((size_t)bytes);
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank, &other, MPI_UNWEIGHTED, other, &other, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    const MPI_Count out[] = {rank == 0 ? bytes : 0};
    const MPI_Count in[] = {rank == 0 ? 0 : bytes};
    const MPI_Aint at[] = {0};
    const MPI_Datatype types[] = {MPI_BYTE};
    int wrong = 0;
    for (int form = 0; form < 3; ++form) {
        memset(buffer, rank == 0 ? form + 1 : 0, (size_t)2 << 20);
        if (form == 0) {
            MPI_Neighbor_alltoall_c(buffer, out[0], MPI_BYTE, buffer, in[0], MPI_BYTE, graph);
        } else if (form == 1) {
            MPI_Neighbor_alltoallv_c(buffer, out, at, MPI_BYTE, buffer, in, at, MPI_BYTE, graph);
        } else {
            MPI_Neighbor_alltoallw_c(buffer, out, at, types, buffer, in, at, types, graph);
        }
        wrong += buffer[0] != form + 1 || buffer[bytes - 1] != form + 1;
    }
    wrong += far_away(graph, buffer, bytes - 3) + many_of_nothing(graph, bytes);
    MPI_Comm_free(&graph);
    return wrong;
}
#endif

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    MPI_Error_class(code, &class);
    return class;
}

static int truncated(void)
{
    int lists[2];
    int out[2];
    int in[2] = {-1, -1};
    int received[2];
    MPI_Comm ring;
    MPI_Request requests[3];
    MPI_Status status[3];
    MPI_Comm_rank(MPI_COMM_WORLD, &out[0]);
    out[1] = out[0];
    make_ring(MPI_COMM_WORLD, lists, &ring);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; ++i) {
        MPI_Irecv(&received[i], 1, MPI_INT, out[0], i, MPI_COMM_WORLD, &requests[i]);
        MPI_Send(out, 1 + i, MPI_INT, out[0], i, MPI_COMM_WORLD);
    }
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, ring, &requests[2]);
    int wrong = class_of(MPI_Waitall(3, requests, status)) != MPI_ERR_IN_STATUS;
    wrong += class_of(status[0].MPI_ERROR) != MPI_SUCCESS || class_of(status[1].MPI_ERROR) != MPI_ERR_TRUNCATE;
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    wrong += in[0] != lists[0] || in[1] != lists[1];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_free(&ring);
    return wrong;
}

static int has_handler(MPI_Comm comm, MPI_Errhandler expected)
{
    MPI_Errhandler found;
    MPI_Comm_get_errhandler(comm, &found);
    const int has = found == expected;
    MPI_Errhandler_free(&found);
    return has;
}

static int handlers(void)
{
    int lists[2];
    MPI_Comm ring;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int wrong = !has_handler(MPI_COMM_SELF, MPI_ERRORS_RETURN) + !has_handler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    make_ring(MPI_COMM_WORLD, lists, &ring);
    wrong += exchange_and_check(ring, 1, cells, 2, lists, 2, lists);
    MPI_Comm none = MPI_COMM_NULL;
    wrong += MPI_Comm_free(&none) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    wrong += !has_handler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_free(&ring);
    return wrong;
}

int main(int argc, char** argv)
{
    // With several threads the MPI library does not drive operations.
    static const struct {
        const char* name;
        int (*run)(void);
        int threads;
    } modes[] = {{"orders", orders, MPI_THREAD_SINGLE},         {"tags", tags, MPI_THREAD_SINGLE},
                 {"abandoned", abandoned, MPI_THREAD_MULTIPLE}, {"disowned", disowned, MPI_THREAD_MULTIPLE},
                 {"following", following, MPI_THREAD_MULTIPLE}, {"sleeping", sleeping, MPI_THREAD_SINGLE},
                 {"crowded", crowded, MPI_THREAD_MULTIPLE},     {"large", large, MPI_THREAD_SINGLE},
                 {"truncated", truncated, MPI_THREAD_SINGLE},   {"handlers", handlers, MPI_THREAD_SINGLE}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
        if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
            begin_threads(modes[i].threads, &argc, &argv);
            watch("corners", most_seconds);
            return conclude("corners", modes[i].run());
        }
    }
    fputs("usage: corners orders | tags | ..., see above\n", stderr);
    return 2;
}
