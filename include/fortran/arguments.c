// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "include/fortran/arguments.h"

#include <stdlib.h>
#include <string.h>

// ---- buffers

// By hand: CFI_is_contiguous of some compilers takes a section that runs backwards for contiguous.
static int is_contiguous(const CFI_cdesc_t* actual)
{
    CFI_index_t stride = (CFI_index_t)actual->elem_len;
    for (int i = 0; i < actual->rank; ++i) {
        if (actual->dim[i].extent < 0) // an array of assumed size
            return 1;
        if (actual->dim[i].extent > 1 && actual->dim[i].sm != stride)
            return 0;
        stride *= actual->dim[i].extent;
    }
    return 1;
}

static size_t elements_of(const CFI_cdesc_t* section)
{
    size_t elements = 1;
    for (int i = 0; i < section->rank; ++i)
        elements *= (size_t)section->dim[i].extent;
    return elements;
}

/// Between a section and contiguous memory, element by element in array order.
static void copy_section(const CFI_cdesc_t* section, char* contiguous, int to_section)
{
    CFI_index_t index[CFI_MAX_RANK] = {0};
    const size_t elements = elements_of(section);
    for (size_t element = 0; element < elements; ++element) {
        char* place = section->base_addr;
        for (int i = 0; i < section->rank; ++i)
            place += index[i] * section->dim[i].sm;
        if (to_section)
            memcpy(place, contiguous, section->elem_len);
        else
            memcpy(contiguous, place, section->elem_len);
        contiguous += section->elem_len;
        for (int i = 0; i < section->rank && ++index[i] == section->dim[i].extent; ++i)
            index[i] = 0;
    }
}

int open_buffer(struct Buffer* buffer, const CFI_cdesc_t* actual, enum Use use, const struct Constants* constants)
{
    *buffer = (struct Buffer){actual->base_addr, NULL, actual, use};
    if (actual->base_addr == constants->in_place->base_addr)
        buffer->address = MPI_IN_PLACE;
    else if (actual->base_addr == constants->bottom->base_addr)
        buffer->address = MPI_BOTTOM;
    else if (actual->base_addr == constants->unweighted->base_addr)
        buffer->address = MPI_UNWEIGHTED;
    else if (actual->base_addr != NULL && !is_contiguous(actual)) {
        if (use == buffer_kept)
            return MPI_ERR_BUFFER;
        buffer->copy = malloc(elements_of(actual) * actual->elem_len + 1);
        if (buffer->copy == NULL)
            return MPI_ERR_NO_MEM;
        copy_section(actual, buffer->copy, 0);
        buffer->address = buffer->copy;
    }
    return MPI_SUCCESS;
}

void close_buffer(struct Buffer* buffer)
{
    if (buffer->copy != NULL && buffer->use == buffer_in_out)
        copy_section(buffer->section, buffer->copy, 1);
    free(buffer->copy);
}

// ---- datatypes

int blocks_of_neighborhood(MPI_Comm comm, enum Direction direction)
{
    int blocks = 0;
    (void)direction;
    return Hop_Cart_neighbor_count(comm, &blocks) == MPI_SUCCESS ? blocks : 0;
}

int blocks_of_topology(MPI_Comm comm, enum Direction direction)
{
    int topology = MPI_UNDEFINED, is_between_groups = 0, rank = 0, sources = 0, targets = 0, weighted = 0;
    if (comm == MPI_COMM_NULL || MPI_Topo_test(comm, &topology) != MPI_SUCCESS)
        return 0;
    if (topology == MPI_CART && Hop_Cart_neighbor_count(comm, &targets) == MPI_SUCCESS) {
        sources = targets;
    } else if (topology == MPI_DIST_GRAPH) {
        MPI_Dist_graph_neighbors_count(comm, &sources, &targets, &weighted);
    } else if (topology == MPI_GRAPH) {
        MPI_Comm_rank(comm, &rank);
        MPI_Graph_neighbors_count(comm, rank, &targets);
        sources = targets;
    } else {
        MPI_Comm_test_inter(comm, &is_between_groups);
        if (is_between_groups)
            MPI_Comm_remote_size(comm, &targets);
        else
            MPI_Comm_size(comm, &targets);
        sources = targets;
    }
    return direction == sends ? targets : sources;
}

int open_datatypes(MPI_Datatype** datatypes, const MPI_Fint handles[], int blocks)
{
    *datatypes = malloc((size_t)(blocks + 1) * sizeof(MPI_Datatype));
    if (*datatypes == NULL)
        return MPI_ERR_NO_MEM;
    for (int i = 0; i < blocks; ++i)
        (*datatypes)[i] = MPI_Type_f2c(handles[i]);
    return MPI_SUCCESS;
}

int hop_fortran_named_dimensions(MPI_Fint comm)
{
    int flag = 0, dimensions = 0, size = 0;
    const int code = Hop_Cart_test(MPI_Comm_f2c(comm), &flag, &dimensions, &size);
    return code == MPI_SUCCESS && flag ? dimensions : 0;
}
