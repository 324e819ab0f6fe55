// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Datatypes for the comparing programs, with and without gaps, and the place of each byte of their data in memory.
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <mpi.h>
#include <stddef.h>

enum { most_bytes = 64 };

// One element: `bytes` data bytes at `displacement[]` (in the order MPI sends them), repeated every `extent` bytes.
typedef struct {
    const char* name;
    MPI_Datatype type;
    int bytes;
    ptrdiff_t displacement[most_bytes];
    ptrdiff_t extent;
    int predefined;
} Layout;

enum { layout_kinds = 9 };

// Name of a kind of layout; NULL beyond the last.
const char* layout_name(int kind);

// A pair of layouts with equal type signatures, so that `*send_elements` of the first travel as `*receive_elements` of
// the second. For most kinds both are the same. The caller frees both.
void make_layouts(int kind, Layout* send, Layout* receive, int* send_elements, int* receive_elements);

void free_layout(Layout* layout);

#endif
