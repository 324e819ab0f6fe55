// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Preloaded behind the shim: counts the objects of the MPI library that the program and the shim make and do not give
// back, and names them at the end of MPI, in words that MPICH has for datatypes. Of datatypes it counts those of the
// shim alone.
#define _GNU_SOURCE
#include "behind.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { most_left = 1 << 12 };

typedef struct {
    const char* name;
    int count;
    uintptr_t handles[most_left];
} Left;

static Left comms = {.name = "communicators"};
static Left requests = {.name = "requests"};
static Left types = {.name = "datatypes"};
static Left groups = {.name = "groups"};
static Left handlers = {.name = "error handlers"};
static Left operators = {.name = "operators"};
static Left windows = {.name = "windows"};

static void add(Left* left, uintptr_t handle, uintptr_t null)
{
    if (handle != null && left->count < most_left) {
        left->handles[left->count++] = handle;
    }
}

// One that is not in the list was not made by a function of this file.
static void drop(Left* left, uintptr_t handle)
{
    for (int i = left->count - 1; i >= 0; --i) {
        if (left->handles[i] == handle) {
            left->handles[i] = left->handles[--left->count];
            return;
        }
    }
}

#define MAKES(left, null, name, parameters, arguments)                                                                 \
    MPI_FUNCTION(                                                                                                      \
        name, parameters, arguments, const int code = next arguments;                                                  \
        if (code == MPI_SUCCESS) { add(&(left), (uintptr_t)*made, (uintptr_t)(null)); } return code;)
#define MAKES_TYPE(name, parameters, arguments)                                                                        \
    MPI_FUNCTION(                                                                                                      \
        name, parameters, arguments, const int by_shim = is_of_shim(__builtin_return_address(0));                      \
        const int code = next arguments; if (code == MPI_SUCCESS && by_shim) {                                         \
            add(&types, (uintptr_t)*made, (uintptr_t)MPI_DATATYPE_NULL);                                               \
        } return code;)
#define FREES(left, name, Handle)                                                                                      \
    MPI_FUNCTION(name, (Handle * freed), (freed), drop(&(left), (uintptr_t)*freed); return next(freed);)

MAKES(comms, MPI_COMM_NULL, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
MAKES(comms, MPI_COMM_NULL, Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made),
      (comm, type, key, info, made))
MAKES(comms, MPI_COMM_NULL, Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
MAKES(comms, MPI_COMM_NULL, Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made),
      (comm, group, tag, made))
MAKES(comms, MPI_COMM_NULL, Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
MAKES(comms, MPI_COMM_NULL, Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made))
MAKES(comms, MPI_COMM_NULL, Cart_create,
      (MPI_Comm comm, int dimensions, const int* dims, const int* periods, int reorder, MPI_Comm* made),
      (comm, dimensions, dims, periods, reorder, made))
MAKES(comms, MPI_COMM_NULL, Cart_sub, (MPI_Comm comm, const int* kept, MPI_Comm* made), (comm, kept, made))
MAKES(comms, MPI_COMM_NULL, Graph_create,
      (MPI_Comm comm, int nodes, const int* index, const int* edges, int reorder, MPI_Comm* made),
      (comm, nodes, index, edges, reorder, made))
MAKES(comms, MPI_COMM_NULL, Dist_graph_create,
      (MPI_Comm comm, int count, const int* nodes, const int* degrees, const int* to, const int* weights, MPI_Info info,
       int reorder, MPI_Comm* made),
      (comm, count, nodes, degrees, to, weights, info, reorder, made))
MAKES(comms, MPI_COMM_NULL, Dist_graph_create_adjacent,
      (MPI_Comm comm, int in, const int* from, const int* weights_from, int out, const int* to, const int* weights_to,
       MPI_Info info, int reorder, MPI_Comm* made),
      (comm, in, from, weights_from, out, to, weights_to, info, reorder, made))
MAKES(comms, MPI_COMM_NULL, Intercomm_create,
      (MPI_Comm comm, int leader, MPI_Comm peers, int other_leader, int tag, MPI_Comm* made),
      (comm, leader, peers, other_leader, tag, made))
MAKES(comms, MPI_COMM_NULL, Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made))
FREES(comms, Comm_free, MPI_Comm)

MAKES(requests, MPI_REQUEST_NULL, Recv_init,
      (void* to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* made),
      (to, count, type, from, tag, comm, made))
#ifndef NO_PERSISTENT
MAKES(requests, MPI_REQUEST_NULL, Neighbor_alltoall_init,
      (const void* out, int sent, MPI_Datatype type, void* in, int received, MPI_Datatype of, MPI_Comm comm,
       MPI_Info info, MPI_Request* made),
      (out, sent, type, in, received, of, comm, info, made))
MAKES(requests, MPI_REQUEST_NULL, Neighbor_alltoallv_init,
      (const void* out, const int* sent, const int* sent_at, MPI_Datatype type, void* in, const int* received,
       const int* received_at, MPI_Datatype of, MPI_Comm comm, MPI_Info info, MPI_Request* made),
      (out, sent, sent_at, type, in, received, received_at, of, comm, info, made))
#endif
#if MPI_VERSION >= 4
MAKES(requests, MPI_REQUEST_NULL, Psend_init,
      (const void* from, int parts, MPI_Count count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Info info,
       MPI_Request* made),
      (from, parts, count, type, to, tag, comm, info, made))
