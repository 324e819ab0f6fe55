// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes many persistent requests: all at once, a few again and again, on many communicators; frees them in any order.
//
// requests MODE: all, again, graphs, late. Prints sums of the received data.
#include "../program.h"

enum { most = 1000 }; // more than have memory

#ifdef NO_PERSISTENT

int main(void)
{
    return 0;
}

#else

static MPI_Comm ring(void)
{
    MPI_Comm made;
    const int around = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &made);
    return made;
}

struct call {
    int sent[2], received[2];
    MPI_Request request;
};
static struct call calls[most];

static void prepare(struct call* call, MPI_Comm comm)
{
    MPI_Neighbor_alltoall_init(call->sent, 1, MPI_INT, call->received, 1, MPI_INT, comm, MPI_INFO_NULL, &call->request);
}

/// Starts some in order, and completes them in another order on each process. Returns a sum.
static long long carry(struct call* some, int count, int turn)
{
    long long sum = 0;
    for (int i = 0; i < count; i++) {
        some[i].sent[0] = some[i].sent[1] = 10000 * rank + 10 * i + turn;
        MPI_Start(&some[i].request);
    }
    for (int i = 0; i < count; i++) {
        struct call* const one = &some[rank % 2 == 0 ? i : count - 1 - i];
        MPI_Wait(&one->request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < count; i++)
        sum += (long long)(i + 1) * (some[i].received[0] + 2 * some[i].received[1]);
    return sum;
}

/// In an order of its own on each process.
static void release(struct call* some, int count)
{
    for (int i = 0; i < count; i++)
        MPI_Request_free(&some[(i * 7 + 3 * rank) % count].request);
}

static void print(const char* name, long long sum)
{
    long long all[64];
    MPI_Gather(&sum, 1, MPI_LONG_LONG, all, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < size; r++)
        printf("%s: process %d has %lld\n", name, r, all[r]);
}

static void all_at_once(void)
{
    MPI_Comm comm = ring();
    for (int i = 0; i < most; i++)
        prepare(&calls[i], comm);
    for (int turn = 0; turn < 3; turn++)
        print("all", carry(calls, most, turn));
    release(calls, most);
    MPI_Comm_free(&comm);
}

static void again(void)
{
    MPI_Comm comm = ring();
    long long sum = 0;
    for (int turn = 0; turn < 40; turn++) {
        const int count = 1 + turn % 6;
        for (int i = 0; i < count; i++)
            prepare(&calls[i], comm);
        sum += carry(calls, count, turn) + carry(calls, count, turn + 1);
        release(calls, count);
    }
    print("again", sum);
    MPI_Comm_free(&comm);
}

static void graphs(void)
{
    long long sum = 0;
    for (int turn = 0; turn < 40; turn++) {
        MPI_Comm comm = ring();
        const int count = 1 + turn % 4;
        for (int i = 0; i < count; i++)
            prepare(&calls[i], comm);
        sum += carry(calls, count, turn);
        release(calls, count);
        MPI_Comm_free(&comm);
    }
    print("graphs", sum);
}

/// One process frees a request after the others have made the next ones; requests live longer than communicators.
static void late(void)
{
    MPI_Comm first = ring(), second = MPI_COMM_NULL;
    long long sum = 0;
    for (int i = 0; i < 4; i++)
        prepare(&calls[i], first);
    sum += carry(calls, 4, 1);
    if (rank != 0)
        release(calls, 4);
    for (int i = 4; i < 8; i++)
        prepare(&calls[i], first);
    sum += carry(&calls[4], 4, 2);
    if (rank == 0)
        release(calls, 4);
    MPI_Comm_free(&first);
    second = ring();
    for (int i = 0; i < 4; i++)
        prepare(&calls[i], second);
    sum += carry(calls, 8, 3);
    release(calls, 8);
    MPI_Comm_free(&second);
    print("late", sum);
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    if (strcmp(argv[1], "all") == 0)
        all_at_once();
    else if (strcmp(argv[1], "again") == 0)
        again();
    else if (strcmp(argv[1], "graphs") == 0)
        graphs();
    else
        late();
    return end_program(0);
}

#endif
