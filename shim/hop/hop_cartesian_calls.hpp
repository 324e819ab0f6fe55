// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries the collectives of the 2019 paper on Cartesian neighborhoods in all forms: blocking, nonblocking, persistent,
// with int and with large counts.
#pragma once

#include "shim/call/neighborhood_call.hpp"
#include "shim/hop/hop_cartesian.hpp"
#include "shim/mpi/mpi_error.hpp"

namespace hopscotch::shim
{

/// Prepares everything for the first call of the collective.
inline void prepare(Collective collective, Communicator* record)
{
    if (record == nullptr)
        return;
    record->set_up_for_good();
    record->selection().entry(call_of(collective), collective, Completion::blocking, {});
}

/// A collective in the form asked for. `function`: the one that the program calls.
template <class Buffers>
int cart_collective(MPI_Comm cart, const CallForm& call_form, const Buffers& buffers,
                    const char* function = __builtin_FUNCTION())
{
    const auto body = [&] {
        CartesianNeighborhood& neighborhood = neighborhood_of(cart);
        buffers.demand_right(neighborhood.edges());
        demand_request(call_form);
        HopNeighborhood& carrier = neighborhood.carrier(cart);
        if (call_form.prepares)
            prepare(Buffers::collective, neighborhood.one_by_one() ? nullptr : carrier.record());
        else if (neighborhood.one_by_one() && !call_form.later())
            check(leave_to_library(call_of(Buffers::collective), carrier.comm(), schedules::reason::blocking_by_key,
                                   [&] { return carrier.one_by_one(buffers); }));
        else
            carrier.call(call_form, cart, buffers);
    };
    return bordered(cart, body, function);
}

} // namespace hopscotch::shim
