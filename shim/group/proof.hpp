// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Proves handles of the program before we look at them, unheard by the program's error handlers.
#pragma once

#include "shim/mpi/next.hpp"

namespace hopscotch::shim
{

// An inquiry about a type or an operator has no communicator: the MPI library raises its error on MPI_COMM_WORLD or
// MPI_COMM_SELF, and a handler of the program there may end the job. So such a handle first takes part in a call
// without effect on a private communicator, which returns errors. Local. Cost: as that call.

/// From now on all handles pass.
void end_proofs() noexcept;

/// True if messages can be made of the type: a committed one.
bool is_usable(MPI_Datatype type);

/// True if a reduction takes the operator with this type.
bool is_usable(MPI_Op op, MPI_Datatype type);

} // namespace hopscotch::shim
