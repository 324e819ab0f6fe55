// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Uses MPI in delete callbacks that MPI_Finalize calls: callbacks [self] [world] [failing] [exit] [multiple].
//   self, world  The callback of an attribute of MPI_COMM_SELF, of MPI_COMM_WORLD. That of MPI_COMM_SELF may use all of
//                MPI; the libraries allow the other one the same.
//   failing      Another callback on MPI_COMM_SELF, called before, returns an error.
//   exit         An exit handler calls MPI_Finalize.
//   multiple     The program asks for MPI_THREAD_MULTIPLE.
#include "../program.h"

enum { most = 4 };

static MPI_Comm ring;
static MPI_Request early = MPI_REQUEST_NULL; // nonblocking, begun before MPI_Finalize by rank 0 alone
#ifndef NO_PERSISTENT
static MPI_Request persistent[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
#endif
static int sent[most];
static int early_received[most];
static int received[most];
static int received_by_all[2 * most];

static void show(const char* where, const char* what, const int* values)
{
    printf("rank %d, %s: %s: %d %d\n", rank, where, what, values[0], values[1]);
    fflush(stdout);
}

static void fill(int value)
{
    for (int i = 0; i < most; ++i) {
        sent[i] = value + i;
        received[i] = -1;
    }
}

static void begin_early(void)
{
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, early_received, 1, MPI_INT, ring, &early);
}

// Makes the communicator, exchanges on it, and frees it.
static void use_new(const char* where)
{
    const int extents[] = {size};
    const int periods[] = {1};
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Cart_create(MPI_COMM_WORLD, 1, extents, periods, 0, &made);
    fill(100 * rank);
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, made);
    show(where, "a new graph", received);
    MPI_Comm_free(&made);
}

static void use_persistent(const char* where)
{
#ifndef NO_PERSISTENT
    for (int repetition = 0; repetition < 2; ++repetition) {
        fill(1000 * rank + 10 * repetition);
        MPI_Startall(2, persistent);
        MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
        show(where, "alltoall", received);
        show(where, "allgather", received_by_all);
    }
#else
    (void)where;
    (void)received_by_all;
#endif
}

static int use(MPI_Comm comm, int key, void* where, void* unused)
{
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(where, "self") == 0) {
        if (rank != 0) {
            begin_early();
        }
        MPI_Wait(&early, MPI_STATUS_IGNORE);
        show(where, "begun before", early_received);
    }
    use_persistent(where);
    fill(10 * rank);
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    show(where, "nonblocking", received);
    fill(20 * rank);
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring);
    show(where, "blocking", received);
    use_new(where);
    return MPI_SUCCESS;
}

static int fail(MPI_Comm comm, int key, void* value, void* unused)
{
    printf("rank %d: a callback fails\n", rank);
    fflush(stdout);
    return MPI_ERR_OTHER;
}

static void attach(MPI_Comm comm, MPI_Comm_delete_attr_function* callback, char* value)
{
    int key = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, callback, &key, NULL);
    MPI_Comm_set_attr(comm, key, value);
    MPI_Comm_free_keyval(&key);
}

static void finalize(void)
{
    MPI_Finalize();
}

static int has(int count, char** words, const char* word)
{
    for (int i = 1; i < count; ++i) {
        if (strcmp(words[i], word) == 0) {
            return 1;
        }
    }
    return 0;
}

int main(int argc, char** argv)
{
    begin_threads(has(argc, argv, "multiple") ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &argc, &argv);
    const int extents[] = {size};
    const int periods[] = {1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, extents, periods, 0, &ring);
#ifndef NO_PERSISTENT
    MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, ring, MPI_INFO_NULL, &persistent[0]);
    MPI_Neighbor_allgather_init(sent, 1, MPI_INT, received_by_all, 1, MPI_INT, ring, MPI_INFO_NULL, &persistent[1]);
#endif
    if (has(argc, argv, "self")) {
        attach(MPI_COMM_SELF, use, "self");
    }
    if (has(argc, argv, "world")) {
        attach(MPI_COMM_WORLD, use, "world");
    }
    if (has(argc, argv, "failing")) {
        attach(MPI_COMM_SELF, fail, NULL);
    }
    fill(rank);
    if (rank == 0 && has(argc, argv, "self")) {
        begin_early();
    }
    if (has(argc, argv, "exit")) {
        return atexit(finalize);
    }
    return end_program(0);
}
