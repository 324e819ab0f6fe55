// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// MPI_Op_free: an operator that a reduction still uses is freed later.
#include "shim/interpose/intercept.hpp"
#include "shim/reduction/held_operators.hpp"

using namespace hopscotch::shim;

HOPSCOTCH_WRAP(MPI_Op_free, (MPI_Op * op), (op))
{
    return free_operator(op);
}
