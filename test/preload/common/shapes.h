// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Random datatypes with a given signature, and the place of each byte of their data in memory.
#ifndef SHAPES_H
#define SHAPES_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

// The units of signatures: MPI_BYTE, MPI_INT, MPI_DOUBLE, a char, a double, an int and three shorts, or MPI_DOUBLE_INT,
// whose gap only the library knows.
enum { unit_kinds = 5 };

// One element: `bytes` data bytes at displacement[] in the order MPI sends them, repeated every `extent` bytes.
typedef struct {
    MPI_Datatype type;
    int predefined;
    size_t bytes;
    ptrdiff_t* displacement;
    ptrdiff_t extent;
    ptrdiff_t low; // all data bytes of one element are in [low, high)
    ptrdiff_t high;
} Shape;

int unit_bytes(int unit);

// A random shape of `units` units; without overlap if up to `most_count` elements follow one another.
Shape make_shape(uint64_t* state, int unit, int units, int most_count);

void free_shape(Shape* shape);

// Memory, or the end of the program.
void* allocate(size_t bytes);

#endif
