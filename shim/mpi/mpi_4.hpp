// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of MPI 4.0 and 4.1 that the mpi.h of an older MPI library lacks: so all of calls.def can be looked up and
// exported with any MPI library. If mpi.h has them, these declarations repeat it.
#pragma once

#include "shim/mpi/signatures.hpp"

#include <mpi.h>

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
#define DECLARE(name, parameters, ...) int name parameters;
#define NEIGHBORHOOD(signature, Count, blocking, nonblocking, persistent)                                              \
    HOPSCOTCH_BLOCKING(DECLARE, signature, Count, blocking)                                                            \
    HOPSCOTCH_NONBLOCKING(DECLARE, signature, Count, nonblocking)                                                      \
    HOPSCOTCH_PERSISTENT(DECLARE, signature, Count, persistent)
#define COLLECTIVE NEIGHBORHOOD
#define CALL(name, family)
#include "shim/mpi/calls.def"
#undef DECLARE
}
