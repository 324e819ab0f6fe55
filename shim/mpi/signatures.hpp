// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The parameters of the collectives, both names of an exported function, and functions that mpi.h may lack.
// OF_X(form, name, Count, parameters, arguments) is form(name, all parameters, all arguments, action) for one operation
// with counts of a type. Nonblocking and persistent forms have additional parameters at the end. The rows of calls.def
// list the functions with these parameters.
#pragma once

#include <mpi.h>

#include <type_traits>

/// The type of displacements for counts of type int, or for large counts.
template <class Count>
using DisplacementOf = std::conditional_t<std::is_same_v<Count, int>, int, MPI_Aint>;

/// Defines the functions that the library exports as MPI_X, `name`, and as PMPI_X: each is one jump through a table.
#define HOPSCOTCH_EXPORT(name, parameters, arguments, shown, base)                                                     \
    extern "C" [[gnu::hot]] int name parameters                                                                        \
    {                                                                                                                  \
        return ::hopscotch::shim::shown.name arguments;                                                                \
    }                                                                                                                  \
    extern "C" [[gnu::hot]] int P##name parameters                                                                     \
    {                                                                                                                  \
        return ::hopscotch::shim::base.name arguments;                                                                 \
    }

/// Within the lists that a form adds; an OF_ macro takes each as one.
#define HOPSCOTCH_COMMA ,

/// The forms of an operation: form(name, its CallForm, all parameters, all arguments, action) for each.
#define BLOCKING_FORM(form, signature, Count, name) signature(form, name HOPSCOTCH_COMMA CallForm{}, Count, , )
#define NONBLOCKING_FORM(form, signature, Count, name)                                                                 \
    signature(form, name HOPSCOTCH_COMMA(CallForm{Completion::nonblocking, request}), Count,                           \
              HOPSCOTCH_COMMA MPI_Request* request, HOPSCOTCH_COMMA request)
#define PERSISTENT_FORM(form, signature, Count, name)                                                                  \
    signature(form, name HOPSCOTCH_COMMA(CallForm{Completion::persistent, request, info}), Count,                      \
              HOPSCOTCH_COMMA MPI_Info info HOPSCOTCH_COMMA MPI_Request* request,                                      \
              HOPSCOTCH_COMMA info HOPSCOTCH_COMMA request)
#define LATER_FORMS(form, signature, Count, nonblocking, persistent)                                                   \
    NONBLOCKING_FORM(form, signature, Count, nonblocking) PERSISTENT_FORM(form, signature, Count, persistent)
#define FORMS(form, signature, Count, blocking, nonblocking, persistent)                                               \
    BLOCKING_FORM(form, signature, Count, blocking) LATER_FORMS(form, signature, Count, nonblocking, persistent)

// The action of a call with neighborhoods; `call` and `call_form` are the call and the form. A file that uses these
// defines the macros of actions: EXCHANGED(both buffers) for neighborhood collectives. For others, to which
// HOPSCOTCH_SEMANTICS=orthogonal gives another meaning: PLANNED(object made from `links`), REDUCED(value reduced over
// the sources), UNDEFINED.
#define OF_BARRIER(form, name, Count, parameters, arguments)                                                           \
    form(name, (MPI_Comm comm parameters), (comm arguments), PLANNED(barrier_plan(links)))

#define OF_BCAST(form, name, Count, parameters, arguments)                                                             \
    form(name, (void* buffer, Count count, MPI_Datatype datatype, int root, MPI_Comm comm parameters),                 \
         (buffer, count, datatype, root, comm arguments), PLANNED(bcast_plan(links, buffer, count, datatype, root)))

#define OF_GATHER(form, name, Count, parameters, arguments)                                                            \
    form(name,                                                                                                         \
         (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,                 \
          MPI_Datatype recvtype, int root, MPI_Comm comm parameters),                                                  \
         (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm arguments),                           \
         PLANNED(gather_plan(links, sendbuf, sendcount, sendtype, RegularBlocks{recvbuf, recvcount, recvtype}, root)))

#define OF_GATHERV(form, name, Count, parameters, arguments)                                                           \
    form(name,                                                                                                         \
         (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],        \
          const DisplacementOf<Count> displs[], MPI_Datatype recvtype, int root, MPI_Comm comm parameters),            \
         (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm arguments),                  \
         PLANNED(gather_plan(links, sendbuf, sendcount, sendtype,                                                      \
                             VaryingBlocks{recvbuf, recvcounts, displs, recvtype}, root)))

