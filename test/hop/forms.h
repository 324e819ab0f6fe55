// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every global collective in the form that `form` says, with the arguments of the blocking function: form_Bcast(...).
// With BY_MPI_NAMES those of MPI, else those of Hopscotch, which have no large counts. Argument arrays have
// form_entries entries. Calls that complete later lose the handles below as soon as they have begun: MPI allows that.
#ifndef HOP_FORMS_H
#define HOP_FORMS_H

#include <mpi.h>

#ifdef BY_MPI_NAMES
#define NAMED(name) MPI_##name
typedef int Displacement; // of the w forms
#define begin_counted(comm) ((void)0)
#define end_counted(comm, code) (code)
#else
#include "counted.h"
#define NAMED(name) Hop_##name
#ifndef NO_LARGE_COUNTS
#define NO_LARGE_COUNTS
#endif
typedef MPI_Aint Displacement;
#endif

enum { blocking, large, nonblocking, nonblocking_large, persistent, persistent_large, forms };
enum { form_entries = 256 };

static int form = blocking;

/// True if the MPI library has this form.
static inline int has_form(int which)
{
#ifdef NO_LARGE_COUNTS
    if (which % 2 == 1)
        return 0;
#endif
#ifdef NO_PERSISTENT
    if (which >= persistent)
        return 0;
#endif
    return which < forms;
}

/// Handles of the program: numbers, and an operator for `own_long`.
static MPI_Datatype own_int, own_long;
static MPI_Op own_sum = MPI_OP_NULL;

static inline void add_longs(void* in, void* inout, int* length, MPI_Datatype* type)
{
    (void)type;
    for (int i = 0; i < *length; ++i)
        ((long*)inout)[i] += ((const long*)in)[i];
}

static inline void make_handles(void)
{
    MPI_Type_dup(MPI_INT, &own_int);
    MPI_Type_dup(MPI_LONG, &own_long);
    MPI_Op_create(add_longs, 1, &own_sum);
}

static inline void free_handles(void)
{
    MPI_Type_free(&own_int);
    MPI_Type_free(&own_long);
    free_operator(&own_sum);
}

/// Completes a call; starts a persistent operation first.
static inline int complete(int code, MPI_Request* request, MPI_Comm comm)
{
    (void)comm;
    if (code != MPI_SUCCESS)
        return code;
    if (own_sum != MPI_OP_NULL) {
        free_handles();
        make_handles();
    }
    if (form >= persistent)
        begin_counted(comm);
    const int begun = form >= persistent ? MPI_Start(request) : MPI_SUCCESS;
    const int ended = MPI_Wait(request, MPI_STATUS_IGNORE);
    if (form >= persistent)
        MPI_Request_free(request);
    return begun != MPI_SUCCESS ? begun : ended;
}

static inline const MPI_Count* large_counts(int place, const int* counts)
{
    static MPI_Count kept[2][form_entries];
    for (int i = 0; i < form_entries; ++i)
        kept[place][i] = counts[i];
    return kept[place];
}

static inline const MPI_Aint* large_displs(int place, const int* displs)
{
    static MPI_Aint kept[2][form_entries];
    for (int i = 0; i < form_entries; ++i)
        kept[place][i] = displs[i];
    return kept[place];
}

#define STRIP(...) __VA_ARGS__
#ifdef NO_LARGE_COUNTS
#define LARGE(...) MPI_ERR_UNSUPPORTED_OPERATION
#else
#define LARGE(...) __VA_ARGS__
#endif
#ifdef NO_PERSISTENT
#define LASTING(...) MPI_ERR_UNSUPPORTED_OPERATION
#else
#define LASTING(...) __VA_ARGS__
#endif