MAKES(requests, MPI_REQUEST_NULL, Precv_init,
      (void* to, int parts, MPI_Count count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Info info,
       MPI_Request* made),
      (to, parts, count, type, from, tag, comm, info, made))
#endif
FREES(requests, Request_free, MPI_Request)

MAKES_TYPE(Type_create_hindexed,
           (int count, const int* lengths, const MPI_Aint* places, MPI_Datatype type, MPI_Datatype* made),
           (count, lengths, places, type, made))
MAKES_TYPE(Type_create_hvector, (int count, int length, MPI_Aint stride, MPI_Datatype type, MPI_Datatype* made),
           (count, length, stride, type, made))
MAKES_TYPE(Type_create_resized, (MPI_Datatype type, MPI_Aint lower, MPI_Aint extent, MPI_Datatype* made),
           (type, lower, extent, made))
MAKES_TYPE(Type_dup, (MPI_Datatype type, MPI_Datatype* made), (type, made))
FREES(types, Type_free, MPI_Datatype)

// The references to derived datatypes inside of another one.
static void add_inner(const MPI_Datatype* inner, long count)
{
    static int (*find)(MPI_Datatype, int*, int*, int*, int*);
    FIND(find, "PMPI_Type_get_envelope")
    for (long i = 0; i < count; ++i) {
        int unused[3];
        int combiner = MPI_COMBINER_NAMED;
        if (find(inner[i], &unused[0], &unused[1], &unused[2], &combiner) == MPI_SUCCESS &&
            combiner != MPI_COMBINER_NAMED) {
            add(&types, (uintptr_t)inner[i], (uintptr_t)MPI_DATATYPE_NULL);
        }
    }
}

#define GIVES_TYPES(name, parameters, arguments)                                                                       \
    MPI_FUNCTION(                                                                                                      \
        name, parameters, arguments, const int by_shim = is_of_shim(__builtin_return_address(0));                      \
        const int code = next arguments;                                                                               \
        if (code == MPI_SUCCESS && by_shim) { add_inner(inner, (long)count); } return code;)

GIVES_TYPES(Type_get_contents,
            (MPI_Datatype type, int numbers, int places, int count, int* number, MPI_Aint* place, MPI_Datatype* inner),
            (type, numbers, places, count, number, place, inner))
#if MPI_VERSION >= 4
GIVES_TYPES(Type_get_contents_c,
            (MPI_Datatype type, MPI_Count numbers, MPI_Count places, MPI_Count large, MPI_Count count, int* number,
             MPI_Aint* place, MPI_Count* large_number, MPI_Datatype* inner),
            (type, numbers, places, large, count, number, place, large_number, inner))
#endif

MAKES(groups, MPI_GROUP_NULL, Comm_group, (MPI_Comm comm, MPI_Group* made), (comm, made))
MAKES(groups, MPI_GROUP_NULL, Group_incl, (MPI_Group group, int count, const int* ranks, MPI_Group* made),
      (group, count, ranks, made))
MAKES(groups, MPI_GROUP_NULL, Group_intersection, (MPI_Group one, MPI_Group other, MPI_Group* made), (one, other, made))
FREES(groups, Group_free, MPI_Group)

MAKES(operators, MPI_OP_NULL, Op_create, (MPI_User_function * function, int commutes, MPI_Op* made),
      (function, commutes, made))
FREES(operators, Op_free, MPI_Op)

MAKES(windows, MPI_WIN_NULL, Win_create,
      (void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* made),
      (base, size, unit, info, comm, made))
FREES(windows, Win_free, MPI_Win)

// Each reference to a handler counts.
MAKES(handlers, MPI_ERRHANDLER_NULL, Comm_create_errhandler,
      (MPI_Comm_errhandler_function * handle, MPI_Errhandler* made), (handle, made))
MAKES(handlers, MPI_ERRHANDLER_NULL, Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler* made), (comm, made))
FREES(handlers, Errhandler_free, MPI_Errhandler)

MPI_FUNCTION(
    Finalize, (void), (), const int code = next();
    for (Left* const* left = (Left* const[]){&comms, &requests, &types, &groups, &handlers, &operators, &windows, NULL};
         *left != NULL; ++left) {
        if ((*left)->count != 0) {
            fprintf(stderr, "leaked: %d %s\n", (*left)->count, (*left)->name);
        }
    } return code;)

static int attributes;
static void (*meanwhile)(MPI_Comm comm);

// Attributes of communicators that have been set.
int attributes_set(void)
{
    return attributes;
}

// The next MPI_Cart_get calls this first, in place of another thread.
void call_in_cart_get(void (*function)(MPI_Comm comm))
{
    meanwhile = function;
}

MPI_FUNCTION(Comm_set_attr, (MPI_Comm comm, int key, void* value), (comm, key, value), ++attributes;
             return next(comm, key, value);)
MPI_FUNCTION(
    Cart_get, (MPI_Comm comm, int d, int dims[], int periods[], int own[]), (comm, d, dims, periods, own),
    void (*const call)(MPI_Comm) = meanwhile;
    meanwhile = NULL; if (call != NULL) { call(comm); } return next(comm, d, dims, periods, own);)
