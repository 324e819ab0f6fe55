// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/proof.hpp"

#include "shim/group/own_world.hpp"

#include <atomic>

namespace hopscotch::shim
{

namespace
{

std::atomic<bool> is_made{false};
std::atomic<bool> is_over{false};

/// MPI_COMM_NULL after the end, or if the library has none left: then all handles pass.
MPI_Comm alone()
{
    if (is_over)
        return MPI_COMM_NULL;
    static const MPI_Comm comm = [] {
        is_made = true;
        return make_alone();
    }();
    return comm;
}

} // namespace

void end_proofs() noexcept
{
    MPI_Comm comm = is_made ? alone() : MPI_COMM_NULL;
    is_over = true;
    if (comm != MPI_COMM_NULL)
        next.MPI_Comm_free(&comm);
}

/// A message to nobody.
bool is_usable(MPI_Datatype type)
{
    const MPI_Comm comm = own_world() != MPI_COMM_NULL ? own_world() : alone();
    const char nothing = 0;
    return comm == MPI_COMM_NULL || next.MPI_Send(&nothing, 1, type, MPI_PROC_NULL, 0, comm) == MPI_SUCCESS;
}

/// A reduction of no values.
bool is_usable(MPI_Op op, MPI_Datatype type)
{
    const MPI_Comm comm = alone();
    const char nothing = 0;
    char result = 0;
    return comm == MPI_COMM_NULL || next.MPI_Allreduce(&nothing, &result, 0, type, op, comm) == MPI_SUCCESS;
}

} // namespace hopscotch::shim
