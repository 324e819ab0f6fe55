// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces over one neighborhood: values are combined on their way, or exchanged and combined at their destination.
#pragma once

#include "shim/exchange/reduction_exchange.hpp"
#include "shim/hop/exchanged_values.hpp"
#include "shim/hop/hop_neighborhood.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// Kept with the neighborhood.
class Reducer
{
  public:
    /// `stencil`: canonical, in the order of the lists if there are reductions with individual blocks. Used only if the
    /// neighborhood is isomorphic. All must live as long.
    Reducer(HopNeighborhood& neighborhood, const schedules::Topology& topology, const schedules::Stencil& stencil);

    /// By the process grid and the stencil that explain the record of the neighborhood, which must live as long.
    explicit Reducer(HopNeighborhood& neighborhood);

    /// Reduces over the sources, those that are no_rank left out. `call`: the function that is counted if values are
    /// combined on their way; otherwise the exchange is counted. Collective: over `user`, the program's communicator.
    /// Throws: Refused for arguments, MpiError, std::bad_alloc.
    /// Blocks::common: MPI_IN_PLACE may stand for the send buffer.
    void reduce(Call call, schedules::Blocks blocks, ReduceArguments arguments, const CallForm& call_form,
                MPI_Comm user);

  private:
    bool combines_on_the_way(schedules::Blocks blocks, MPI_Op op, Completion completion);
    const schedules::Topology& topology() const noexcept;
    const schedules::Stencil& stencil() const noexcept;
    bool pays(schedules::Blocks blocks);
    const std::vector<int>& order(schedules::Blocks blocks);
    std::shared_ptr<ReductionExchange> exchange(schedules::Blocks blocks, int tag);
    std::shared_ptr<ReductionExchange> lane(schedules::Blocks blocks, const CallForm& call_form);
    void combine_on_the_way(Call call, schedules::Blocks blocks, const ReduceArguments& arguments,
                            const CallForm& call_form, MPI_Comm user);
    template <class Run>
    void by_exchange(schedules::Blocks blocks, ExchangedValues& values, Run&& run);
    std::size_t values_sent(schedules::Blocks blocks) const noexcept;
    void exchange_and_combine(schedules::Blocks blocks, const ReduceArguments& arguments);
    void exchange_and_combine_later(schedules::Blocks blocks, ReduceArguments arguments, const CallForm& call_form,
                                    MPI_Comm user);

    HopNeighborhood& neighborhood_;
    const schedules::Topology* topology_ = nullptr; // null: those of the graph of the neighborhood's record
    const schedules::Stencil* stencil_ = nullptr;
    std::array<std::vector<int>, 2> orders_;  // orders of dimensions, by Blocks; empty before their first use
    std::array<std::optional<bool>, 2> pays_; // likewise
    std::map<int, std::shared_ptr<ReductionExchange>> lanes_; // by channel
    unsigned nonblocking_calls_ = 0;
    ExchangedValues values_; // values of blocking calls
};

/// Throws: Refused.
void demand_reduction(MPI_Count count, MPI_Datatype type, MPI_Op op);

} // namespace hopscotch::shim
