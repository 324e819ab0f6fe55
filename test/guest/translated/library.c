// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands for an MPI library that translates calls to those of another one: its handles are pointers, its text is that
// of the other library. Each function checks its handles and ends the process at a wrong one. Before MPI_Init only
// MPI_Initialized and MPI_Finalized may be called. One process.
#include "handles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Object {
    const char* kind;
};

struct Object translated_world = {"communicator"};
struct Object translated_null = {"communicator"};
struct Object translated_int = {"datatype"};
struct Object translated_sum = {"operation"};
struct Object translated_no_info = {"info"};
static struct Object made = {"communicator"};
static struct Object begun = {"request"};

static int started;
static int ended;

#ifdef OVER_OPEN_MPI
// As the library behind it, which a search finds too.
void* ompi_mpi_comm_world[2];
void* ompi_mpi_comm_null[2];
#endif

static void require(int condition, const char* function, const char* what)
{
    if (!condition) {
        printf("%s: %s\n", function, what);
        fflush(stdout);
        _Exit(9);
    }
}

// Reading a wrong handle may end the process as well.
static void require_kind(Handle handle, const char* kind, const char* function)
{
    require(handle != NULL && strcmp(handle->kind, kind) == 0, function, "not a handle of this library");
}

#define COMM(comm) require_kind(comm, "communicator", __func__)
#define TYPE(type) require_kind(type, "datatype", __func__)
#define STARTED require(started, __func__, "MPI has not started")

// Both names, as MPI libraries have them.
#define BOTH(name, parameters)                                                                                         \
    int PMPI_##name parameters;                                                                                        \
    int MPI_##name parameters __attribute__((weak, alias("PMPI_" #name)));                                             \
    int PMPI_##name parameters

BOTH(Init, (int* count, char*** words))
{
    (void)count;
    (void)words;
    started = 1;
    return 0;
}

BOTH(Init_thread, (int* count, char*** words, int required, int* provided))
{
    *provided = required;
    return PMPI_Init(count, words);
}

BOTH(Finalize, (void))
{
    STARTED;
    ended = 1;
    return 0;
}

BOTH(Initialized, (int* flag))
{
    *flag = started;
    return 0;
}

BOTH(Finalized, (int* flag))
{
    *flag = ended;
    return 0;
}

BOTH(Get_library_version, (char* text, int* length))
{
    STARTED;
    *length = sprintf(text, "MPICH Version:      4.0.2\nMPICH Release date: Thu Apr  7 12:34:45 CDT 2022\n");
    return 0;
}

BOTH(Query_thread, (int* level))
{
    STARTED;
    *level = 0;
    return 0;
}

BOTH(Comm_rank, (Handle comm, int* rank))
{
    STARTED;
    COMM(comm);
    *rank = 0;
    return 0;
}

BOTH(Comm_size, (Handle comm, int* size))
{
    STARTED;
    COMM(comm);
    *size = 1;
    return 0;
}

BOTH(Comm_get_parent, (Handle * parent))
{
    STARTED;
    *parent = &translated_null;
    return 0;
}

Handle PMPI_Comm_f2c(int comm)
{
    STARTED;
    return comm == 0 ? &translated_world : &translated_null;
}

Handle MPI_Comm_f2c(int comm) __attribute__((weak, alias("PMPI_Comm_f2c")));

BOTH(Comm_dup, (Handle comm, Handle* duplicate))
{
    COMM(comm);
    *duplicate = &made;
    return 0;
}

BOTH(Comm_free, (Handle * comm))
{
    COMM(*comm);
    *comm = &translated_null;
    return 0;
}

BOTH(Cart_create, (Handle comm, int dimensions, const int* extents, const int* periods, int reorder, Handle* grid))
{
    COMM(comm);
    require(dimensions == 1 && extents[0] == 1 && periods[0] == 1 && reorder == 0, __func__, "wrong arguments");
    *grid = &made;
    return 0;
}

BOTH(Dist_graph_create_adjacent, (Handle comm, int in, const int* from, const int* weights_from, int out, const int* to,
                                  const int* weights_to, Handle info, int reorder, Handle* graph))
{
    COMM(comm);
    require_kind(info, "info", __func__);
    require(in == 1 && out == 1 && from[0] == 0 && to[0] == 0 && weights_from == from && weights_to == to &&
                reorder == 0,
            __func__, "wrong arguments");
    *graph = &made;
    return 0;
}

static void copy(void* in, const void* out, int count)
{
    memcpy(in, out, (size_t)count * sizeof(int));
}

BOTH(Allreduce, (const void* out, void* in, int count, Handle type, Handle operation, Handle comm))
{
    TYPE(type);
    require_kind(operation, "operation", __func__);
    COMM(comm);
    copy(in, out, count);
    return 0;
}

BOTH(Neighbor_allgather, (const void* out, int count, Handle type, void* in, int in_count, Handle in_type, Handle comm))
{
    TYPE(type);
    TYPE(in_type);
    COMM(comm);
    require(count == in_count, __func__, "wrong arguments");
    copy(in, out, count);
    return 0;
}

BOTH(Neighbor_alltoallv, (const void* out, const int* counts, const int* places, Handle type, void* in,
                          const int* in_counts, const int* in_places, Handle in_type, Handle comm))
{
    TYPE(type);
    TYPE(in_type);
    COMM(comm);
    require(places == in_places, __func__, "wrong arguments");
    require(counts == in_counts, __func__, "wrong arguments");
    copy(in, out, counts[0]);
    return 0;
}

BOTH(Neighbor_alltoallw, (const void* out, const int* counts, const long* places, const Handle* types, void* in,
                          const int* in_counts, const long* in_places, const Handle* in_types, Handle comm))
{
    TYPE(types[0]);
    TYPE(in_types[0]);
    COMM(comm);
    require(counts == in_counts && places == in_places, __func__, "wrong arguments");
    copy(in, out, counts[0]);
    return 0;
}

BOTH(Ineighbor_allgather,
     (const void* out, int count, Handle type, void* in, int in_count, Handle in_type, Handle comm, Handle* request))
{
    const int code = PMPI_Neighbor_allgather(out, count, type, in, in_count, in_type, comm);
    *request = &begun;
    return code;
}

BOTH(Wait, (Handle * request, Status* status))
{
    require_kind(*request, "request", __func__);
    require(status->error == 7, __func__, "wrong arguments");
    *request = NULL;
    return 0;
}

BOTH(Request_get_status, (Handle request, int* flag, Status* status))
{
    require_kind(request, "request", __func__);
    require(status->error == 7, __func__, "wrong arguments");
    *flag = 1;
    return 0;
}

BOTH(Abort, (Handle comm, int code))
{
    COMM(comm);
    _Exit(code);
}
