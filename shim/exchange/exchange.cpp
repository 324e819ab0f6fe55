// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A collective in flight: an object that advances on request, until it is complete. The MPI library carries some.
#include "shim/exchange/exchange.hpp"

#include "shim/base/log.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <cstdio>

namespace hopscotch::shim
{

void Exchange::fail_for_sizes(std::size_t sent_bytes, std::size_t received_bytes) noexcept
{
    fail(MPI_ERR_TRUNCATE);
    static std::atomic<bool> told{false};
    if (told.exchange(true))
        return;
    char line[200];
    std::snprintf(line, sizeof line,
                  "blocks of %zu bytes are sent and of %zu received in one call, which fails (MPI 4.0, 8.6: in "
                  "MPI_Neighbor_alltoall all blocks have the same size); merged and trivial carry it",
                  sent_bytes, received_bytes);
    log(LogLevel::warn, line);
}

void Exchange::idle(bool yields)
{
    if (yields)
        give_way();
}

LibraryExchange::~LibraryExchange()
{
    if (persistent_ && request_ != MPI_REQUEST_NULL && mpi_goes_on())
        next.MPI_Request_free(&request_);
}

void LibraryExchange::begin(const BlockLayout&, const BlockLayout&)
{
    start_counting();
    if (persistent_)
        check(next.MPI_Start(&request_));
}

bool LibraryExchange::advance()
{
    const ReturnedErrors returned;
    int flag = 0;
    const int code = next.MPI_Test(&request_, &flag, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && flag == 0)
        return false;
    fail(code);
    count(each_);
    return true;
}

void LibraryCall::begin(const BlockLayout&, const BlockLayout&)
{
    start_counting();
    called_ = false;
}

bool LibraryCall::advance()
{
    if (!std::exchange(called_, true))
        fail(function_());
    return true;
}

void idle_in_flight(Exchange& exchange, bool yields)
{
    if (!several_threads())
        return exchange.idle(yields);
    {
        const std::unique_lock<std::mutex> lock = try_to_hold_operations();
        if (lock.owns_lock())
            exchange.idle(false); // asleep it would keep the others from advancing theirs
    }
    if (yields)
        give_way();
}

} // namespace hopscotch::shim
