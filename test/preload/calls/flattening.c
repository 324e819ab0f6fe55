// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random datatypes of all constructors, with int and with large counts, nested: the sent data is compared with
// MPI_Pack, the received data, gaps included, with MPI_Unpack. Every process is a neighbor of all.
//
//   flattening SEED CASES
#include "../../program.h"

#include <stddef.h>
#include <stdint.h>

enum { most_depth = 4, most_parts = 4, most_processes = 4, most_bytes = 1 << 16 };

static uint64_t state;

static int below(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)limit);
}

static MPI_Datatype named(void)
{
    const MPI_Datatype types[] = {MPI_BYTE,   MPI_CHAR,  MPI_SHORT,      MPI_INT,  MPI_LONG,
                                  MPI_DOUBLE, MPI_FLOAT, MPI_DOUBLE_INT, MPI_2INT, MPI_UNSIGNED_CHAR};
    MPI_Datatype type;
    MPI_Type_dup(types[below((int)(sizeof types / sizeof types[0]))], &type);
    return type;
}

// True if the constructor with large counts makes a type; both kinds are nested.
static int with_large_counts(void)
{
#ifdef NO_LARGE_COUNTS
    return 0;
#else
    return below(2);
#endif
}

// Parameters of functions for large counts only.
#define FOR_LARGE __attribute__((unused)) MPI_Count

#ifdef NO_LARGE_COUNTS
#define LARGE(...)
#else
#define LARGE(...) __VA_ARGS__
#endif

static MPI_Datatype subarray(MPI_Datatype element)
{
    const int d = 1 + below(3);
    int sizes[3];
    int subsizes[3];
    int starts[3];
    for (int k = 0; k < d; ++k) {
        sizes[k] = 1 + below(4);
        subsizes[k] = 1 + below(sizes[k]);
        starts[k] = below(sizes[k] - subsizes[k] + 1);
    }
    MPI_Datatype type;
    const int order = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    if (with_large_counts()) {
        FOR_LARGE all[3][3];
        for (int k = 0; k < d; ++k) {
            all[0][k] = sizes[k];
            all[1][k] = subsizes[k];
            all[2][k] = starts[k];
        }
        LARGE(MPI_Type_create_subarray_c(d, all[0], all[1], all[2], order, element, &type);)
    } else {
        MPI_Type_create_subarray(d, sizes, subsizes, starts, order, element, &type);
    }
    return type;
}

// The part of one of four processes.
static MPI_Datatype distributed(MPI_Datatype element)
{
    const int sizes[] = {2 + below(4), 2 + below(4)};
    const int kinds[] = {below(2) ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC};
    const int arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    const int grid[] = {2, 2};
    MPI_Datatype type;
    if (with_large_counts()) {
        LARGE(const MPI_Count large_sizes[] = {sizes[0], sizes[1]};)
        LARGE(
            MPI_Type_create_darray_c(4, below(4), 2, large_sizes, kinds, arguments, grid, MPI_ORDER_C, element, &type);)
    } else {
        MPI_Type_create_darray(4, below(4), 2, sizes, kinds, arguments, grid, MPI_ORDER_C, element, &type);
    }
    return type;
}

static MPI_Datatype random_type(int depth);

static MPI_Datatype structure(int depth)
{
    int lengths[most_parts];
    MPI_Aint at[most_parts];
    MPI_Datatype types[most_parts];
    const int parts = 1 + below(most_parts);
    MPI_Aint end = 0;
    for (int i = 0; i < parts; ++i) {
        MPI_Aint lower;
        MPI_Aint extent;
        types[i] = random_type(depth - 1);
        MPI_Type_get_true_extent(types[i], &lower, &extent);
        lengths[i] = below(4) > 0;
        at[i] = end - lower + below(3);
        end = at[i] + lower + extent;
    }
    MPI_Datatype type;
    if (with_large_counts()) {
        FOR_LARGE large_lengths[most_parts];
        FOR_LARGE large_at[most_parts];
        for (int i = 0; i < parts; ++i) {
            large_lengths[i] = lengths[i];
            large_at[i] = at[i];
        }
        LARGE(MPI_Type_create_struct_c(parts, large_lengths, large_at, types, &type);)
    } else {
        MPI_Type_create_struct(parts, lengths, at, types, &type);
    }
    for (int i = 0; i < parts; ++i) {
        MPI_Type_free(&types[i]);
    }
    return type;
}

