// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The hook by which MPI_Allgather goes to neighbors.
#pragma once

#include "shim/mpi/calls.hpp"
#include "shim/mpi/next.hpp"

namespace hopscotch::shim
{

/// The implementation of MPI_Allgather under HOPSCOTCH_SEMANTICS=orthogonal.
struct OrthogonalAllgather {
    bool (*takes)(Call call, MPI_Comm comm); // true if the call goes to neighbors
    decltype(::MPI_Allgather)* plain;
    decltype(::MPI_Allgather_c)* large;
};
extern const OrthogonalAllgather orthogonal_allgather; // hop/orthogonal_call.cpp has it

} // namespace hopscotch::shim
