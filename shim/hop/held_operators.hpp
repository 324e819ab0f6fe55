// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Keeps operators of reductions that complete later: the program may free them as soon as such a call has returned.
#pragma once

#include "shim/mpi/next.hpp"

#include <memory>

namespace hopscotch::shim
{

/// While the value lives, the program's MPI_Op_free of the operator is put off. Throws: std::bad_alloc.
std::shared_ptr<const void> hold_operator(MPI_Op op);

/// MPI_Op_free, at once or after the last holder has released the operator.
int free_operator(MPI_Op* op);

} // namespace hopscotch::shim
