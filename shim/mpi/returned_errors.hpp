// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets errors of our requests come back as codes, whatever the error handlers of the program say.
#pragma once

#include "shim/mpi/next.hpp"

#include <mutex>

namespace hopscotch::shim
{

/// MPICH raises an error of a completion call (MPI_Testall, MPI_Test) not on the message's communicator, but up
/// to 4.0.2 on MPI_COMM_WORLD and later on MPI_COMM_SELF, so that a message that is too long would end the program
/// although the user's communicator returns errors. While this object lives, both return errors. For the time of one
/// completion call of ours, in which no function of the program is called. Open MPI asks the message's communicator.
/// One thread may hold several, since the MPI library drives other operations of ours from within a completion call.
/// Cost: some 40 ns.
class ReturnedErrors
{
  public:
#ifdef MPICH_VERSION
    ReturnedErrors() : lock_(mutex()), world_(MPI_COMM_WORLD), self_(MPI_COMM_SELF) {}
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;

  private:
    /// Of one communicator.
    class Handler
    {
      public:
        explicit Handler(MPI_Comm comm) : comm_(comm)
        {
            set_ = next.Comm_get_errhandler(comm_, &handler_) == MPI_SUCCESS && handler_ != MPI_ERRORS_RETURN;
            if (set_)
                next.Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
        }
        ~Handler()
        {
            if (set_)
                next.Comm_set_errhandler(comm_, handler_);
            if (handler_ != MPI_ERRHANDLER_NULL && handler_ != MPI_ERRORS_RETURN && handler_ != MPI_ERRORS_ARE_FATAL)
                next.Errhandler_free(&handler_);
        }
        Handler(const Handler&) = delete;
        Handler& operator=(const Handler&) = delete;

      private:
        MPI_Comm comm_;
        MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
        bool set_ = false;
    };

    static std::recursive_mutex& mutex()
    {
        static auto* one =
            new std::recursive_mutex; // never destroyed: MPI may be called after our destructors would run
        return *one;
    }

    std::lock_guard<std::recursive_mutex> lock_;
    Handler world_;
    Handler self_;
#else
    ReturnedErrors() {}
#endif
};

} // namespace hopscotch::shim
