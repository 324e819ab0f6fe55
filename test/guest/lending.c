// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends large blocks from memory of every kind, and from memory or by processes that others may no more read.
//
// lending MODE: the modes of main(). Prints sums of the received data.
#define _GNU_SOURCE
#include "../program.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { page = 4096, count = 16 * page / (int)sizeof(int), block = count * (int)sizeof(int), calls = 6 };

static MPI_Comm ring;
static int received[2 * count];
static const int constants[2 * count] = {1, 2, 3, [count - 1] = 4, 5, [2 * count - 1] = 6};

static void print_sum(const char* name)
{
    long long sum = 0;
    for (int i = 0; i < 2 * count; i++)
        sum += (long long)received[i] * (i % 7 + 1);
    long long all[64];
    MPI_Gather(&sum, 1, MPI_LONG_LONG, all, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < size; r++)
        printf("%s: process %d has %lld\n", name, r, all[r]);
    memset(received, 0, sizeof received);
}

static void exchange(const char* name, const int* blocks)
{
    MPI_Neighbor_alltoall(blocks, count, MPI_INT, received, count, MPI_INT, ring);
    print_sum(name);
    MPI_Neighbor_allgather(blocks, count, MPI_INT, received, count, MPI_INT, ring);
    print_sum(name);
}

/// Two nonblocking calls under way together.
static void exchange_later(const char* name, const int* blocks)
{
    static int others[2 * count];
    const int less = size > 2 ? count - 1 : count; // libraries differ in the matching of parallel edges
    const int counts[2] = {count, less}, back[2] = {less, count}, places[2] = {0, count};
    MPI_Request requests[2];
    MPI_Ineighbor_alltoall(blocks, count, MPI_INT, received, count, MPI_INT, ring, &requests[0]);
    MPI_Ineighbor_alltoallv(blocks, counts, places, MPI_INT, others, back, places, MPI_INT, ring, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    print_sum(name);
    memcpy(received, others, sizeof others);
    print_sum(name);
}

static void fill(int* blocks, int turn)
{
    for (int i = 0; i < 2 * count; i++)
        blocks[i] = i + 1000 * rank + 7 * turn;
}

static int* map(void* where, int flags, int file)
{
    int* const mapped =
        mmap(where, 2 * block, PROT_READ | PROT_WRITE, flags | (where != NULL ? MAP_FIXED : 0), file, 0);
    if (mapped == MAP_FAILED) {
        perror("mmap");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    return mapped;
}

static int file_of_blocks(int turn)
{
    static int content[2 * count];
    FILE* const file = tmpfile();
    fill(content, turn);
    if (file == NULL || fwrite(content, sizeof content, 1, file) != 1 || fflush(file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 4);
    return fileno(file);
}

/// Other memory at the same address, call by call.
static void remap(void)
{
    int* blocks = NULL;
    for (int turn = 0; turn < calls; turn++) {
        const int file = file_of_blocks(turn);
        if (turn % 3 == 0)
            blocks = map(blocks, MAP_PRIVATE | MAP_ANONYMOUS, -1), fill(blocks, turn);
        else
            blocks = map(blocks, turn % 3 == 1 ? MAP_SHARED : MAP_PRIVATE, file);
        exchange("remap", blocks);
        if (turn == 2)
            munmap(blocks, 2 * block);
    }
}

static void* of_thread(void* unused)
{
    int blocks[2 * count];
    fill(blocks, 5);
    exchange("stack of a thread", blocks);
    return unused;
}

static void kinds(void)
{
    pthread_t thread;
    int on_stack[2 * count];
    fill(on_stack, 1);
    exchange("stack", on_stack);
    exchange("constants", constants);
    int* const huge = aligned_alloc(2 << 20, 2 << 20);
    madvise(huge, 2 << 20, MADV_HUGEPAGE);
    fill(huge, 2);
    exchange("huge pages", huge);
    int* const zeros = map(NULL, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    exchange("never written", zeros);
    fill(zeros, 3);
    mprotect(zeros, 2 * block, PROT_READ);
    exchange("read only", zeros);
    exchange_later("read only", zeros);
    pthread_create(&thread, NULL, of_thread, NULL);
    pthread_join(thread, NULL);
    free(huge);
}

/// Types that leave pages out that nobody may touch.
static void holes(void)
{
    char* const memory = mmap(NULL, 8 * block, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    MPI_Datatype pages, spread;
    MPI_Type_vector(16, page, 2 * page, MPI_BYTE, &pages);
    MPI_Type_create_resized(pages, 0, 2 * block, &spread);
    MPI_Type_commit(&spread);
    for (int i = 0; i < 64; i++)
        if (i % 2 == 0)
            memset(memory + (size_t)i * page, i + rank, page);
    for (int i = 1; i < 64; i += 2)
        i % 4 == 1 ? mprotect(memory + (size_t)i * page, page, PROT_NONE) : munmap(memory + (size_t)i * page, page);
    for (int i = 0; i < 3; i++) {
        MPI_Neighbor_alltoall(memory, 1, spread, received, count, MPI_INT, ring);
        print_sum("holes in what is sent");
    }
    int* const blocks = malloc(2 * block);
    fill(blocks, 1);
    MPI_Neighbor_alltoall(blocks, count, MPI_INT, memory, 1, spread, ring);
    for (int i = 0; i < 32; i++)
        memcpy((char*)received + (size_t)i * page, memory + (size_t)i * 2 * page, page);
    print_sum("holes in what is received");
    MPI_Type_free(&spread);
    MPI_Type_free(&pages);
    free(blocks);
}

/// Only writing is granted to a page in the middle: x86 lets the process itself read it, but nobody else. `odd`: on one
/// process only.
static void unread(int only)
{
    int* const blocks = map(NULL, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    for (int turn = 0; turn < calls; turn++) {
        fill(blocks, turn);
        if (only < 0 || rank == only)
            mprotect((char*)blocks + 5 * page, page, turn % 2 == 0 ? PROT_READ | PROT_WRITE : PROT_WRITE);
        exchange("unread", blocks);
        exchange_later("unread", blocks);
    }
}

/// Others may no more read this process: `only`, or all.
static void withdraw(int by_user, int only)
{
    int* const blocks = malloc(2 * block);
    for (int turn = 0; turn < calls; turn++) {
        fill(blocks, turn);
        exchange("withdrawn", blocks);
        exchange_later("withdrawn", blocks);
        if (turn != 1 || (only >= 0 && rank != only))
            continue;
        if (by_user ? setresuid(65534, 65534, 65534) : prctl(PR_SET_DUMPABLE, 0))
            perror("withdraw");
    }
    free(blocks);
}

int main(int argc, char** argv)
{
    begin_threads(MPI_THREAD_SERIALIZED, &argc, &argv);
    const int around = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &ring);
    const char* const mode = argv[1];
    if (strcmp(mode, "remap") == 0)
        remap();
    else if (strcmp(mode, "kinds") == 0)
        kinds();
    else if (strcmp(mode, "holes") == 0)
        holes();
    else if (strcmp(mode, "unread") == 0)
        unread(-1);
    else if (strcmp(mode, "unread_one") == 0)
        unread(0); // so that rank 0 is not among those that are refused
    else if (strcmp(mode, "private") == 0)
        withdraw(0, -1);
    else if (strcmp(mode, "private_one") == 0)
        withdraw(0, 1);
    else if (strcmp(mode, "user") == 0)
        withdraw(1, -1);
    else if (strcmp(mode, "user_one") == 0)
        withdraw(1, 1);
    MPI_Comm_free(&ring);
    return end_program(0);
}
