// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces over one neighborhood: values are combined on their way, or exchanged and combined at their destination.
#include "shim/reduction/reducer.hpp"

#include "schedules/plan/cost.hpp"
#include "shim/call/call_layouts.hpp"
#include "shim/call/registry.hpp"
#include "shim/group/proof.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/reduction/exchanged_values.hpp"
#include "shim/reduction/held_operators.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::Blocks;

namespace
{

constexpr int nonblocking_lanes = 4;
static_assert(1 + 2 + 2 * nonblocking_lanes <= Channels::count);

bool commutes(MPI_Op op)
{
    int commutative = 0;
    check(next.Op_commutative(op, &commutative));
    return commutative != 0;
}

} // namespace

void demand_reduction(MPI_Count count, MPI_Datatype type, MPI_Op op)
{
    demand(count >= 0, MPI_ERR_COUNT);
    demand(type != MPI_DATATYPE_NULL, MPI_ERR_TYPE);
    demand(op != MPI_OP_NULL, MPI_ERR_OP);
    proven_extent(type);
    demand(is_usable(op, type), MPI_ERR_OP);
}

Reducer::Reducer(CarriedNeighborhood& neighborhood, const schedules::Topology& topology,
                 const schedules::Stencil& stencil)
    : neighborhood_(neighborhood), topology_(topology), stencil_(stencil), values_(neighborhood.edges().sources)
{
}

const std::vector<int>& Reducer::order(Blocks blocks)
{
    std::vector<int>& known = orders_[static_cast<std::size_t>(blocks)];
    if (known.empty())
        known = schedules::reduction_order(stencil_, blocks);
    return known;
}

/// True if it takes fewer messages than there are neighbors, and no more values. In shared memory a value is written
/// once for all to read, in one step, and only very many neighbors take longer to fold than all phases.
bool Reducer::pays(Blocks blocks)
{
    constexpr int folds_per_message = 64;
    std::optional<bool>& known = pays_[static_cast<std::size_t>(blocks)];
    if (known.has_value())
        return *known;
    const int messages = schedules::rounds(stencil_);
    const int neighbors = schedules::direct_volume(stencil_);
    const bool saves =
        messages < neighbors && schedules::reduction_volume(stencil_, order(blocks), blocks) <= neighbors;
    const bool many = blocks == Blocks::common && neighbors >= folds_per_message * messages;
    known = saves && (neighborhood_.record()->group()->nodes() > 1 || many);
    return *known;
}

/// From values that all processes share.
bool Reducer::combines_on_the_way(Blocks blocks, MPI_Op op, Completion completion)
{
    Communicator* const known = neighborhood_.record();
    if (known == nullptr)
        return false;
    if (completion != Completion::nonblocking)
        known->set_up_for_good();
    if (!known->graph().isomorphic())
        return false;
    const Algorithm asked =
        known->selection().asked_for(blocks == Blocks::common ? Collective::allgather : Collective::alltoall);
    const bool wanted = asked == Algorithm::automatic ? completion == Completion::blocking && pays(blocks)
                                                      : asked == Algorithm::combining;
    return wanted && commutes(op);
}

std::shared_ptr<ReductionExchange> Reducer::exchange(Blocks blocks, int tag)
{
    return std::make_shared<ReductionExchange>(
        schedules::combining_reduction(topology_, stencil_, neighborhood_.edges().rank, order(blocks), blocks),
        neighborhood_.record()->share_group(), tag);
}

/// Blocking calls use one; nonblocking ones under way at once take turns.
std::shared_ptr<ReductionExchange> Reducer::lane(Blocks blocks, const Completing& completing)
{
    Communicator& known = *neighborhood_.record();
    if (completing.persistent())
        return exchange(blocks, known.exchanges().persistent_tag());
    const int kind = static_cast<int>(blocks);
    int number = 1 + kind;
    if (completing.later())
        number = 3 + kind * nonblocking_lanes + static_cast<int>(nonblocking_calls_++ % nonblocking_lanes);
    std::shared_ptr<ReductionExchange>& made = lanes_[number];
    if (made == nullptr)
        made = exchange(blocks, known.exchanges().first_own_tag() + number);
    return made;
}

