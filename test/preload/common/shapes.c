// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random datatypes, see shapes.h.
#include "shapes.h"

#include "lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void* allocate(size_t bytes)
{
    void* memory = calloc(bytes == 0 ? 1 : bytes, 1);
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
        exit(2);
    }
    return memory;
}

int unit_bytes(int unit)
{
    static const int bytes[unit_kinds] = {1, 4, 8, 19, 12};
    return bytes[unit];
}

static Shape finish(Shape shape)
{
    MPI_Aint lower;
    MPI_Aint extent;
    MPI_Type_get_extent(shape.type, &lower, &extent);
    shape.extent = extent;
    shape.low = 0;
    shape.high = 0;
    for (size_t k = 0; k < shape.bytes; ++k) {
        const ptrdiff_t at = shape.displacement[k];
        shape.low = k == 0 || at < shape.low ? at : shape.low;
        shape.high = k == 0 || at + 1 > shape.high ? at + 1 : shape.high;
    }
    return shape;
}

static Shape of_runs(int runs, const int* lengths, const ptrdiff_t* displacements)
{
    Shape shape = {.type = MPI_DATATYPE_NULL};
    for (int i = 0; i < runs; ++i) {
        shape.bytes += (size_t)lengths[i];
    }
    shape.displacement = allocate(shape.bytes * sizeof *shape.displacement);
    size_t k = 0;
    for (int i = 0; i < runs; ++i) {
        for (int j = 0; j < lengths[i]; ++j) {
            shape.displacement[k++] = displacements[i] + j;
        }
    }
    return shape;
}

static Shape one_unit(int unit)
{
    static const ptrdiff_t zero[1] = {0};
    if (unit == 3) {
        static const int counts[4] = {1, 1, 1, 3};
        static const int lengths[4] = {1, 8, 4, 6};
        static const ptrdiff_t displacements[4] = {5, 24, 8, 16};
        const MPI_Aint places[4] = {5, 24, 8, 16};
        const MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT};
        Shape shape = of_runs(4, lengths, displacements);
        MPI_Type_create_struct(4, counts, places, types, &shape.type);
        return finish(shape);
    }
    static const int sizes[unit_kinds] = {1, 4, 8, 0, 12};
    const MPI_Datatype types[unit_kinds] = {MPI_BYTE, MPI_INT, MPI_DOUBLE, MPI_DATATYPE_NULL, MPI_DOUBLE_INT};
    Shape shape = of_runs(1, &sizes[unit], zero);
    shape.type = types[unit];
    shape.predefined = 1;
    return finish(shape);
}

// The bytes of `count` elements of `inner` at the given displacements; the type is the caller's to make. Frees nothing.
static Shape placed(const Shape* inner, int count, const ptrdiff_t* at)
{
    Shape shape = {.type = MPI_DATATYPE_NULL, .bytes = (size_t)count * inner->bytes};
    shape.displacement = allocate(shape.bytes * sizeof *shape.displacement);
    size_t k = 0;
    for (int i = 0; i < count; ++i) {
        for (size_t j = 0; j < inner->bytes; ++j) {
            shape.displacement[k++] = at[i] + inner->displacement[j];
        }
    }
    return shape;
}

void free_shape(Shape* shape)
{
    if (!shape->predefined) {
        MPI_Type_free(&shape->type);
    }
    free(shape->displacement);
}

// A random divisor of n.
static int divisor(uint64_t* state, int n)
{
    int found = 1;
    int seen = 0;
    for (int d = 1; d <= n; ++d) {
        if (n % d == 0 && random_below(state, ++seen) == 0) {
            found = d;
        }
    }
    return found;
}

// `count` elements at multiples of a stride: vector or hvector, the stride negative at times.
static MPI_Datatype strided(uint64_t* state, const Shape* inner, int count, ptrdiff_t* at)
{
    MPI_Datatype type;
    const int length = divisor(state, count);
    int stride = length + random_below(state, 4);
#ifdef OPEN_MPI // 4.1.4 takes elements that touch in reverse order for a contiguous type
    const int reversible = stride > length;
#else
    const int reversible = 1;
#endif
    if (random_below(state, 6) == 0 && reversible) {
        stride = -stride;
    }
    ptrdiff_t bytes = stride * inner->extent;
    if (random_below(state, 2) == 0) {
        MPI_Type_vector(count / length, length, stride, inner->type, &type);
    } else {
        bytes += stride > 0 ? random_below(state, 9) : -random_below(state, 9);
        MPI_Type_create_hvector(count / length, length, bytes, inner->type, &type);
    }
    for (int i = 0; i < count; ++i) {
        at[i] = i / length * bytes + i % length * inner->extent;
    }
    return type;
}

