// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments of a Fortran program as the C functions take them: choice buffers and arrays of datatype handles. For the
// generated calls.
#pragma once

#include <hopscotch.h>

#include <ISO_Fortran_binding.h>

#include <stdlib.h>

/// Constants of the Fortran module that have a special meaning as a buffer; recognized by address.
struct Constants {
    const CFI_cdesc_t* in_place;
    const CFI_cdesc_t* bottom;
    const CFI_cdesc_t* unweighted;
};

/// The treatment of a section that is not contiguous.
enum Use {
    buffer_in,     ///< a copy of it is read
    buffer_in_out, ///< a copy of it is read and written, and copied back
    buffer_kept    ///< refused: the memory is in use after the call
};

struct Buffer {
    void* address; ///< for the C function
    void* copy;    ///< copy of a section, or null
    const CFI_cdesc_t* section;
    enum Use use;
};

/// Sets buffer->address. Errors: MPI_ERR_BUFFER for a section that is not contiguous but would be kept; MPI_ERR_NO_MEM.
int open_buffer(struct Buffer* buffer, const CFI_cdesc_t* actual, enum Use use, const struct Constants* constants);

/// Copies the written data back, and frees the copy.
void close_buffer(struct Buffer* buffer);

enum Direction { sends, receives };

/// Number of datatypes that a w function takes on a communicator: of a Cartesian neighborhood, or of a collective that
/// follows the topology. 0 if the function will refuse the communicator.
int blocks_of_neighborhood(MPI_Comm comm, enum Direction direction);
int blocks_of_topology(MPI_Comm comm, enum Direction direction);

/// Datatypes from their Fortran handles, to be freed. Errors: MPI_ERR_NO_MEM.
int open_datatypes(MPI_Datatype** datatypes, const MPI_Fint handles[], int blocks);

/// Dimensions of a named communicator, 0 without a name: the length of arguments of a later call.
int hop_fortran_named_dimensions(MPI_Fint comm);
