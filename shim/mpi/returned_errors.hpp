// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets errors of our requests come back as codes, whatever the error handlers of the program say.
#pragma once

#include "shim/base/immortal.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <mutex>

namespace hopscotch::shim
{

/// MPICH raises an error of a completion call (MPI_Testall, MPI_Test) not on the message's communicator, but up
/// to 4.0.2 on MPI_COMM_WORLD and later on MPI_COMM_SELF, so that a message that is too long would end the program
/// although the user's communicator returns errors. While this object lives, both return errors. For the time of one
/// completion call of ours, in which no function of the program is called. Open MPI asks the message's communicator.
/// One thread may hold several, since the MPI library drives other operations of ours from within a completion call.
/// Cost: two handlers are set and put back.
class ReturnedErrors
{
  public:
#ifndef OPEN_MPI
    ReturnedErrors() : lock_(immortal<OneAtATime>().mutex), world_(MPI_COMM_WORLD), self_(MPI_COMM_SELF) {}
    ReturnedErrors(const ReturnedErrors&) = delete;
    ReturnedErrors& operator=(const ReturnedErrors&) = delete;

  private:
    struct OneAtATime {
        std::recursive_mutex mutex;
    };

    std::lock_guard<std::recursive_mutex> lock_;
    ReturningErrors world_;
    ReturningErrors self_;
#else
    ReturnedErrors() {}
#endif
};

} // namespace hopscotch::shim