#define OF_SCATTER(form, name, Count, parameters, arguments)                                                           \
    form(                                                                                                              \
        name,                                                                                                          \
        (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,                  \
         MPI_Datatype recvtype, int root, MPI_Comm comm parameters),                                                   \
        (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm arguments),                            \
        PLANNED(scatter_plan(links, RegularBlocks{sendbuf, sendcount, sendtype}, recvbuf, recvcount, recvtype, root)))

#define OF_SCATTERV(form, name, Count, parameters, arguments)                                                          \
    form(name,                                                                                                         \
         (const void* sendbuf, const Count sendcounts[], const DisplacementOf<Count> displs[], MPI_Datatype sendtype,  \
          void* recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm parameters),                  \
         (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm arguments),                  \
         PLANNED(scatter_plan(links, VaryingBlocks{sendbuf, sendcounts, displs, sendtype}, recvbuf, recvcount,         \
                              recvtype, root)))

#define OF_ALLGATHER(form, name, Count, parameters, arguments)                                                         \
    form(name,                                                                                                         \
         (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,                 \
          MPI_Datatype recvtype, MPI_Comm comm parameters),                                                            \
         (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm arguments),                                 \
         EXCHANGED(SingleBlock{sendbuf, sendcount, sendtype}, RegularBlocks{recvbuf, recvcount, recvtype}))

#define OF_ALLGATHERV(form, name, Count, parameters, arguments)                                                        \
    form(name,                                                                                                         \
         (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, const Count recvcounts[],        \
          const DisplacementOf<Count> displs[], MPI_Datatype recvtype, MPI_Comm comm parameters),                      \
         (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm arguments),                        \
         EXCHANGED(SingleBlock{sendbuf, sendcount, sendtype}, VaryingBlocks{recvbuf, recvcounts, displs, recvtype}))

#define OF_ALLTOALL(form, name, Count, parameters, arguments)                                                          \
    form(name,                                                                                                         \
         (const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf, Count recvcount,                 \
          MPI_Datatype recvtype, MPI_Comm comm parameters),                                                            \
         (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm arguments),                                 \
         EXCHANGED(RegularBlocks{sendbuf, sendcount, sendtype}, RegularBlocks{recvbuf, recvcount, recvtype}))

#define OF_ALLTOALLV(form, name, Count, parameters, arguments)                                                         \
    form(name,                                                                                                         \
         (const void* sendbuf, const Count sendcounts[], const DisplacementOf<Count> sdispls[], MPI_Datatype sendtype, \
          void* recvbuf, const Count recvcounts[], const DisplacementOf<Count> rdispls[], MPI_Datatype recvtype,       \
          MPI_Comm comm parameters),                                                                                   \
         (sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm arguments),             \
         EXCHANGED(VaryingBlocks{sendbuf, sendcounts, sdispls, sendtype},                                              \
                   VaryingBlocks{recvbuf, recvcounts, rdispls, recvtype}))

/// The displacements of MPI_Alltoallw are of type int, those of its neighborhood form of type MPI_Aint.
#define OF_NEIGHBOR_ALLTOALLW(form, name, Count, parameters, arguments)                                                \
    form(name,                                                                                                         \
         (const void* sendbuf, const Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],     \
          void* recvbuf, const Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],           \
          MPI_Comm comm parameters),                                                                                   \
         (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm arguments),           \
         EXCHANGED(GeneralBlocks{sendbuf, sendcounts, sdispls, sendtypes},                                             \
                   GeneralBlocks{recvbuf, recvcounts, rdispls, recvtypes}))

#define OF_ALLTOALLW(form, name, Count, parameters, arguments)                                                         \
    form(name,                                                                                                         \
         (const void* sendbuf, const Count sendcounts[], const DisplacementOf<Count> sdispls[],                        \
          const MPI_Datatype sendtypes[], void* recvbuf, const Count recvcounts[],                                     \
          const DisplacementOf<Count> rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm parameters),            \
         (sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm arguments),           \
         EXCHANGED(GeneralBlocks{sendbuf, sendcounts, sdispls, sendtypes},                                             \
                   GeneralBlocks{recvbuf, recvcounts, rdispls, recvtypes}))

