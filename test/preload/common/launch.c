// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// From the blocks of a call to the arguments of its function, see launch.h.
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void form_name(enum Form form, int function, char* text, size_t size)
{
    const char* blocking = function_name(function); // MPI_Neighbor_alltoall or MPI_Neighbor_alltoall_c
    const char* what = blocking + strlen("MPI_Neighbor_");
    if (form != form_persistent) {
        snprintf(text, size, "MPI_%s_%s", form == form_blocking ? "Neighbor" : "Ineighbor", what);
        return;
    }
    const int large = function >= operations;
    snprintf(text, size, "MPI_Neighbor_%.*s_init%s", (int)(strlen(what) - (large ? 2 : 0)), what, large ? "_c" : "");
}

void find_functions(enum Form form, Function* native, Function* called)
{
    int rank;
    int found = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int function = 0; function < functions; ++function) {
        char name[64];
        form_name(form, function, name, sizeof name);
        native[function] = native_function(name);
        called[function] = native[function] == NULL ? NULL : called_function(name);
        found += native[function] != NULL;
        if (native[function] == NULL && rank == 0) {
            printf("skipped: %s, which the MPI library does not have\n", name);
        }
    }
    if (found == 0 && form == form_blocking) {
        fputs("cannot find the MPI library's own functions\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

int natively_wrong(const Network* network, enum Form form, int function)
{
    const int operation = function % operations;
#ifdef OPEN_MPI // 4.1.4
    const int may_not_send =
        operation == op_allgatherv || ((operation == op_allgather || operation == op_alltoall) && network->one_way);
    return (form == form_blocking && network->nulls) || may_not_send;
#else // MPICH 4.0.2 mixes up the degrees, but not in the blocking form with large counts
    const int mixed_up = form != form_blocking || function < operations;
    return operation == op_alltoallw && network->unequal && mixed_up;
#endif
}

Arguments allocate_arguments(int blocks)
{
    const size_t n = (size_t)blocks;
    Arguments result = {.type = MPI_BYTE};
    result.counts = allocate(n * sizeof *result.counts);
    result.indices = allocate(n * sizeof *result.indices);
    result.large_counts = allocate(n * sizeof *result.large_counts);
    result.large_indices = allocate(n * sizeof *result.large_indices);
    result.bytes = allocate(n * sizeof *result.bytes);
    result.types = allocate(n * sizeof *result.types);
    return result;
}

Arguments make_arguments(const Transfer* transfer, int sending, unsigned char* arena)
{
    const Part* parts = sending ? transfer->send : transfer->receive;
    const int count = sending ? transfer->sends : transfer->receives;
    const ptrdiff_t base = sending ? transfer->send_base : transfer->receive_base;
    const int bottom = sending ? transfer->send_bottom : transfer->receive_bottom;
    Arguments result = allocate_arguments(count);
    result.buffer = bottom ? MPI_BOTTOM : arena + base;
    // Without neighbors any count will do.
    const int any[3] = {0, 7, transfer->call.regular_units * unit_bytes(transfer->call.unit)};
    result.type = count > 0 ? parts[0].shape->type : MPI_BYTE;
    result.count = count > 0 ? parts[0].count : any[transfer->call.key % 3];
    for (int i = 0; i < count; ++i) {
        const ptrdiff_t at = parts[i].at - base;
        const ptrdiff_t extent = parts[i].shape->extent;
        MPI_Aint address;
        MPI_Get_address(arena + parts[i].at, &address);
        result.counts[i] = parts[i].count;
        result.large_counts[i] = parts[i].count;
        result.indices[i] = extent > 0 ? (int)(at / extent) : 0;
        result.large_indices[i] = result.indices[i];
        result.bytes[i] = bottom ? address : at;
        result.types[i] = parts[i].shape->type;
    }
    return result;
}

void free_arguments(Arguments* arguments)
{
    free(arguments->counts);
    free(arguments->indices);
    free(arguments->large_counts);
    free(arguments->large_indices);
    free(arguments->bytes);
    free(arguments->types);
}

// The forms differ in the arguments after the communicator.
#define CALL(...)                                                                                                      \
    (form == form_blocking ? ((int (*)(TYPES, MPI_Comm))function)(__VA_ARGS__, comm)                                   \
     : form == form_nonblocking                                                                                        \
         ? ((int (*)(TYPES, MPI_Comm, MPI_Request*))function)(__VA_ARGS__, comm, request)                              \
         : ((int (*)(TYPES, MPI_Comm, MPI_Info, MPI_Request*))function)(__VA_ARGS__, comm, MPI_INFO_NULL, request))

int launch(enum Form form, int number, Function function, const Arguments* out, const Arguments* in, MPI_Comm comm,
           MPI_Request* request)
{
    switch (number) {
    case op_alltoall:
    case op_allgather:
#define TYPES const void*, int, MPI_Datatype, void*, int, MPI_Datatype
        return CALL(out->buffer, out->count, out->type, in->buffer, in->count, in->type);
#undef TYPES
    case op_alltoallv:
#define TYPES const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype
        return CALL(out->buffer, out->counts, out->indices, out->type, in->buffer, in->counts, in->indices, in->type);
#undef TYPES
    case op_alltoallw:
#define TYPES                                                                                                          \
    const void*, const int*, const MPI_Aint*, const MPI_Datatype*, void*, const int*, const MPI_Aint*,                 \
        const MPI_Datatype*
        return CALL(out->buffer, out->counts, out->bytes, out->types, in->buffer, in->counts, in->bytes, in->types);
#undef TYPES
    case op_allgatherv:
#define TYPES const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype
        return CALL(out->buffer, out->count, out->type, in->buffer, in->counts, in->indices, in->type);
#undef TYPES
    case operations + op_alltoall:
    case operations + op_allgather:
#define TYPES const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype
        return CALL(out->buffer, out->count, out->type, in->buffer, in->count, in->type);
#undef TYPES
    case operations + op_alltoallv:
#define TYPES                                                                                                          \
    const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype
        return CALL(out->buffer, out->large_counts, out->large_indices, out->type, in->buffer, in->large_counts,
                    in->large_indices, in->type);
#undef TYPES
    case operations + op_alltoallw:
#define TYPES                                                                                                          \
    const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*, const MPI_Aint*,     \
        const MPI_Datatype*
        return CALL(out->buffer, out->large_counts, out->bytes, out->types, in->buffer, in->large_counts, in->bytes,
                    in->types);
#undef TYPES
    default:
#define TYPES const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype
        return CALL(out->buffer, out->count, out->type, in->buffer, in->large_counts, in->large_indices, in->type);
#undef TYPES
    }
}

int perform(const Transfer* transfer, unsigned char* send, unsigned char* receive, Function function, MPI_Comm comm)
{
    Arguments out = make_arguments(transfer, 1, send);
    Arguments in = make_arguments(transfer, 0, receive);
    const int code = launch(form_blocking, transfer->call.function, function, &out, &in, comm, NULL);
    free_arguments(&out);
    free_arguments(&in);
    return code;
}
