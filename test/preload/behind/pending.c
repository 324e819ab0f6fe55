// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Preloaded behind the shim, with counting.c: names the receives and sends of the shim that are never completed.
#define _GNU_SOURCE
#include "behind.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { most_pending = 1 << 12 };

static MPI_Request pending[most_pending];
static int count_pending;

void note_message(MPI_Request request)
{
    if (request != MPI_REQUEST_NULL && count_pending < most_pending) {
        pending[count_pending++] = request;
    }
}

static void ended(MPI_Request request)
{
    for (int i = count_pending - 1; i >= 0; --i) {
        if (pending[i] == request) {
            pending[i] = pending[--count_pending];
            return;
        }
    }
}

static void compare(int count, const MPI_Request* before, const MPI_Request* after)
{
    for (int i = 0; i < count; ++i) {
        if (before[i] != MPI_REQUEST_NULL && after[i] == MPI_REQUEST_NULL) {
            ended(before[i]);
        }
    }
}

#define RECEIVES(name, Count)                                                                                          \
    MPI_FUNCTION(                                                                                                      \
        name, (void* to, Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made),         \
        (to, count, type, from, tag, comm, made), const int by_shim = is_of_shim(__builtin_return_address(0));         \
        const int code = next(to, count, type, from, tag, comm, made);                                                 \
        if (code == MPI_SUCCESS && by_shim) { note_message(*made); } return code;)
#define COMPLETES_ONE(name, parameters, arguments)                                                                     \
    MPI_FUNCTION(name, parameters, arguments, const MPI_Request before = *request; const int code = next arguments;    \
                 compare(1, &before, request); return code;)
#define COMPLETES_MANY(name, parameters, arguments)                                                                    \
    MPI_FUNCTION(name, parameters, arguments, MPI_Request before[count + 1];                                           \
                 memcpy(before, requests, (size_t)count * sizeof *before); const int code = next arguments;            \
                 compare(count, before, requests); return code;)

RECEIVES(Irecv, int)
#ifndef NO_LARGE_COUNTS
RECEIVES(Irecv_c, MPI_Count)
#endif

COMPLETES_ONE(Wait, (MPI_Request * request, MPI_Status* status), (request, status))
COMPLETES_ONE(Test, (MPI_Request * request, int* flag, MPI_Status* status), (request, flag, status))
COMPLETES_MANY(Waitall, (int count, MPI_Request requests[], MPI_Status* statuses), (count, requests, statuses))
COMPLETES_MANY(Testall, (int count, MPI_Request requests[], int* flag, MPI_Status* statuses),
               (count, requests, flag, statuses))
COMPLETES_MANY(Waitany, (int count, MPI_Request requests[], int* index, MPI_Status* status),
               (count, requests, index, status))
COMPLETES_MANY(Testany, (int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status),
               (count, requests, index, flag, status))
COMPLETES_MANY(Waitsome, (int count, MPI_Request requests[], int* done, int indices[], MPI_Status* statuses),
               (count, requests, done, indices, statuses))
COMPLETES_MANY(Testsome, (int count, MPI_Request requests[], int* done, int indices[], MPI_Status* statuses),
               (count, requests, done, indices, statuses))

__attribute__((destructor)) static void tell(void)
{
    if (count_pending != 0) {
        fprintf(stderr, "left behind: %d messages\n", count_pending);
    }
}
