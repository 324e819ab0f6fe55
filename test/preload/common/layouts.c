// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Datatypes with gaps, see layouts.h.
#include "layouts.h"

#include <stdlib.h>
#include <string.h>

static const char* const names[layout_kinds] = {"byte",     "int",    "double",   "vector",   "resized",
                                                "negative", "struct", "gathered", "scattered"};

const char* layout_name(int kind)
{
    return kind < layout_kinds ? names[kind] : NULL;
}

static void add_bytes(Layout* layout, ptrdiff_t displacement, int count)
{
    for (int i = 0; i < count; ++i) {
        layout->displacement[layout->bytes++] = displacement + i;
    }
}

static Layout finish(Layout layout, const char* name)
{
    MPI_Aint lower;
    MPI_Aint extent;
    MPI_Type_get_extent(layout.type, &lower, &extent);
    layout.extent = extent;
    layout.name = name;
    if (!layout.predefined) {
        MPI_Type_commit(&layout.type);
    }
    return layout;
}

static Layout plain(MPI_Datatype type, int size, const char* name)
{
    Layout layout = {.type = type, .predefined = 1};
    add_bytes(&layout, 0, size);
    return finish(layout, name);
}

// Six ints in memory as 2 of 5, three times: extent 12 ints, two gaps inside.
static Layout vector_of_int(const char* name)
{
    Layout layout = {0};
    MPI_Type_vector(3, 2, 5, MPI_INT, &layout.type);
    for (int i = 0; i < 3; ++i) {
        add_bytes(&layout, i * 20, 8);
    }
    return finish(layout, name);
}

static Layout resized_int(MPI_Aint lower, MPI_Aint extent, const char* name)
{
    Layout layout = {0};
    MPI_Type_create_resized(MPI_INT, lower, extent, &layout.type);
    add_bytes(&layout, 0, 4);
    return finish(layout, name);
}

// char, double, int and three shorts, out of order and with gaps.
static Layout structure(const char* name)
{
    Layout layout = {0};
    const int lengths[4] = {1, 1, 1, 3};
    const MPI_Aint displacements[4] = {5, 24, 8, 16};
    const MPI_Datatype types[4] = {MPI_CHAR, MPI_DOUBLE, MPI_INT, MPI_SHORT};
    MPI_Datatype raw;
    MPI_Type_create_struct(4, lengths, displacements, types, &raw);
    MPI_Type_create_resized(raw, 0, 40, &layout.type);
    MPI_Type_free(&raw);
    add_bytes(&layout, 5, 1);
    add_bytes(&layout, 24, 8);
    add_bytes(&layout, 8, 4);
    add_bytes(&layout, 16, 6);
    return finish(layout, name);
}

void make_layouts(int kind, Layout* send, Layout* receive, int* send_elements, int* receive_elements)
{
    const char* name = names[kind];
    *send_elements = 1;
    *receive_elements = 1;
    Layout (*same)(const char*) = NULL;
    if (strcmp(name, "byte") == 0) {
        *send = plain(MPI_BYTE, 1, name);
        *receive = plain(MPI_BYTE, 1, name);
    } else if (strcmp(name, "int") == 0) {
        *send = plain(MPI_INT, 4, name);
        *receive = plain(MPI_INT, 4, name);
    } else if (strcmp(name, "double") == 0) {
        *send = plain(MPI_DOUBLE, 8, name);
        *receive = plain(MPI_DOUBLE, 8, name);
    } else if (strcmp(name, "vector") == 0) {
        same = vector_of_int;
    } else if (strcmp(name, "struct") == 0) {
        same = structure;
    } else if (strcmp(name, "resized") == 0) {
        *send = resized_int(0, 12, name);
        *receive = resized_int(0, 12, name);
    } else if (strcmp(name, "negative") == 0) {
        *send = resized_int(-8, 16, name);
        *receive = resized_int(-4, 20, name);
    } else if (strcmp(name, "gathered") == 0) {
        *send = vector_of_int(name);
        *receive = plain(MPI_INT, 4, name);
        *receive_elements = 6;
    } else {
        *send = plain(MPI_INT, 4, name);
        *receive = vector_of_int(name);
        *send_elements = 6;
    }
    if (same != NULL) {
        *send = same(name);
        *receive = same(name);
    }
}

void free_layout(Layout* layout)
{
    if (!layout->predefined) {
        MPI_Type_free(&layout->type);
    }
}