// A grid inside an array of two or three dimensions.
static MPI_Datatype boxed(uint64_t* state, const Shape* inner, int count, ptrdiff_t* at)
{
    MPI_Datatype type;
    int sizes[3];
    int sub[3];
    int starts[3];
    const int d = 2 + random_below(state, 2);
    int rest = count;
    for (int k = 0; k < d; ++k) {
        sub[k] = k + 1 == d ? rest : divisor(state, rest);
        rest /= sub[k];
        const int before = random_below(state, 3);
        starts[k] = before;
        sizes[k] = before + sub[k] + random_below(state, 2);
    }
    const int c_order = random_below(state, 2);
    MPI_Type_create_subarray(d, sizes, sub, starts, c_order ? MPI_ORDER_C : MPI_ORDER_FORTRAN, inner->type, &type);
    for (int i = 0; i < count; ++i) {
        int index = i;
        ptrdiff_t place = 0;
        ptrdiff_t step = inner->extent;
        for (int j = 0; j < d; ++j) {
            const int k = c_order ? d - 1 - j : j; // fastest dimension first
            place += (starts[k] + index % sub[k]) * step;
            index /= sub[k];
            step *= sizes[k];
        }
        at[i] = place;
    }
    return type;
}

// Every second element of an array that two processes share cyclically, or one half of it.
static MPI_Datatype distributed(uint64_t* state, const Shape* inner, int count, ptrdiff_t* at)
{
    MPI_Datatype type;
    const int process = random_below(state, 2);
    const int cyclic = random_below(state, 2);
    const int all = 2 * count;
    const int distribution = cyclic ? MPI_DISTRIBUTE_CYCLIC : MPI_DISTRIBUTE_BLOCK;
    const int argument = MPI_DISTRIBUTE_DFLT_DARG;
    const int processes = 2;
    MPI_Type_create_darray(2, process, 1, &all, &distribution, &argument, &processes, MPI_ORDER_C, inner->type, &type);
    for (int i = 0; i < count; ++i) {
        at[i] = (cyclic ? process + 2 * i : process * count + i) * inner->extent;
    }
    return type;
}

// Runs of elements in any order in memory: the indexed types and struct.
static MPI_Datatype scattered(uint64_t* state, const Shape* inner, int count, ptrdiff_t* at)
{
    const size_t n = (size_t)count;
    int* lengths = allocate(n * sizeof *lengths);
    int* order = allocate(n * sizeof *order);
    int* places = allocate(n * sizeof *places);
    MPI_Aint* bytes = allocate(n * sizeof *bytes);
    MPI_Datatype* types = allocate(n * sizeof *types);
    const int equal = random_below(state, 3) == 0; // runs of one length
    const int length = divisor(state, count);
    int runs = 0;
    for (int done = 0; done < count; done += lengths[runs++]) {
        lengths[runs] = equal ? length : 1 + random_below(state, count - done);
        order[runs] = runs;
        types[runs] = inner->type;
    }
    const int sorted = random_below(state, 2);
    if (!sorted) {
        shuffle(state, order, runs);
    }
    const int in_bytes = random_below(state, 2);
    int place = random_below(state, 5) - 2;
    ptrdiff_t byte = place * inner->extent;
    for (int i = 0; i < runs; ++i) {
        const int run = order[i];
        places[run] = place;
        bytes[run] = byte;
        const int gap = random_below(state, 3);
        place += lengths[run] + gap;
        byte += (lengths[run] + gap) * inner->extent + random_below(state, 6);
    }
    for (int i = 0, run = 0, first = 0; i < count; ++i) {
        if (i == first + lengths[run]) {
            first = i;
            ++run;
        }
        at[i] = (in_bytes ? bytes[run] : places[run] * inner->extent) + (i - first) * inner->extent;
    }
    MPI_Datatype type;
    if (!in_bytes) {
        if (equal) {
            MPI_Type_create_indexed_block(runs, length, places, inner->type, &type);
        } else {
            MPI_Type_indexed(runs, lengths, places, inner->type, &type);
        }
    } else if (equal) {
        MPI_Type_create_hindexed_block(runs, length, bytes, inner->type, &type);
    } else if (random_below(state, 2) == 0) {
        MPI_Type_create_hindexed(runs, lengths, bytes, inner->type, &type);
    } else {
        MPI_Type_create_struct(runs, lengths, bytes, types, &type);
    }
    free(lengths);
    free(order);
    free(places);
    free(bytes);
    free(types);
    return type;
}

