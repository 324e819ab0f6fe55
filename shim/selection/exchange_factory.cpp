// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the exchange that carries a collective by an algorithm on one communicator.
#include "shim/selection/exchange_factory.hpp"

#include "schedules/allgather.hpp"
#include "schedules/alltoall.hpp"
#include "schedules/direct.hpp"
#include "shim/exchange/aggregated_exchange.hpp"
#include "shim/exchange/scheduled_exchange.hpp"
#include "shim/exchange/shared_exchange.hpp"
#include "shim/graph/aggregation.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

namespace
{

schedules::Schedule direct_schedule(Collective collective, const schedules::Edges& edges, Algorithm algorithm)
{
    const bool gather = is_allgather(collective);
    if (algorithm == Algorithm::trivial)
        return gather ? schedules::trivial_allgather(edges) : schedules::trivial(edges);
    return gather ? schedules::merged_allgather(edges) : schedules::merged(edges);
}

schedules::Schedule combining_schedule(const Graph& graph, Collective collective, const schedules::Edges& edges)
{
    if (collective == Collective::global_allgather)
        return schedules::global_allgather(graph.topology, edges.rank);
    const schedules::Neighborhood neighborhood = schedules::place(graph.topology, graph.stencil, edges);
    if (is_allgather(collective))
        return schedules::combining_allgather(neighborhood, schedules::best_dimension_order(graph.stencil));
    return schedules::combining_alltoall(neighborhood);
}

/// Whether every process knows the size of all blocks, also of those it only sends on.
bool sizes_are_known(const Graph& graph, Collective collective, bool forwards)
{
    return is_regular(collective) &&
           (!forwards || collective == Collective::global_allgather || graph.one_block_size());
}

/// The edges to processes of other nodes.
schedules::Edges beyond_node(const schedules::Edges& edges, const ProcessGroup& group)
{
    return schedules::part_of(edges, [&group](int rank) { return group.node_index(rank) < 0; });
}

/// Carries the edges to other nodes in messages of this process's own; null where it has none.
std::unique_ptr<Exchange> make_off_node_exchange(const ExchangeGround& ground, Collective collective,
                                                 const schedules::Edges& edges, int tag)
{
    schedules::ExchangePlan plan;
    plan.schedule = direct_schedule(collective, beyond_node(edges, *ground.group), Algorithm::merged);
    if (plan.schedule.phases.empty() || plan.schedule.phases.front().rounds.empty())
        return nullptr;
    constexpr int only_tag = 3; // of those of the exchange; there are no rests and no direct blocks
    return std::make_unique<ScheduledExchange>(
        std::move(plan), is_regular(collective) ? SizesAre::known : SizesAre::sent, ground.group, tag + only_tag);
}

/// Carries them together with those of the other processes of the node.
std::unique_ptr<Exchange> make_aggregated_exchange(const ExchangeGround& ground, Collective collective,
                                                   const schedules::Edges& edges, std::size_t cutoff_bytes, int tag,
                                                   int region)
{
    schedules::AggregationPlan plan;
    plan.part = ground.graph->node_neighborhood->part(ground.group->node_map(), edges, blocks_of(collective));
    plan.edges = beyond_node(edges, *ground.group);
    plan.cutoff_bytes = cutoff_bytes;
    return std::make_unique<AggregatedExchange>(std::move(plan), ground.staging, region, ground.group, tag);
}

std::shared_ptr<Exchange> make_shared_exchange(const ExchangeGround& ground, Collective collective,
                                               const schedules::Edges& edges, const Choice& choice, int tag,
                                               ExchangeMemory memory)
{
    const Graph& graph = *ground.graph;
    schedules::MemoryPlan plan = schedules::memory_plan(
        edges, blocks_of(collective), [&ground](int rank) { return ground.group->node_index(rank) >= 0; },
        schedules::matched_numbers(graph.edges, graph.remote_positions, edges));
    plan.one_size = collective == Collective::alltoall && shares_block_size(graph, collective, choice.algorithm);
    const std::size_t room = room_for_block(graph, collective, *memory.stream);
    plan.lent_from_bytes = lent_from_bytes(*ground.group, room);
    if (!plan.one_size && plan.lent_from_bytes == never)
        plan.cutoff_bytes = room;
    std::unique_ptr<Exchange> off_node =
        choice.algorithm == Algorithm::aggregated
            ? make_aggregated_exchange(ground, collective, edges, choice.cutoff_bytes, tag, memory.region)
            : make_off_node_exchange(ground, collective, edges, tag);
    return std::make_shared<SharedExchange>(std::move(plan), std::move(memory.stream), ground.group, tag,
                                            std::move(off_node));
}

} // namespace

Matching matching_of(Collective collective) noexcept
{
    if (collective == Collective::alltoallv)
        return Matching::alltoallv;
    return collective == Collective::alltoallw ? Matching::alltoallw : Matching::alltoall;
}

std::size_t room_for_block(const Graph& graph, Collective collective, const Stream& stream) noexcept
{
    const int most_blocks = is_allgather(collective) ? 1 : graph.out_degree_max;
    return schedules::largest_block_in(stream.segment->buffer_bytes(stream.index), most_blocks);
}

std::size_t lent_from_bytes(const ProcessGroup& group, std::size_t room) noexcept
{
    const std::size_t from = group.lent_from_bytes();
    return from != never && room >= sizeof(LentBlock) ? std::min(from, room + 1) : never;
}

bool shares_block_size(const Graph& graph, Collective collective, Algorithm algorithm)
{
    if (collective == Collective::global_allgather)
        return true;
    return !graph.may_have_idle_process() && (!forwards(algorithm) || graph.one_block_size());
}

std::shared_ptr<Exchange> make_exchange(const ExchangeGround& ground, Collective collective, Completion completion,
                                        const Choice& choice, int tag, ExchangeMemory memory)
{
    const Graph& graph = *ground.graph;
    const schedules::Edges edges = collective == Collective::global_allgather
                                       ? schedules::edges_to_everyone(graph.ranks, graph.edges.rank)
                                       : graph.edges_for(matching_of(collective), completion);
    if (choice.algorithm == Algorithm::shared || choice.algorithm == Algorithm::aggregated)
        return make_shared_exchange(ground, collective, edges, choice, tag, std::move(memory));
    const bool forwards = choice.algorithm == Algorithm::combining;
    schedules::ExchangePlan plan;
    plan.schedule =
        forwards ? combining_schedule(graph, collective, edges) : direct_schedule(collective, edges, choice.algorithm);
    SizesAre sizes = forwards ? SizesAre::described : SizesAre::sent;
    if (sizes_are_known(graph, collective, forwards))
        sizes = SizesAre::known;
    if (sizes == SizesAre::described) {
        plan.cutoff_bytes = choice.cutoff_bytes;
        plan.edges = edges;
    }
    return std::make_shared<ScheduledExchange>(std::move(plan), sizes, ground.group, tag);
}

} // namespace hopscotch::shim