void Reducer::combine_on_the_way(Call call, Blocks blocks, const ReduceArguments& arguments,
                                 const Completing& completing, MPI_Comm user)
{
    const std::uint64_t begin = ticks();
    Communicator& known = *neighborhood_.record();
    std::vector<std::shared_ptr<const void>> kept;
    const MPI_Datatype type = completing.later() ? kept_type(arguments.type, kept) : arguments.type;
    const Reducing reducing(arguments.count, type, arguments.op);
    Layouts layouts{blocks == Blocks::common ? BlockLayout::single(arguments.send, arguments.count, type)
                                             : BlockLayout::regular(arguments.send, arguments.count, type),
                    BlockLayout::single(arguments.receive, arguments.count, type)};
    const std::shared_ptr<ReductionExchange> exchange = lane(blocks, completing);
    SelectionEntry& entry = known.selection().find_entry(call, {Algorithm::combining, {}});
    if (!completing.later()) {
        exchange->prepare(reducing);
        exchange->begin(layouts.send, layouts.receive);
        wait(*exchange, known.group()->yields(), [] {});
        if (counting()) {
            const std::uint64_t elapsed = ticks() - begin;
            add_call(entry, exchange->sent(), elapsed, exchange->error());
            add_duration(entry, elapsed);
        }
        check(exchange->error());
        return;
    }
    kept.push_back(hold_operator(arguments.op));
    auto request = std::make_shared<ExchangeRequest>(share_communicator(neighborhood_.comm()), user, entry, exchange,
                                                     std::move(layouts), completing.persistent());
    request->set_around(
        {[exchange, reducing] { exchange->prepare(reducing); }, [kept = std::move(kept)] { return MPI_SUCCESS; }});
    *completing.request = give_request(request, begin);
}

/// The exchange that brings values, `carry(call, collective, layouts, send, receive)`.
template <class Carry>
auto Reducer::by_exchange(Blocks blocks, ExchangedValues& values, Carry&& carry)
{
    const auto bytes = static_cast<MPI_Count>(values.reducing.bytes());
    const char* const send = values.sent();
    char* const received = values.value(0);
    const auto receive = regular_blocks(received, bytes, MPI_BYTE);
    if (blocks == Blocks::common)
        return carry(Call::Neighbor_allgather, Collective::allgather,
                     allgather_layouts(send, bytes, MPI_BYTE, received, bytes, MPI_BYTE),
                     single_block(send, bytes, MPI_BYTE), receive);
    return carry(Call::Neighbor_alltoall, Collective::alltoall,
                 alltoall_layouts(send, bytes, MPI_BYTE, received, bytes, MPI_BYTE),
                 regular_blocks(send, bytes, MPI_BYTE), receive);
}

std::size_t Reducer::values_sent(Blocks blocks) const noexcept
{
    return blocks == Blocks::common ? 1 : neighborhood_.edges().destinations.size();
}

void Reducer::exchange_and_combine(Blocks blocks, const ReduceArguments& arguments)
{
    values_.set(arguments, values_sent(blocks));
    values_.prepare();
    check(by_exchange(blocks, values_, [this](Call call, Collective collective, auto layouts, auto send, auto receive) {
        return neighborhood_.call_now(call, collective, layouts, send, receive);
    }));
    values_.fold();
}

void Reducer::exchange_and_combine_later(Blocks blocks, ReduceArguments arguments, const Completing& completing,
                                         MPI_Comm user)
{
    const auto values = std::make_shared<ExchangedValues>(neighborhood_.edges().sources);
    arguments.type = kept_type(arguments.type, values->kept);
    values->kept.push_back(hold_operator(arguments.op));
    values->set(arguments, values_sent(blocks));
    const Around around{[values] { values->prepare(); }, [values] { return values->fold(); }};
    by_exchange(blocks, *values, [&](Call call, Collective collective, auto layouts, auto send, auto receive) {
        neighborhood_.call(call, collective, completing, user, layouts, send, receive, around);
    });
}

void Reducer::reduce(Call call, Blocks blocks, ReduceArguments arguments, const Completing& completing, MPI_Comm user)
{
    demand_reduction(arguments.count, arguments.type, arguments.op);
    demand_request(completing);
    demand(arguments.receive != MPI_IN_PLACE && (arguments.send != MPI_IN_PLACE || blocks == Blocks::common),
           MPI_ERR_BUFFER);
    if (arguments.send == MPI_IN_PLACE)
        arguments.send = arguments.receive;
    if (combines_on_the_way(blocks, arguments.op, completing.completion))
        combine_on_the_way(call, blocks, arguments, completing, user);
    else if (completing.later())
        exchange_and_combine_later(blocks, arguments, completing, user);
    else
        exchange_and_combine(blocks, arguments);
}

} // namespace hopscotch::shim
