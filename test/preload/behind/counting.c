// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// To be preloaded behind the shim, which then finds these functions instead of the MPI library's. Counts the messages
// that the process sends to others, and their bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*Isend)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

static unsigned long long messages;
static unsigned long long bytes;

// Of pending.c, if it is there.
__attribute__((weak)) void note_message(MPI_Request request);

static int noted(int code, const MPI_Request* request)
{
    if (note_message != NULL && code == MPI_SUCCESS) {
        note_message(*request);
    }
    return code;
}

// Gives the counts since the last call: messages and bytes.
void take_counts(unsigned long long counts[2])
{
    counts[0] = messages;
    counts[1] = bytes;
    messages = 0;
    bytes = 0;
}

static void count(long long elements, MPI_Datatype type, int destination, MPI_Comm comm)
{
    int size;
    int rank = MPI_PROC_NULL;
    PMPI_Comm_rank(comm, &rank);
    if (destination != MPI_PROC_NULL && destination != rank) {
        MPI_Type_size(type, &size);
        ++messages;
        bytes += (unsigned long long)elements * (unsigned long long)size;
    }
}

int PMPI_Send(const void* buffer, int elements, MPI_Datatype type, int destination, int tag, MPI_Comm comm)
{
    Send next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Send");
    count(elements, type, destination, comm);
    return next(buffer, elements, type, destination, tag, comm);
}

int PMPI_Isend(const void* buffer, int elements, MPI_Datatype type, int destination, int tag, MPI_Comm comm,
               MPI_Request* request)
{
    Isend next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Isend");
    count(elements, type, destination, comm);
    return noted(next(buffer, elements, type, destination, tag, comm, request), request);
}

#ifndef NO_LARGE_COUNTS
typedef int (*IsendLarge)(const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

int PMPI_Isend_c(const void* buffer, MPI_Count elements, MPI_Datatype type, int destination, int tag, MPI_Comm comm,
                 MPI_Request* request)
{
    IsendLarge next;
    *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Isend_c");
    count(elements, type, destination, comm);
    return noted(next(buffer, elements, type, destination, tag, comm, request), request);
}
#endif
