// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Proves handles of the program before we look at them, unheard by the program's error handlers.
#include "shim/group/proof.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <atomic>

namespace hopscotch::shim
{

namespace
{

std::atomic<bool> is_made{false};

/// MPI_COMM_NULL after the end.
MPI_Comm& own()
{
    static MPI_Comm comm = [] {
        is_made = true;
        MPI_Comm made = MPI_COMM_NULL;
        check(next.Comm_split(MPI_COMM_SELF, 0, 0, &made)); // a duplicate would have the program's attributes
        check(next.Comm_set_errhandler(made, MPI_ERRORS_RETURN));
        return made;
    }();
    return comm;
}

} // namespace

void begin_proofs()
{
    own();
}

void end_proofs() noexcept
{
    if (is_made && own() != MPI_COMM_NULL)
        next.Comm_free(&own());
}

/// A message to nobody.
bool is_usable(MPI_Datatype type)
{
    const MPI_Comm comm = own();
    const char nothing = 0;
    return comm == MPI_COMM_NULL || next.Send(&nothing, 1, type, MPI_PROC_NULL, 0, comm) == MPI_SUCCESS;
}

/// A reduction of no values.
bool is_usable(MPI_Op op, MPI_Datatype type)
{
    const MPI_Comm comm = own();
    const char nothing = 0;
    char result = 0;
    return comm == MPI_COMM_NULL || next.Allreduce(&nothing, &result, 0, type, op, comm) == MPI_SUCCESS;
}

} // namespace hopscotch::shim