static MPI_Datatype listed(MPI_Datatype element)
{
    int lengths[most_parts];
    int at[most_parts];
    MPI_Aint bytes[most_parts];
    MPI_Aint lower;
    MPI_Aint extent;
    MPI_Type_get_extent(element, &lower, &extent);
    const int parts = 1 + below(most_parts);
    for (int i = 0; i < parts; ++i) {
        lengths[i] = below(3);
        at[i] = (parts - i) * 3 + below(2); // descending; a flattened list must keep that order
        bytes[i] = at[i] * extent + below(2);
    }
    MPI_Datatype type;
    FOR_LARGE large_lengths[most_parts];
    FOR_LARGE large_at[most_parts];
    FOR_LARGE large_bytes[most_parts];
    for (int i = 0; i < parts; ++i) {
        large_lengths[i] = lengths[i];
        large_at[i] = at[i];
        large_bytes[i] = bytes[i];
    }
    switch (below(4) + 4 * with_large_counts()) {
#ifndef NO_LARGE_COUNTS
    case 4:
        MPI_Type_indexed_c(parts, large_lengths, large_at, element, &type);
        break;
    case 5:
        MPI_Type_create_hindexed_c(parts, large_lengths, large_bytes, element, &type);
        break;
    case 6:
        MPI_Type_create_indexed_block_c(parts, 1 + below(2), large_at, element, &type);
        break;
    case 7:
        MPI_Type_create_hindexed_block_c(parts, 1 + below(2), large_bytes, element, &type);
        break;
#endif
    case 0:
        MPI_Type_indexed(parts, lengths, at, element, &type);
        break;
    case 1:
        MPI_Type_create_hindexed(parts, lengths, bytes, element, &type);
        break;
    case 2:
        MPI_Type_create_indexed_block(parts, 1 + below(2), at, element, &type);
        break;
    default:
        MPI_Type_create_hindexed_block(parts, 1 + below(2), bytes, element, &type);
    }
    return type;
}

static MPI_Datatype random_type(int depth)
{
    if (depth == 0) {
        return named();
    }
    const int what = below(9);
    if (what == 0) {
        return structure(depth);
    }
    MPI_Datatype element = random_type(depth - 1);
    MPI_Datatype type;
    MPI_Aint lower;
    MPI_Aint extent;
    MPI_Type_get_extent(element, &lower, &extent);
    const int count = 1 + below(3);
    const int length = 1 + below(2);
    const int more = below(5);
    const int large = with_large_counts();
    if (what == 1 && large) {
        LARGE(MPI_Type_contiguous_c(count, element, &type);)
    } else if (what == 1) {
        MPI_Type_contiguous(count, element, &type);
    } else if (what == 2 && large) {
        LARGE(MPI_Type_vector_c(count, length, length + more, element, &type);)
    } else if (what == 2) {
        MPI_Type_vector(count, length, length + more, element, &type);
    } else if (what == 3 && large) {
        LARGE(MPI_Type_create_hvector_c(count, length, length * extent + more, element, &type);)
    } else if (what == 3) {
        MPI_Type_create_hvector(count, length, length * extent + more, element, &type);
    } else if (what == 4 && large) {
        LARGE(MPI_Type_create_resized_c(element, lower - more, extent + 2 * more, &type);)
    } else if (what == 4) {
        MPI_Type_create_resized(element, lower - more, extent + 2 * more, &type);
    } else if (what == 5) {
        type = subarray(element);
    } else if (what == 6) {
        type = listed(element);
    } else if (what == 7) {
        type = distributed(element);
    } else {
        MPI_Type_dup(element, &type);
    }
    MPI_Type_free(&element);
    return type;
}

// Memory for `count` elements of a type, with room around them; `at` is the address for a buffer argument.
typedef struct {
    unsigned char* memory;
    unsigned char* at;
    size_t bytes;
} Field;

static Field make_field(MPI_Datatype type, int count, int filler)
{
    MPI_Aint lower;
    MPI_Aint true_extent;
    MPI_Aint bound;
    MPI_Aint extent;
    MPI_Type_get_true_extent(type, &lower, &true_extent);
    MPI_Type_get_extent(type, &bound, &extent);
    const MPI_Aint last = (count - 1) * extent;
    const MPI_Aint first = lower + (last < 0 ? last : 0);
    const MPI_Aint room = true_extent + (last < 0 ? -last : last);
    enum { margin = 64 };
    Field field = {.bytes = (size_t)room + 2 * margin};
    field.memory = malloc(field.bytes);
    field.at = field.memory + margin - first;
    for (size_t i = 0; i < field.bytes; ++i) {
        field.memory[i] = (unsigned char)(filler + 31 * (int)i);
    }
    return field;
}

