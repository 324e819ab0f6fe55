// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces over one neighborhood: values are combined on their way, or exchanged and combined at their destination.
#include "shim/hop/reducer.hpp"

#include "schedules/plan/cost.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/call/registry.hpp"
#include "shim/group/proof.hpp"
#include "shim/hop/held_operators.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

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
    check(next.MPI_Op_commutative(op, &commutative));
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

Reducer::Reducer(HopNeighborhood& neighborhood) : neighborhood_(neighborhood), values_(neighborhood.edges().sources) {}

Reducer::Reducer(HopNeighborhood& neighborhood, const schedules::Topology& topology, const schedules::Stencil& stencil)
    : Reducer(neighborhood)
{
    topology_ = &topology;
    stencil_ = &stencil;
}

/// The record's graph changes as it is set up.
const schedules::Topology& Reducer::topology() const noexcept
{
    return topology_ != nullptr ? *topology_ : neighborhood_.record()->graph().topology;
}

const schedules::Stencil& Reducer::stencil() const noexcept
{
    return stencil_ != nullptr ? *stencil_ : neighborhood_.record()->graph().stencil;
}

const std::vector<int>& Reducer::order(Blocks blocks)
{
    std::vector<int>& record = orders_[static_cast<std::size_t>(blocks)];
    if (record.empty())
        record = schedules::reduction_order(stencil(), blocks);
    return record;
}

/// True if it takes fewer messages than there are neighbors, and no more values. In shared memory a value is written
/// once for all to read, in one step, and only very many neighbors take longer to fold than all phases.
bool Reducer::pays(Blocks blocks)
{
    constexpr int folds_per_message = 64;
    std::optional<bool>& record = pays_[static_cast<std::size_t>(blocks)];
    if (record.has_value())
        return *record;
    const int messages = schedules::rounds(stencil());
    const int neighbors = schedules::direct_volume(stencil());
    const bool saves =
        messages < neighbors && schedules::reduction_volume(stencil(), order(blocks), blocks) <= neighbors;
    const bool many = blocks == Blocks::common && neighbors >= folds_per_message * messages;
    record = saves && (neighborhood_.record()->group()->nodes() > 1 || many);
    return *record;
}

/// From values that all processes share.
bool Reducer::combines_on_the_way(Blocks blocks, MPI_Op op, Completion completion)
{
    Communicator* const record = neighborhood_.record();
    if (record == nullptr)
        return false;
    if (completion != Completion::nonblocking)
        record->set_up_for_good();
    if (!record->graph().isomorphic())
        return false;
    const Algorithm asked =
        record->selection().asked_for(blocks == Blocks::common ? Collective::allgather : Collective::alltoall);
    const bool wanted = asked == Algorithm::automatic ? completion == Completion::blocking && pays(blocks)
                                                      : asked == Algorithm::combining;
    return wanted && commutes(op);
}

std::shared_ptr<ReductionExchange> Reducer::exchange(Blocks blocks, int tag)
{
    return std::make_shared<ReductionExchange>(
        schedules::combining_reduction(topology(), stencil(), neighborhood_.edges().rank, order(blocks), blocks),
        neighborhood_.record()->share_group(), tag);
}

/// Blocking calls use one; nonblocking ones under way at once take turns.
std::shared_ptr<ReductionExchange> Reducer::lane(Blocks blocks, const CallForm& call_form)
{
    Communicator& record = *neighborhood_.record();
    if (call_form.persistent())
        return exchange(blocks, record.exchanges().persistent_tag());
    const int kind = static_cast<int>(blocks);
    int number = 1 + kind;
    if (call_form.later())
        number = 3 + kind * nonblocking_lanes + static_cast<int>(nonblocking_calls_++ % nonblocking_lanes);
    std::shared_ptr<ReductionExchange>& made = lanes_[number];
    if (made == nullptr)
        made = exchange(blocks, record.exchanges().first_own_tag() + number);
    return made;
}

