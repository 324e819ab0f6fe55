// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces over one neighborhood: values are combined on their way, or exchanged and combined at their destination.
#pragma once

#include "schedules/grid/topology.hpp"
#include "shim/exchange/elements.hpp"
#include "shim/exchange/reduction_exchange.hpp"
#include "shim/hop/hop_neighborhood.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// The arguments of a reduction. `send`: one value, or one for each destination.
struct ReduceArguments {
    const void* send;
    void* receive;
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op op;
};

/// The values of a reduction by exchange that a process sends and receives, each value a run of bytes: those of all
/// sources come whole, and are folded in list order.
struct ExchangedValues {
    /// `from`: the sources, entries no_rank for none.
    explicit ExchangedValues(std::vector<int> from) : sources(std::move(from)) {}

    /// For one call, or one persistent request. `sent`: the number of values that this process sends. Throws:
    /// WrongArgument.
    void set(const ReduceArguments& arguments, std::size_t sent)
    {
        reducing = Reducing(arguments.count, arguments.type, arguments.op);
        given = arguments.send;
        result = arguments.receive;
        as_given = reducing.is_packed() && sent > 0;
        packed.reserve(1); // never a null pointer
        packed.resize(reducing.is_packed() ? 0 : sent * reducing.bytes());
        received.resize(sources.size() * reducing.bytes() / sizeof(std::max_align_t) + 1);
    }

    /// The values this process sends, each one run of bytes.
    const char* sent() const { return as_given ? static_cast<const char*>(given) : packed.data(); }
    char* value(std::size_t i) { return reinterpret_cast<char*>(received.data()) + i * reducing.bytes(); }

    void prepare()
    {
        const auto* value = static_cast<const char*>(given);
        for (std::size_t at = 0; at < packed.size();
             at += reducing.bytes(), value += reducing.count * reducing.map->extent)
            pack(reducing.at(value), packed.data() + at);
    }

    /// result = x_0 op x_1 op ... Returns MPI_SUCCESS. Throws: MpiError.
    int fold()
    {
        Elements unpacked;
        if (!reducing.is_packed())
            unpacked = Elements(1, reducing);
        Accumulator sum(reducing, static_cast<char*>(result));
        for (std::size_t i = sources.size(); i-- > 0;) {
            if (sources[i] == schedules::no_rank)
                continue;
            const char* one = value(i);
            if (!reducing.is_packed()) {
                unpack(one, reducing.bytes(), reducing.at(unpacked[0]));
                one = unpacked[0];
            }
            sum.take(one);
        }
        return MPI_SUCCESS;
    }

    std::vector<int> sources;
    Reducing reducing;
    const void* given = nullptr;
    bool as_given = false; // the program's buffer is sent, or nothing
    void* result = nullptr;
    std::vector<char> packed; // if values are no runs of bytes
    std::vector<std::max_align_t> received;
    std::vector<std::shared_ptr<const void>> kept;
};

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
