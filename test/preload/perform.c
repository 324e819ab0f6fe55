// SPDX-License-Identifier: BSD-3-Clause
// From the blocks of a random call to the arguments of the ten functions, see transfers.h.
#include "transfers.h"

#include <stdlib.h>

typedef int (*Regular)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
typedef int (*RegularLarge)(const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm);
typedef int (*Gatherv)(const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm);
typedef int (*GathervLarge)(const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*,
                            MPI_Datatype, MPI_Comm);
typedef int (*Alltoallv)(const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype,
                         MPI_Comm);
typedef int (*AlltoallvLarge)(const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*,
                              const MPI_Aint*, MPI_Datatype, MPI_Comm);
typedef int (*Alltoallw)(const void*, const int*, const MPI_Aint*, const MPI_Datatype*, void*, const int*,
                         const MPI_Aint*, const MPI_Datatype*, MPI_Comm);
typedef int (*AlltoallwLarge)(const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*,
                              const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm);

// One side of a call in every form its functions take.
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
} Side;

static Side make_side(const Transfer* transfer, const Part* parts, int count, ptrdiff_t base, int bottom,
                      unsigned char* arena)
{
    const size_t n = (size_t)count;
    Side side = {.buffer = bottom ? MPI_BOTTOM : arena + base};
    side.counts = allocate(n * sizeof *side.counts);
    side.indices = allocate(n * sizeof *side.indices);
    side.large_counts = allocate(n * sizeof *side.large_counts);
    side.large_indices = allocate(n * sizeof *side.large_indices);
    side.bytes = allocate(n * sizeof *side.bytes);
    side.types = allocate(n * sizeof *side.types);
    // Without neighbors any count will do.
    const int any[3] = {0, 7, transfer->call.regular_units * unit_bytes(transfer->call.unit)};
    side.type = count > 0 ? parts[0].shape->type : MPI_BYTE;
    side.count = count > 0 ? parts[0].count : any[transfer->call.key % 3];
    for (int i = 0; i < count; ++i) {
        const ptrdiff_t at = parts[i].at - base;
        const ptrdiff_t extent = parts[i].shape->extent;
        MPI_Aint address;
        MPI_Get_address(arena + parts[i].at, &address);
        side.counts[i] = parts[i].count;
        side.large_counts[i] = parts[i].count;
        side.indices[i] = extent > 0 ? (int)(at / extent) : 0;
        side.large_indices[i] = side.indices[i];
        side.bytes[i] = bottom ? address : at;
        side.types[i] = parts[i].shape->type;
    }
    return side;
}

static void free_side(Side* side)
{
    free(side->counts);
    free(side->indices);
    free(side->large_counts);
    free(side->large_indices);
    free(side->bytes);
    free(side->types);
}

static int call_function(int number, Function function, const Side* out, const Side* in, MPI_Comm comm)
{
    switch (number) {
    case op_alltoall:
    case op_allgather:
        return ((Regular)function)(out->buffer, out->count, out->type, in->buffer, in->count, in->type, comm);
    case op_alltoallv:
        return ((Alltoallv)function)(out->buffer, out->counts, out->indices, out->type, in->buffer, in->counts,
                                     in->indices, in->type, comm);
    case op_alltoallw:
        return ((Alltoallw)function)(out->buffer, out->counts, out->bytes, out->types, in->buffer, in->counts,
                                     in->bytes, in->types, comm);
    case op_allgatherv:
        return ((Gatherv)function)(out->buffer, out->count, out->type, in->buffer, in->counts, in->indices, in->type,
                                   comm);
    case operations + op_alltoall:
    case operations + op_allgather:
        return ((RegularLarge)function)(out->buffer, out->count, out->type, in->buffer, in->count, in->type, comm);
    case operations + op_alltoallv:
        return ((AlltoallvLarge)function)(out->buffer, out->large_counts, out->large_indices, out->type, in->buffer,
                                          in->large_counts, in->large_indices, in->type, comm);
    case operations + op_alltoallw:
        return ((AlltoallwLarge)function)(out->buffer, out->large_counts, out->bytes, out->types, in->buffer,
                                          in->large_counts, in->bytes, in->types, comm);
    default:
        return ((GathervLarge)function)(out->buffer, out->count, out->type, in->buffer, in->large_counts,
                                        in->large_indices, in->type, comm);
    }
}

int perform(const Transfer* transfer, unsigned char* arena, Function function, MPI_Comm comm)
{
    Side out = make_side(transfer, transfer->send, transfer->sends, transfer->send_base, transfer->send_bottom, arena);
    Side in = make_side(transfer, transfer->receive, transfer->receives, transfer->receive_base,
                        transfer->receive_bottom, arena);
    const int code = call_function(transfer->call.function, function, &out, &in, comm);
    free_side(&out);
    free_side(&in);
    return code;
}