#define FORMS(name, iname, parameters, arguments, large_arguments)                                                     \
    static inline int form_##name parameters                                                                           \
    {                                                                                                                  \
        MPI_Request request = MPI_REQUEST_NULL;                                                                        \
        int code;                                                                                                      \
        begin_counted(comm);                                                                                           \
        switch (form) {                                                                                                \
        case large:                                                                                                    \
            code = LARGE(NAMED(name##_c) large_arguments);                                                             \
            break;                                                                                                     \
        case nonblocking:                                                                                              \
            code = complete(NAMED(iname)(STRIP arguments, &request), &request, comm);                                  \
            break;                                                                                                     \
        case nonblocking_large:                                                                                        \
            code = LARGE(complete(NAMED(iname##_c)(STRIP large_arguments, &request), &request, comm));                 \
            break;                                                                                                     \
        case persistent:                                                                                               \
            code = LASTING(complete(NAMED(name##_init)(STRIP arguments, MPI_INFO_NULL, &request), &request, comm));    \
            break;                                                                                                     \
        case persistent_large:                                                                                         \
            code =                                                                                                     \
                LARGE(complete(NAMED(name##_init_c)(STRIP large_arguments, MPI_INFO_NULL, &request), &request, comm)); \
            break;                                                                                                     \
        default:                                                                                                       \
            code = NAMED(name) arguments;                                                                              \
        }                                                                                                              \
        return end_counted(comm, code);                                                                                \
    }

static inline int form_Barrier(MPI_Comm comm)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int code;
    begin_counted(comm);
    if (form < nonblocking)
        code = NAMED(Barrier)(comm);
    else if (form < persistent)
        code = complete(NAMED(Ibarrier)(comm, &request), &request, comm);
    else
        code = LASTING(complete(NAMED(Barrier_init)(comm, MPI_INFO_NULL, &request), &request, comm));
    return end_counted(comm, code);
}

FORMS(Bcast, Ibcast, (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
      (buffer, count, type, root, comm), (buffer, count, type, root, comm))
FORMS(Gather, Igather,
      (const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
       int root, MPI_Comm comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, root, comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, root, comm))
FORMS(Gatherv, Igatherv,
      (const void* send, int sendcount, MPI_Datatype sendtype, void* recv, const int* counts, const int* displs,
       MPI_Datatype recvtype, int root, MPI_Comm comm),
      (send, sendcount, sendtype, recv, counts, displs, recvtype, root, comm),
      (send, sendcount, sendtype, recv, large_counts(0, counts), large_displs(0, displs), recvtype, root, comm))
FORMS(Scatter, Iscatter,
      (const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
       int root, MPI_Comm comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, root, comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, root, comm))
FORMS(Scatterv, Iscatterv,
      (const void* send, const int* counts, const int* displs, MPI_Datatype sendtype, void* recv, int recvcount,
       MPI_Datatype recvtype, int root, MPI_Comm comm),
      (send, counts, displs, sendtype, recv, recvcount, recvtype, root, comm),
      (send, large_counts(0, counts), large_displs(0, displs), sendtype, recv, recvcount, recvtype, root, comm))
FORMS(Allgather, Iallgather,
      (const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
       MPI_Comm comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, comm))
FORMS(Allgatherv, Iallgatherv,
      (const void* send, int sendcount, MPI_Datatype sendtype, void* recv, const int* counts, const int* displs,
       MPI_Datatype recvtype, MPI_Comm comm),
      (send, sendcount, sendtype, recv, counts, displs, recvtype, comm),
      (send, sendcount, sendtype, recv, large_counts(0, counts), large_displs(0, displs), recvtype, comm))
FORMS(Alltoall, Ialltoall,
      (const void* send, int sendcount, MPI_Datatype sendtype, void* recv, int recvcount, MPI_Datatype recvtype,
       MPI_Comm comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, comm),
      (send, sendcount, sendtype, recv, recvcount, recvtype, comm))
FORMS(Alltoallv, Ialltoallv,
      (const void* send, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype, void* recv,
       const int* recvcounts, const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm),
      (send, sendcounts, sdispls, sendtype, recv, recvcounts, rdispls, recvtype, comm),
      (send, large_counts(0, sendcounts), large_displs(0, sdispls), sendtype, recv, large_counts(1, recvcounts),
       large_displs(1, rdispls), recvtype, comm))
FORMS(Alltoallw, Ialltoallw,
      (const void* send, const int* sendcounts, const Displacement* sdispls, const MPI_Datatype* sendtypes, void* recv,
       const int* recvcounts, const Displacement* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm),
      (send, sendcounts, sdispls, sendtypes, recv, recvcounts, rdispls, recvtypes, comm),
      (send, large_counts(0, sendcounts), large_displs(0, sdispls), sendtypes, recv, large_counts(1, recvcounts),
       large_displs(1, rdispls), recvtypes, comm))
#ifndef BY_MPI_NAMES
FORMS(Allgatherw, Iallgatherw,
      (const void* send, int sendcount, MPI_Datatype sendtype, void* recv, const int* recvcounts,
       const Displacement* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm),
      (send, sendcount, sendtype, recv, recvcounts, rdispls, recvtypes, comm), ())
#endif
FORMS(Reduce, Ireduce, (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
      (send, recv, count, type, op, root, comm), (send, recv, count, type, op, root, comm))
FORMS(Allreduce, Iallreduce, (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm), (send, recv, count, type, op, comm))
FORMS(Reduce_scatter_block, Ireduce_scatter_block,
      (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm), (send, recv, count, type, op, comm))
FORMS(Reduce_scatter, Ireduce_scatter,
      (const void* send, void* recv, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, counts, type, op, comm), (send, recv, large_counts(0, counts), type, op, comm))
FORMS(Scan, Iscan, (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm), (send, recv, count, type, op, comm))
FORMS(Exscan, Iexscan, (const void* send, void* recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
      (send, recv, count, type, op, comm), (send, recv, count, type, op, comm))

#endif