#define OF_REDUCE(form, name, Count, parameters, arguments)                                                            \
    form(name,                                                                                                         \
         (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, int root,                 \
          MPI_Comm comm parameters),                                                                                   \
         (sendbuf, recvbuf, count, datatype, op, root, comm arguments),                                                \
         PLANNED(reduce_plan(links, {sendbuf, recvbuf, count, datatype, op}, root, call_form)))

#define OF_ALLREDUCE(form, name, Count, parameters, arguments)                                                         \
    form(                                                                                                              \
        name,                                                                                                          \
        (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm parameters), \
        (sendbuf, recvbuf, count, datatype, op, comm arguments), REDUCED({sendbuf, recvbuf, count, datatype, op}))

#define OF_REDUCE_SCATTER_BLOCK(form, name, Count, parameters, arguments)                                              \
    form(name,                                                                                                         \
         (const void* sendbuf, void* recvbuf, Count recvcount, MPI_Datatype datatype, MPI_Op op,                       \
          MPI_Comm comm parameters),                                                                                   \
         (sendbuf, recvbuf, recvcount, datatype, op, comm arguments), UNDEFINED)

#define OF_REDUCE_SCATTER(form, name, Count, parameters, arguments)                                                    \
    form(name,                                                                                                         \
         (const void* sendbuf, void* recvbuf, const Count recvcounts[], MPI_Datatype datatype, MPI_Op op,              \
          MPI_Comm comm parameters),                                                                                   \
         (sendbuf, recvbuf, recvcounts, datatype, op, comm arguments), UNDEFINED)

#define OF_SCAN(form, name, Count, parameters, arguments)                                                              \
    form(                                                                                                              \
        name,                                                                                                          \
        (const void* sendbuf, void* recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm parameters), \
        (sendbuf, recvbuf, count, datatype, op, comm arguments), UNDEFINED)

// Functions of MPI 4.0 and 4.1 that the mpi.h of an older MPI library lacks: so all of calls.def can be looked up and
// exported with any MPI library. If mpi.h has them, these declarations repeat it.
#ifdef HOPSCOTCH_STANDARD_ABI
using PartitionCount = int; // from MPI 5.0 on
#else
using PartitionCount = MPI_Count;
#endif

#ifdef HOPSCOTCH_UNQUALIFIED_REQUESTS
using SeenRequest = MPI_Request; // MPICH 4.2.0 to 4.3.1 lack the const of MPI 4.1
#else
using SeenRequest = const MPI_Request;
#endif

extern "C" {
int MPI_Isend_c(const void* buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request* request);
int MPI_Irecv_c(void* buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                MPI_Request* request);
int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses,
                            MPI_Count* num_large_counts, MPI_Count* num_datatypes, int* combiner);
int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                            MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[],
                            MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[],
                            MPI_Datatype array_of_datatypes[]);
int MPI_Pack_c(const void* inbuf, MPI_Count incount, MPI_Datatype datatype, void* outbuf, MPI_Count outsize,
               MPI_Count* position, MPI_Comm comm);
int MPI_Unpack_c(const void* inbuf, MPI_Count insize, MPI_Count* position, void* outbuf, MPI_Count outcount,
                 MPI_Datatype datatype, MPI_Comm comm);
int MPI_Psend_init(const void* buf, int partitions, PartitionCount count, MPI_Datatype datatype, int dest, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Precv_init(void* buf, int partitions, PartitionCount count, MPI_Datatype datatype, int source, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request);
int MPI_Pready(int partition, MPI_Request request);

int MPI_Request_get_status_all(int count, SeenRequest requests[], int* flag, MPI_Status statuses[]);
int MPI_Request_get_status_any(int count, SeenRequest requests[], int* index, int* flag, MPI_Status* status);
int MPI_Request_get_status_some(int incount, SeenRequest requests[], int* count, int indices[], MPI_Status statuses[]);

// The collectives in all forms.
#define DECLARE(name, call_form, parameters, ...) int name parameters;
#define NEIGHBORHOOD(...) FORMS(DECLARE, __VA_ARGS__)
#define COLLECTIVE NEIGHBORHOOD
#define CALL(name, family)
#include "shim/mpi/calls.def"
#undef DECLARE
}