static int failed(unsigned seed, const char* what)
{
    printf("rank %d: %s; again: flattening %u 1\n", rank, what, seed);
    return 1;
}

// One type: sent and received as bytes, received from bytes, both.
static int try_type(MPI_Comm graph, unsigned seed)
{
    state = seed;
    MPI_Datatype type = random_type(1 + below(most_depth));
    MPI_Type_commit(&type);
    const int count = 1 + below(3);
    int length;
    MPI_Type_size(type, &length);
    length *= count;
    if (length > most_bytes) {
        MPI_Type_free(&type);
        return 0;
    }
    int wrong = 0;
    unsigned char* packed[most_processes] = {NULL}; // data of each process
    Field own = make_field(type, count, rank);
    for (int i = 0; i < size; ++i) {
        Field field = make_field(type, count, i);
        int position = 0;
        packed[i] = malloc((size_t)length + 1);
        MPI_Pack(field.at, count, type, packed[i], length, &position, MPI_COMM_SELF);
        free(field.memory);
    }
    int counts[most_processes];
    int sizes[most_processes];
    MPI_Aint at_start[most_processes] = {0};
    MPI_Aint behind[most_processes];
    MPI_Datatype types[most_processes];
    MPI_Datatype bytes[most_processes];
    for (int i = 0; i < size; ++i) {
        counts[i] = count;
        sizes[i] = length;
        behind[i] = (MPI_Aint)i * length;
        types[i] = type;
        bytes[i] = MPI_BYTE;
    }
    unsigned char* all = malloc((size_t)(size * length) + 1);
    MPI_Neighbor_alltoallw(own.at, counts, at_start, types, all, sizes, behind, bytes, graph);
    for (int i = 0; i < size && wrong == 0; ++i) {
        if (memcmp(all + behind[i], packed[i], (size_t)length) != 0) {
            wrong = failed(seed, "packed otherwise than by MPI_Pack");
        }
    }
    // From each other process into memory of its own; the types may overlap themselves, so in one order only.
    for (int as_bytes = 0; as_bytes < 2; ++as_bytes) {
        Field wanted[most_processes];
        Field got[most_processes];
        MPI_Aint places[most_processes];
        for (int i = 0; i < size; ++i) {
            wanted[i] = make_field(type, count, 100);
            got[i] = make_field(type, count, 100);
            int position = 0;
            MPI_Unpack(packed[i], length, &position, wanted[i].at, count, type, MPI_COMM_SELF);
            MPI_Get_address(got[i].at, &places[i]);
        }
        MPI_Neighbor_alltoallw(as_bytes ? packed[rank] : own.at, as_bytes ? sizes : counts, at_start,
                               as_bytes ? bytes : types, MPI_BOTTOM, counts, places, types, graph);
        for (int i = 0; i < size; ++i) {
            if (wrong == 0 && memcmp(wanted[i].memory, got[i].memory, got[i].bytes) != 0) {
                wrong = failed(seed, "received otherwise than by MPI_Unpack");
            }
            free(wanted[i].memory);
            free(got[i].memory);
        }
    }
    for (int i = 0; i < size; ++i) {
        free(packed[i]);
    }
    free(all);
    free(own.memory);
    MPI_Type_free(&type);
    return wrong;
}

int main(int argc, char** argv)
{
    begin_program(&argc, &argv);
    const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    const int cases = argc > 2 ? atoi(argv[2]) : 100;
    if (size > most_processes) {
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    int everyone[most_processes];
    for (int i = 0; i < size; ++i) {
        everyone[i] = i;
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, size, everyone, MPI_UNWEIGHTED, size, everyone, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    int wrong = 0;
    for (int i = 0; i < cases; ++i) {
        wrong += try_type(graph, seed + (unsigned)i);
    }
    MPI_Comm_free(&graph);
    const int all = sum_of_all(wrong);
    if (rank == 0) {
        printf(all == 0 ? "flattening: ok, %d types\n" : "flattening: FAILED, %d types\n", cases);
    }
    return end_program(all != 0);
}
