// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A process waits for a neighborhood operation in every possible way, while its large message, which the others want
// first, still needs the MPI library's progress: natively, too, every way ends.
#include "../../program.h"
#include "flights.h"

enum { ints = 1 << 19, tag = 3, most_seconds = 60 };

static MPI_Comm ring;

/// Completes ours[0] and ours[1], which belong to the ring, and theirs, a message, all in requests.
typedef void (*Way)(MPI_Request requests[3]);

static void wait_each(MPI_Request requests[3])
{
    for (int i = 0; i < 3; ++i)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
}

static void test_each(MPI_Request requests[3])
{
    for (int i = 0; i < 3; ++i)
        for (int done = 0; !done;)
            MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
}

static void wait_all(MPI_Request requests[3])
{
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
}

static void test_all(MPI_Request requests[3])
{
    for (int done = 0; !done;)
        MPI_Testall(3, requests, &done, MPI_STATUSES_IGNORE);
}

static void test_ours(MPI_Request requests[3])
{
    for (int done = 0; !done;)
        MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
}

static void wait_ours_any(MPI_Request requests[3])
{
    int index = 0;
    for (int i = 0; i < 2; ++i)
        MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
}

static void wait_ours_some(MPI_Request requests[3])
{
    int count = 0;
    int indices[2];
    for (int left = 2; left > 0; left -= count)
        MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
}

static void look_first(MPI_Request requests[3])
{
    for (int done = 0; !done;)
        MPI_Request_get_status(requests[0], &done, MPI_STATUS_IGNORE);
    wait_each(requests);
}

static const struct {
    const char* name;
    Way way;
} ways[] = {{"MPI_Wait", wait_each},
            {"MPI_Test", test_each},
            {"MPI_Waitall", wait_all},
            {"MPI_Testall", test_all},
            {"MPI_Testall of ours", test_ours},
            {"MPI_Waitany of ours", wait_ours_any},
            {"MPI_Waitsome of ours", wait_ours_some},
            {"MPI_Request_get_status", look_first}};

/// `first` sends before and waits afterwards; the others take its message before they come to the ring.
static int right(Way way, int first)
{
    int* const message = calloc(ints, sizeof *message);
    int received[2][2] = {{-1, -1}, {-1, -1}};
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    message[ints - 1] = rank;
    if (rank == first)
        MPI_Isend(message, ints, MPI_INT, (first + 1) % size, tag, MPI_COMM_WORLD, &requests[2]);
    if (rank == (first + 1) % size)
        MPI_Recv(message, ints, MPI_INT, first, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2; ++i)
        MPI_Ineighbor_allgather(&rank, 1, MPI_INT, received[i], 1, MPI_INT, ring, &requests[i]);
    way(requests);
    int good = rank != (first + 1) % size || message[ints - 1] == first;
    for (int i = 0; i < 2; ++i)
        good = good && received[i][0] == (rank + size - 1) % size && received[i][1] == (rank + 1) % size;
    free(message);
    return good;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    watch("the requests", most_seconds);
    const int periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    int wrong = 0;
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; ++i) {
        for (int first = 0; first < size; ++first) {
            const int good = right(ways[i].way, first);
            if (!good)
                printf("FAILED: rank %d, %s\n", rank, ways[i].name);
            wrong += !good;
        }
        if (rank == 0)
            printf("%s: done\n", ways[i].name);
        fflush(stdout);
    }
    MPI_Comm_free(&ring);
    return end_program(wrong != 0);
}
