// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes neighborhood collectives in every form they have: blocking, nonblocking, persistent; int and large counts.
#ifndef LAUNCH_H
#define LAUNCH_H

#include "transfers.h"

enum Form { form_nonblocking, form_persistent, request_forms, form_blocking = request_forms, forms };

// Argument arrays of a call; they must stay until it is complete.
typedef struct {
    void* buffer;
    int count; // regular forms
    MPI_Datatype type;
    int* counts;
    int* indices; // displacements in extents
    MPI_Count* large_counts;
    MPI_Aint* large_indices;
    MPI_Aint* bytes; // displacements in bytes
    MPI_Datatype* types;
} Arguments;

// "MPI_Ineighbor_alltoallv_c", "MPI_Neighbor_alltoall_init"
void form_name(enum Form form, int function, char* text, size_t size);

// The MPI library's functions of a form, behind any preload, and those the program reaches. Both are NULL if the MPI
// library has none: the first process prints that they are skipped. Ends the program if there is none at all.
void find_functions(enum Form form, Function* native, Function* called);

// True if the MPI library's own function fails on the network by a fault of the library (docs/libraries.md#faults).
int natively_wrong(const Network* network, enum Form form, int function);

// Room for the arguments of `blocks` blocks.
Arguments allocate_arguments(int blocks);
Arguments make_arguments(const Transfer* transfer, int sending, unsigned char* arena);
void free_arguments(Arguments* arguments);

// Calls the function; its error code. `request`: may be null for the blocking form.
int launch(enum Form form, int number, Function function, const Arguments* out, const Arguments* in, MPI_Comm comm,
           MPI_Request* request);

// Calls the blocking function on the arena, which may lie in two places; its error code.
int perform(const Transfer* transfer, unsigned char* send, unsigned char* receive, Function function, MPI_Comm comm);

#endif
