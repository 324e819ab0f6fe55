// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Programs that MPI lets complete, and that hang if a process does not forward blocks as it should: while one process
// waits for a neighborhood operation, all others sit in some MPI call which only that process can end.
//
//   deadlock DIMENSIONS [among_all] SCENARIO...       or all; natively, too, every one of them ends; among_all: the
//       operations are MPI_Ialltoallv, MPI_Ialltoallw and their persistent forms
#define _GNU_SOURCE
#include "../../program.h"
#include "exchange.h"
#include "flights.h"

#include <unistd.h>

enum { tag = 7, outstanding = 4, most_seconds = 25, most_processes = 64 };

static Torus torus;
static Torus second;
static int first; // the process that waits for the operation, and then frees the others
static int wrong;
static MPI_Win window;
static int* window_memory;

static void expect(int holds, const char* what)
{
    if (!holds) {
        printf("FAILED: rank %d: %s\n", rank, what);
        fflush(stdout);
        ++wrong;
    }
}

// `call` on every other process; the first one sends the message.
#define FROM_FIRST(message, call)                                                                                      \
    do {                                                                                                               \
        int message = 100 + first;                                                                                     \
        if (rank != first) {                                                                                           \
            message = -1;                                                                                              \
            call;                                                                                                      \
            expect(message == 100 + first, "wrong message");                                                           \
        } else {                                                                                                       \
            for (int other = 0; other < size; ++other) {                                                               \
                if (other != first) {                                                                                  \
                    MPI_Send(&message, 1, MPI_INT, other, tag, MPI_COMM_WORLD);                                        \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

static void receive(void)
{
    FROM_FIRST(message, MPI_Recv(&message, 1, MPI_INT, first, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void receive_any(void)
{
    FROM_FIRST(message, MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void probe(void)
{
    FROM_FIRST(message, MPI_Probe(first, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
               MPI_Recv(&message, 1, MPI_INT, first, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void mprobe(void)
{
    MPI_Message matched;
    FROM_FIRST(message, MPI_Mprobe(first, tag, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE);
               MPI_Mrecv(&message, 1, MPI_INT, &matched, MPI_STATUS_IGNORE));
}

static void iprobe(void)
{
    int flag = 0;
    FROM_FIRST(
        message, while (!flag) {
            MPI_Iprobe(first, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        } MPI_Recv(&message, 1, MPI_INT, first, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static void wait_ordinary(void)
{
    MPI_Request request;
    FROM_FIRST(message, MPI_Irecv(&message, 1, MPI_INT, first, tag, MPI_COMM_WORLD, &request);
               MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void test_ordinary(void)
{
    MPI_Request request;
    int flag = 0;
    FROM_FIRST(
        message, MPI_Irecv(&message, 1, MPI_INT, first, tag, MPI_COMM_WORLD, &request);
        while (!flag) { MPI_Test(&request, &flag, MPI_STATUS_IGNORE); });
}

static void waitall_ordinary(void)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    FROM_FIRST(message, MPI_Irecv(&message, 1, MPI_INT, first, tag, MPI_COMM_WORLD, &requests[1]);
               MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
}

static void waitany_ordinary(void)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index;
    FROM_FIRST(message, MPI_Irecv(&message, 1, MPI_INT, first, tag, MPI_COMM_WORLD, &requests[1]);
               MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE));
}

static void sendrecv(void)
{
    int out = 100 + rank;
    int in = -1;
    for (int other = rank == first ? 0 : first; other < size; ++other) {
        if (other != rank) {
            MPI_Sendrecv(&out, 1, MPI_INT, other, tag, &in, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect(in == 100 + other, "wrong message");
        }
        if (rank != first) {
            break;
        }
    }
}

static void ssend(void)
{
    int value = 100 + rank;
    if (rank != first) {
        MPI_Ssend(&value, 1, MPI_INT, first, tag, MPI_COMM_WORLD);
        return;
    }
    for (int other = 0; other < size; ++other) {
        if (other != first) {
            MPI_Recv(&value, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect(value == 100 + other, "wrong message");
        }
    }
}

static void send_large(void)
{
    enum { cells = 200000 };
    static int out[cells];
    static int in[cells];
    if (rank != first) {
        out[cells - 1] = 100 + rank;
        MPI_Send(out, cells, MPI_INT, first, tag, MPI_COMM_WORLD);
        return;
    }
    for (int other = 0; other < size; ++other) {
        if (other != first) {
            MPI_Recv(in, cells, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect(in[cells - 1] == 100 + other, "wrong message");
        }
    }
}

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduce(void)
{
    int sum = 0;
    const int one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == size, "wrong sum");
}

static void broadcast(void)
{
    int value = rank == first ? 100 + first : -1;
    MPI_Bcast(&value, 1, MPI_INT, first, MPI_COMM_WORLD);
    expect(value == 100 + first, "wrong broadcast");
}

static void fence(void)
{
    MPI_Win_fence(0, window);
}

// Before: the first holds the window of everyone.
static void take_locks(void)
{
    int value;
    for (int other = 0; other < size && rank == first; ++other) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, window);
        MPI_Get(&value, 1, MPI_INT, other, 0, 1, MPI_INT, window);
        MPI_Win_flush(other, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void lock(void)
{
    int value = 100 + first;
    if (rank == first) {
        for (int other = 0; other < size; ++other) {
            MPI_Put(&value, 1, MPI_INT, other, 0, 1, MPI_INT, window);
            MPI_Win_unlock(other, window);
        }
        return;
    }
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
    MPI_Get(&value, 1, MPI_INT, rank, 0, 1, MPI_INT, window);
    MPI_Win_unlock(rank, window);
    expect(value == 100 + first, "the lock was not held");
}

static void write_file(void)
{
    static int calls;
    char name[64];
    MPI_File file;
    MPI_Info info;
    int out[16];
    int in[16];
    for (int i = 0; i < 16; ++i) {
        out[i] = rank * 100 + i;
    }
    snprintf(name, sizeof name, "/tmp/deadlock_%ld_%d", (long)getppid(), calls++);
    MPI_Bcast(name, sizeof name, MPI_CHAR, first, MPI_COMM_WORLD);
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &file);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof out, out, 16, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, rank * (MPI_Offset)sizeof in, in, 16, MPI_INT, MPI_STATUS_IGNORE);
    expect(memcmp(out, in, sizeof out) == 0, "wrong data in the file");
    MPI_File_close(&file);
    MPI_Info_free(&info);
}

static MPI_File opened;

static void open_file(void)
{
    char name[64];
    snprintf(name, sizeof name, "/tmp/deadlock_%ld", (long)getpid());
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &opened);
    MPI_Info_free(&info);
}

static void write_opened(void)
{
    int out[16] = {rank};
    MPI_File_write_at_all(opened, rank * (MPI_Offset)sizeof out, out, 16, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&opened);
}

static void duplicate(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
}

static void duplicate_graph(void)
{
    MPI_Comm copy;
    MPI_Comm_dup(torus.comm, &copy);
    MPI_Comm_free(&copy);
}

static void split(void)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank == first, rank, &part);
    MPI_Comm_free(&part);
}

static void create_graph(void)
{
    Torus other = make_torus(MPI_COMM_WORLD, 2);
    free_torus(&other);
}

static void neighborhood(void)
{
    wrong += exchange_and_check(second.comm, first, 3, second.neighbors, second.source, second.neighbors,
                                second.destination);
}

// Few enough blocks for a graph of them.
static void alltoallv(void)
{
    int counts[3][most_processes] = {{0}}; // to others, from others; the displacements
    const int from = (rank + size - 1) % size;
    const int out = 100 + rank;
    int in = -1;
    counts[0][(rank + 1) % size] = 1;
    counts[1][from] = 1;
    MPI_Alltoallv(&out, counts[0], counts[2], MPI_INT, &in, counts[1], counts[2], MPI_INT, second.comm);
    expect(in == 100 + from, "wrong block");
}

typedef struct {
    const char* name;
    void (*before)(void);
    void (*others_sit_in)(void);
} Scenario;

static const Scenario scenarios[] = {
    {"recv", NULL, receive},
    {"recv_any", NULL, receive_any},
    {"probe", NULL, probe},
    {"mprobe", NULL, mprobe},
    {"iprobe", NULL, iprobe},
    {"wait", NULL, wait_ordinary},
    {"test", NULL, test_ordinary},
    {"waitall", NULL, waitall_ordinary},
    {"waitany", NULL, waitany_ordinary},
    {"sendrecv", NULL, sendrecv},
    {"ssend", NULL, ssend},
    {"send_large", NULL, send_large},
    {"barrier", NULL, barrier},
    {"allreduce", NULL, allreduce},
    {"bcast", NULL, broadcast},
    {"win_fence", NULL, fence},
    {"win_lock", take_locks, lock},
    {"file_open", NULL, write_file},
    {"file_write_all", open_file, write_opened},
    {"comm_dup", NULL, duplicate},
    {"comm_dup_graph", NULL, duplicate_graph},
    {"comm_split", NULL, split},
    {"graph_create", NULL, create_graph},
    {"neighbor_alltoall", NULL, neighborhood},
    {"alltoallv", NULL, alltoallv},
};
enum { scenario_count = sizeof scenarios / sizeof scenarios[0] };

static void run(const Scenario* scenario)
{
    for (int kind = 0; kind < flight_kinds; ++kind) {
        first = (3 * kind + 1) % size;
        MPI_Barrier(MPI_COMM_WORLD);
        if (scenario->before != NULL) {
            scenario->before();
        }
        Flight flight = begin_flight(&torus, (enum FlightKind)kind, kind + 1, kind % 2 == 0 ? 5 : 900);
        if (rank != first) {
            scenario->others_sit_in();
        }
        MPI_Wait(&flight.request, MPI_STATUS_IGNORE);
        wrong += check_flight(&flight);
        if (rank == first) {
            scenario->others_sit_in();
        }
        end_flight(&flight);
    }
}

// Operations on one communicator, started in one order and waited for in another on every process.
static void run_orders(int together)
{
    for (int round = 0; round < 8; ++round) {
        Flight flights[outstanding];
        MPI_Request requests[outstanding];
        for (int i = 0; i < outstanding; ++i) {
            const int kind = (round + i * (round % 3)) % flight_kinds;
            flights[i] = begin_flight(&torus, (enum FlightKind)kind, round * outstanding + i, 1 + 100 * (i % 2));
        }
        for (int i = 0; i < outstanding; ++i) {
            const int turned = (i + rank) % outstanding;
            const int which = rank % 2 == 0 ? turned : outstanding - 1 - turned;
            requests[i] = flights[which].request;
            if (!together) {
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
                wrong += check_flight(&flights[which]);
            }
        }
        MPI_Waitall(outstanding, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < outstanding; ++i) {
            wrong += check_flight(&flights[i]);
            flights[i].request = is_persistent(&flights[i]) ? flights[i].request : MPI_REQUEST_NULL;
            end_flight(&flights[i]);
        }
    }
}

// More operations than there are lanes, and a message that only arrives after the last of them has been started
// everywhere.
static void run_many(void)
{
    enum { many = 20 };
    Flight flights[many];
    first = 1 % size;
    for (int i = 0; i < many; ++i) {
        flights[i] = begin_flight(&torus, (enum FlightKind)(i / 10), i, 1 + i);
    }
    if (rank != first) {
        receive();
    }
    for (int i = many - 1; i >= 0; --i) {
        MPI_Wait(&flights[i].request, MPI_STATUS_IGNORE);
        wrong += check_flight(&flights[i]);
        end_flight(&flights[i]);
    }
    if (rank == first) {
        receive();
    }
}

static void run_two_communicators(void)
{
    for (int kind = 0; kind < flight_kinds; ++kind) {
        Flight flights[2];
        for (int i = 0; i < 2; ++i) { // in orders that differ, except for calls that all must make together
            const int which = kind < flight_alltoall_init ? (i + rank) % 2 : i;
            flights[which] = begin_flight(which == 0 ? &torus : &second, (enum FlightKind)kind, 2 * kind + which, 30);
        }
        for (int i = 0; i < 2; ++i) {
            Flight* flight = &flights[(i + rank) % 2];
            MPI_Wait(&flight->request, MPI_STATUS_IGNORE);
            wrong += check_flight(flight);
        }
        end_flight(&flights[0]);
        end_flight(&flights[1]);
    }
}

static int wanted(int argc, char** argv, const char* name)
{
    for (int i = 2; i < argc; ++i) {
        if (strcmp(argv[i], name) == 0 || strcmp(argv[i], "all") == 0) {
            watch(name, most_seconds);
            return 1;
        }
    }
    return 0;
}

// All but one process are in MPI_Finalize already; the memory stays, since nobody has waited.
static void end_unfinished(void)
{
    Flight* flight = malloc(sizeof *flight);
    first = 0;
    if (flight != NULL) {
        *flight = begin_flight(&torus, flight_alltoall, 1, 5);
        if (rank == first) {
            MPI_Wait(&flight->request, MPI_STATUS_IGNORE);
            wrong += check_flight(flight);
        }
    }
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    torus = make_torus(MPI_COMM_WORLD, argc > 1 ? atoi(argv[1]) : 2);
    second = duplicate_torus(&torus);
    if (argc > 2 && strcmp(argv[2], "among_all") == 0) {
        call_among_all(&torus);
        call_among_all(&second);
    }
    MPI_Win_allocate(sizeof(int), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < scenario_count; ++i) {
        if (wanted(argc, argv, scenarios[i].name)) {
            run(&scenarios[i]);
        }
    }
    if (wanted(argc, argv, "orders_wait")) {
        run_orders(0);
    }
    if (wanted(argc, argv, "orders_waitall")) {
        run_orders(1);
    }
    if (wanted(argc, argv, "many")) {
        run_many();
    }
    if (wanted(argc, argv, "two_communicators")) {
        run_two_communicators();
    }
    watch("the end", most_seconds);
    MPI_Win_free(&window);
    int code = judge("deadlock", wrong);
    if (wanted(argc, argv, "finalize")) {
        end_unfinished();
        code = wrong == 0 ? code : 1;
    } else {
        free_torus(&second);
        free_torus(&torus);
    }
    return end_program(code);
}
