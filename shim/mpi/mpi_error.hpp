// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Throws MPI error codes as exceptions inside the shim; the wrappers turn them back into codes.
#pragma once

#include "shim/mpi/next.hpp"

namespace hopscotch::shim
{

/// An MPI call of ours failed, or the user's buffers do not fit what arrived.
struct MpiError {
    int code;
};

/// The program passes what the MPI library rejects. Thrown before anything is decided or sent, so that the library can
/// still be asked, which answers as it always does.
struct WrongArgument : MpiError {
};

/// Throws: WrongArgument unless `right`.
inline void demand_argument(bool right, int error_class)
{
    if (!right)
        throw WrongArgument{{error_class}};
}

/// Throws: MpiError unless code is MPI_SUCCESS.
inline void check(int code)
{
    if (code != MPI_SUCCESS)
        throw MpiError{code};
}

/// Makes a communicator return errors while this lives, then gives it its handler back.
class ReturningErrors
{
  public:
    explicit ReturningErrors(MPI_Comm comm) : comm_(comm)
    {
        check(next.Comm_get_errhandler(comm, &handler_));
        check(next.Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    }
    ReturningErrors(const ReturningErrors&) = delete;
    ReturningErrors& operator=(const ReturningErrors&) = delete;
    ~ReturningErrors()
    {
        next.Comm_set_errhandler(comm_, handler_);
        next.Errhandler_free(&handler_);
    }

  private:
    MPI_Comm comm_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

} // namespace hopscotch::shim