static MPI_Datatype contiguous(const Shape* inner, int count, ptrdiff_t* at)
{
    MPI_Datatype type;
    MPI_Type_contiguous(count, inner->type, &type);
    for (int i = 0; i < count; ++i) {
        at[i] = i * inner->extent;
    }
    return type;
}

// Replaces the type by a duplicate, or by one with an extent of its own that leaves elements room enough.
static void wrap(uint64_t* state, Shape* shape)
{
    const int choice = random_below(state, 4);
    if (choice > 1) {
        return;
    }
    MPI_Datatype type;
    if (choice == 0) {
        MPI_Type_dup(shape->type, &type);
    } else {
        const MPI_Aint lower = shape->low - random_below(state, 10);
        const MPI_Aint extent = shape->high - shape->low + random_below(state, 20);
        MPI_Type_create_resized(shape->type, lower, extent > 0 ? extent : 1, &type);
    }
    if (!shape->predefined) {
        MPI_Type_free(&shape->type);
    }
    shape->type = type;
    shape->predefined = 0;
    *shape = finish(*shape);
}

static Shape build(uint64_t* state, int unit, int units, int depth)
{
    if (units == 1 && random_below(state, 2) == 0) {
        Shape shape = one_unit(unit);
        wrap(state, &shape);
        return shape;
    }
    const int inside = depth > 0 && units > 0 ? divisor(state, units) : 1;
    Shape inner = inside > 1 ? build(state, unit, inside, depth - 1) : one_unit(unit);
    const int count = units / inside;
    ptrdiff_t* at = allocate((size_t)count * sizeof *at);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    switch (count == 0 ? 0 : random_below(state, 8)) {
    case 0:
        type = contiguous(&inner, count, at);
        break;
    case 1:
    case 2:
        type = strided(state, &inner, count, at);
        break;
    case 3:
    case 4:
        type = boxed(state, &inner, count, at);
        break;
    case 5:
        type = distributed(state, &inner, count, at);
        break;
    default:
        type = scattered(state, &inner, count, at);
    }
    Shape shape = placed(&inner, count, at);
    shape.type = type;
    shape = finish(shape);
    free(at);
    free_shape(&inner);
    if (count > 0) {
        wrap(state, &shape);
    }
    return shape;
}

// A column of an array: elements follow one another at every unit, between each other's data.
static Shape column(uint64_t* state, int unit, int units, int most_count)
{
    Shape inner = one_unit(unit);
    const int stride = most_count + random_below(state, 3);
    ptrdiff_t* at = allocate((size_t)units * sizeof *at);
    for (int i = 0; i < units; ++i) {
        at[i] = i * stride * inner.extent;
    }
    Shape shape = placed(&inner, units, at);
    MPI_Datatype raw;
    MPI_Type_vector(units, 1, stride, inner.type, &raw);
    MPI_Type_create_resized(raw, 0, inner.extent, &shape.type);
    MPI_Type_free(&raw);
    free(at);
    free_shape(&inner);
    return finish(shape);
}

// Without any gap.
static Shape dense(int unit, int units)
{
    Shape inner = one_unit(unit);
    ptrdiff_t* at = allocate((size_t)units * sizeof *at);
    MPI_Datatype type = contiguous(&inner, units, at);
    Shape shape = placed(&inner, units, at);
    shape.type = type;
    shape = finish(shape);
    free(at);
    free_shape(&inner);
    return shape;
}

Shape make_shape(uint64_t* state, int unit, int units, int most_count)
{
    const ptrdiff_t most_bytes = 4 << 20;
    Shape shape;
    const int choice = random_below(state, 8);
    if (units == 1 && choice < 4) {
        shape = one_unit(unit);
    } else if (units > 1 && most_count > 0 && most_count < 1000 && choice == 0) {
        shape = column(state, unit, units, most_count);
    } else {
        shape = build(state, unit, units, 2);
        if (units > 0 && shape.extent > most_bytes / (most_count > 0 ? most_count : 1)) {
            free_shape(&shape); // gaps within gaps are too much for large blocks
            shape = dense(unit, units);
        }
    }
    if (!shape.predefined) {
        MPI_Type_commit(&shape.type);
    }
    return shape;
}
