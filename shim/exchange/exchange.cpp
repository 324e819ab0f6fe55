// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A collective in flight: an object that advances on request, until it is complete.
#include "shim/exchange/exchange.hpp"

#include "shim/base/log.hpp"

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
