// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Raises errors of ours as the MPI library raises its own.
#include "shim/mpi/mpi_error.hpp"

#include "shim/base/log.hpp"

#include <cstdio>

namespace hopscotch::shim
{

namespace
{

bool is_fatal(MPI_Comm comm)
{
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (next.MPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS)
        return false;
    const bool fatal = handler == MPI_ERRORS_ARE_FATAL;
    next.MPI_Errhandler_free(&handler);
    return fatal;
}

} // namespace

/// MPICH up to 4.0 raises errors of a communicator without an explicit handler on MPI_COMM_WORLD.
void raise_error(MPI_Comm comm, const char* function, int code)
{
    if (is_fatal(comm) && is_fatal(MPI_COMM_WORLD)) {
        char text[MPI_MAX_ERROR_STRING] = "";
        char line[sizeof text + 200];
        int length = 0;
        next.MPI_Error_string(code, text, &length);
        std::snprintf(line, sizeof line, "%s fails, and errors are fatal: %s", function, text);
        log(LogLevel::error, line);
    }
    next.MPI_Comm_call_errhandler(comm, code);
}

} // namespace hopscotch::shim