void Reducer::combine_on_the_way(Call call, Blocks blocks, const ReduceArguments& arguments, const CallForm& call_form,
                                 MPI_Comm user)
{
    const std::uint64_t begin = ticks();
    Communicator& record = *neighborhood_.record();
    std::vector<std::shared_ptr<const void>> kept;
    const MPI_Datatype type = call_form.later() ? kept_type(arguments.type, kept) : arguments.type;
    const Reducing reducing(arguments.count, type, arguments.op);
    Layouts layouts{blocks == Blocks::common ? BlockLayout::single(arguments.send, arguments.count, type)
                                             : BlockLayout::regular(arguments.send, arguments.count, type),
                    BlockLayout::single(arguments.receive, arguments.count, type)};
    const std::shared_ptr<ReductionExchange> exchange = lane(blocks, call_form);
    SelectionEntry& entry = record.selection().find_entry(call, {Algorithm::combining, {}});
    CallDetails details;
    details.hooks.before_start = [exchange, reducing] { exchange->prepare(reducing); };
    if (call_form.later()) {
        kept.push_back(hold_operator(arguments.op));
        details.hooks.after_arrival = [kept = std::move(kept)] { return MPI_SUCCESS; };
    }
    neighborhood_.lead(exchange, std::move(layouts), entry, call_form, user, begin, std::move(details));
}

/// The exchange that brings values, run(its buffers).
template <class Run>
void Reducer::by_exchange(Blocks blocks, ExchangedValues& values, Run&& run)
{
    const auto bytes = static_cast<MPI_Count>(values.reducing.bytes());
    const char* const send = values.sent();
    const RegularBlocks receive{values.value(0), bytes, MPI_BYTE};
    if (blocks == Blocks::common)
        run(Buffers{SingleBlock{send, bytes, MPI_BYTE}, receive});
    else
        run(Buffers{RegularBlocks{send, bytes, MPI_BYTE}, receive});
}

std::size_t Reducer::values_sent(Blocks blocks) const noexcept
{
    return blocks == Blocks::common ? 1 : neighborhood_.edges().destinations.size();
}

void Reducer::exchange_and_combine(Blocks blocks, const ReduceArguments& arguments)
{
    values_.set(arguments, values_sent(blocks));
    values_.prepare();
    by_exchange(blocks, values_, [this](const auto& buffers) { check(neighborhood_.call_now(buffers)); });
    values_.fold();
}

void Reducer::exchange_and_combine_later(Blocks blocks, ReduceArguments arguments, const CallForm& call_form,
                                         MPI_Comm user)
{
    const auto values = std::make_shared<ExchangedValues>(neighborhood_.edges().sources);
    arguments.type = kept_type(arguments.type, values->kept);
    values->kept.push_back(hold_operator(arguments.op));
    values->set(arguments, values_sent(blocks));
    const Hooks hooks{[values] { values->prepare(); }, [values] { return values->fold(); }};
    by_exchange(blocks, *values, [&](const auto& buffers) { neighborhood_.call(call_form, user, buffers, hooks); });
}

void Reducer::reduce(Call call, Blocks blocks, ReduceArguments arguments, const CallForm& call_form, MPI_Comm user)
{
    demand_reduction(arguments.count, arguments.type, arguments.op);
    demand_request(call_form);
    demand(arguments.receive != MPI_IN_PLACE && (arguments.send != MPI_IN_PLACE || blocks == Blocks::common),
           MPI_ERR_BUFFER);
    if (arguments.send == MPI_IN_PLACE)
        arguments.send = arguments.receive;
    if (combines_on_the_way(blocks, arguments.op, call_form.completion))
        combine_on_the_way(call, blocks, arguments, call_form, user);
    else if (call_form.later())
        exchange_and_combine_later(blocks, arguments, call_form, user);
    else
        exchange_and_combine(blocks, arguments);
}

} // namespace hopscotch::shim
