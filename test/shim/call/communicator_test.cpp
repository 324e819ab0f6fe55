// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The error handler of a freed communicator sees the errors of its requests, and none of other graphs.
#include "shim/call/communicator.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

int handled = 0;

void count_error(MPI_Comm*, int*, ...)
{
    ++handled;
}

} // namespace

TEST_CASE("After an error on a freed communicator the private communicator of all graphs returns errors again")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(random_job(random));
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    check(MPI_Comm_create_errhandler(count_error, &handler));
    check(MPI_Comm_set_errhandler(comm.get(), handler));
    check(MPI_Errhandler_free(&handler));
    Communicator record(comm.get(), detect(comm.get()), Settings(), 0);
    record.note_freed(comm.get());
    CHECK(record.is_freed());
    if (record.group() == nullptr)
        return;
    handled = 0;
    record.raise_after_free("MPI_Wait", MPI_ERR_TRUNCATE);
    CHECK(handled == 1);
    check(MPI_Comm_get_errhandler(record.group()->communicator(), &handler));
    CHECK(handler == MPI_ERRORS_RETURN);
}
