// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the neighborhood that a Cartesian communicator of Hop_Cart_neighborhood_create carries, and carries collectives
// in it.
#pragma once

#include "shim/hop/reducer.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// Kept as an attribute of the Cartesian communicator, and copied to its duplicates.
class CartesianNeighborhood
{
  public:
    /// `shifts`: t*d as the program gave them. `weights`: t, or empty for none. Local.
    CartesianNeighborhood(MPI_Comm cart, schedules::Topology topology, std::vector<int> shifts,
                          std::vector<int> weights);

    int dimensions() const noexcept { return graph_.topology.dimensions(); }
    int count() const noexcept { return static_cast<int>(graph_.edges.sources.size()); }
    const std::vector<int>& shifts() const noexcept { return shifts_; }
    const std::vector<int>& weights() const noexcept { return weights_; }
    const schedules::Edges& edges() const noexcept { return graph_.edges; }

    /// Sets the algorithms requested for it, and `one_by_one` if one neighbor comes after the other. Before the first
    /// call.
    void choose(std::optional<Algorithms> algorithms, bool one_by_one)
    {
        graph_.algorithms = algorithms;
        one_by_one_ = one_by_one;
    }
    bool one_by_one() const noexcept { return one_by_one_; }

    /// Sets the text of reports about its ranks. Before the first call.
    void set_reorder(std::string words) { graph_.reorder = std::move(words); }

    /// The neighborhood that carries its calls; made by the first call. Collective: over cart, the communicator this
    /// belongs to.
    HopNeighborhood& carrier(MPI_Comm cart);

    /// Reductions over it; made by the first. Collective: as carrier.
    Reducer& reducer(MPI_Comm cart);

    /// The record of the carrier; null before the first call, and if the library is not active.
    Communicator* record() const noexcept { return carrier_ != nullptr ? carrier_->record() : nullptr; }

    /// For a duplicate: everything but the carrier.
    std::unique_ptr<CartesianNeighborhood> copy() const;

  private:
    CartesianNeighborhood() = default;

    Graph graph_;
    std::vector<int> shifts_;
    schedules::Stencil stencil_; // canonical, in list order
    std::vector<int> weights_;
    bool one_by_one_ = false;
    std::unique_ptr<HopNeighborhood> carrier_;
    std::unique_ptr<Reducer> reducer_;
};

/// The neighborhood of a communicator. Throws: Refused{MPI_ERR_TOPOLOGY} if there is none.
CartesianNeighborhood& neighborhood_of(MPI_Comm cart);

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
