// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's handles of predefined objects are addresses of data in its library. Referring to that data by name would
// keep this library from loading into a program without MPI, so the addresses are found like functions, at run time.
// Included by next.hpp after Open MPI's mpi.h.
#pragma once

/// The predefined objects the shim uses.
#define HOPSCOTCH_OPENMPI_OBJECTS(OBJECT)                                                                              \
    OBJECT(ompi_mpi_comm_world)                                                                                        \
    OBJECT(ompi_mpi_comm_self)                                                                                         \
    OBJECT(ompi_mpi_comm_null)                                                                                         \
    OBJECT(ompi_mpi_group_null)                                                                                        \
    OBJECT(ompi_mpi_group_empty)                                                                                       \
    OBJECT(ompi_request_null)                                                                                          \
    OBJECT(ompi_mpi_info_null)                                                                                         \
    OBJECT(ompi_mpi_win_null)                                                                                          \
    OBJECT(ompi_mpi_errhandler_null)                                                                                   \
    OBJECT(ompi_mpi_errors_return)                                                                                     \
    OBJECT(ompi_mpi_errors_are_fatal)                                                                                  \
    OBJECT(ompi_mpi_datatype_null)                                                                                     \
    OBJECT(ompi_mpi_byte)                                                                                              \
    OBJECT(ompi_mpi_char)                                                                                              \
    OBJECT(ompi_mpi_int)                                                                                               \
    OBJECT(ompi_mpi_int64_t)                                                                                           \
    OBJECT(ompi_mpi_uint64_t)                                                                                          \
    OBJECT(ompi_mpi_double)                                                                                            \
    OBJECT(ompi_mpi_double_int)                                                                                        \
    OBJECT(ompi_mpi_op_null)                                                                                           \
    OBJECT(ompi_mpi_op_max)                                                                                            \
    OBJECT(ompi_mpi_op_min)                                                                                            \
    OBJECT(ompi_mpi_op_sum)                                                                                            \
    OBJECT(ompi_mpi_op_band)                                                                                           \
    OBJECT(ompi_mpi_op_bor)

namespace hopscotch::shim
{

struct OpenMpiObjects {
#define OBJECT(name) void* name;
    HOPSCOTCH_OPENMPI_OBJECTS(OBJECT)
#undef OBJECT
};

/// Filled together with `next`; all null in a process with another MPI library.
extern OpenMpiObjects open_mpi;

} // namespace hopscotch::shim

// The expansion of MPI_COMM_WORLD, MPI_INT ...
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) (static_cast<type>(::hopscotch::shim::open_mpi.global))
