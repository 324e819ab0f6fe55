// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/selection/exchange_maker.hpp"

#include "schedules/irregular/partly_combining.hpp"
#include "schedules/memory/memory_plan.hpp"
#include "schedules/message/tags.hpp"
#include "schedules/nodes/node_gather.hpp"
#include "schedules/plan/collective_schedule.hpp"
#include "shim/exchange/aggregated_exchange.hpp"
#include "shim/exchange/scheduled_exchange.hpp"
#include "shim/exchange/shared_exchange.hpp"
#include "shim/selection/combining_members.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

/// The schedule of this process for some edges in messages.
schedules::Schedule schedule_of(const Graph& graph, const Choice& choice, Collective collective,
                                const schedules::Edges& edges)
{
    const bool among_neighbors = collective != Collective::global_allgather;
    const bool combines = choice.algorithm == Algorithm::combining && among_neighbors;
    if (combines && graph.partial != nullptr)
        return schedules::partly_combining(graph.partial, blocks_of(collective), edges);
    std::vector<schedules::Group> groups = choice.groups;
    if (combines && groups.empty())
        groups = combining_groups(graph);
    return schedules::schedule_for(choice.algorithm, collective, edges, graph.topology, graph.stencil, groups);
}

/// True if every process knows the size of all blocks, also of those it only forwards.
bool sizes_are_known(const Graph& graph, Collective collective, Algorithm algorithm)
{
    return is_regular(collective) &&
           (!forwards(algorithm) || collective == Collective::global_allgather || graph.one_block_size());
}

/// The edges to processes of other nodes.
schedules::Edges beyond_node(const schedules::Edges& edges, const ProcessGroup& group)
{
    return schedules::part_of(edges, [&group](int rank) { return group.node_index(rank) < 0; });
}

/// The kind of native calls with the same match of parallel edges as a collective.
Matching matching_of(Collective collective) noexcept
{
    if (collective == Collective::alltoallv)
        return Matching::alltoallv;
    return collective == Collective::alltoallw ? Matching::alltoallw : Matching::alltoall;
}

/// The largest block that fits into the memory of a stream beside the others of a call.
std::size_t room_for_block(const Graph& graph, Collective collective, const Segment& segment, int stream) noexcept
{
    const int most_blocks = is_allgather(collective) ? 1 : graph.out_degree_max;
    return schedules::largest_block_in(segment.buffer_bytes(stream), most_blocks);
}

/// Blocks of at least so many bytes are lent between processes of a node, if others of up to `room` bytes are written
/// in shared memory; `never` if none are.
std::size_t lent_from_bytes(const ProcessGroup& group, std::size_t room) noexcept
{
    return group.one_copy() && room >= sizeof(LentBlock) ? std::min(group.one_copy()->block_bytes, room + 1) : never;
}

} // namespace

std::size_t ExchangeMaker::largest_block(Collective collective, int stream) const
{
    const std::size_t room = room_for_block(graph(), collective, *detected_.segment, stream);
    return lent_from_bytes(*group(), room) != never ? schedules::most_lent_bytes : room;
}

std::size_t ExchangeMaker::aggregated_bytes(Collective collective) const
{
    if (detected_.staging == nullptr)
        return 0;
    return collective == Collective::global_allgather
               ? detected_.staging->largest_block(schedules::gather_buffers(group()->node_map()))
               : detected_.staging->largest_block();
}

bool ExchangeMaker::shares_block_size(Collective collective, Algorithm algorithm) const
{
    if (collective == Collective::global_allgather)
        return true;
    return !graph().may_have_idle_process() && (!forwards(algorithm) || graph().one_block_size());
}

/// An exchange of the blocks from and to other nodes, in messages of this process alone; null if it has none.
std::unique_ptr<Exchange> ExchangeMaker::off_node(Collective collective, const schedules::Edges& edges, int tag) const
{
    if (group()->nodes() == 1)
        return nullptr;
    ExchangePlan plan;
    plan.schedule = schedule_of(graph(), {Algorithm::merged, {}}, collective, beyond_node(edges, *group()));
    if (plan.schedule.phases.empty() || plan.schedule.phases.front().rounds.empty())
        return nullptr;
    return std::make_unique<ScheduledExchange>(
        std::move(plan), is_regular(collective) ? schedules::SizesAre::known : schedules::SizesAre::sent, group(),
        tag + schedules::off_node_tag); // there are no rests and no direct blocks
}

/// An exchange of the blocks from and to other nodes, in messages of all processes of the node.
std::unique_ptr<Exchange> ExchangeMaker::aggregated(Collective collective, const schedules::Edges& edges,
                                                    std::size_t cutoff_bytes, int tag, int region) const
{
    schedules::AggregationPlan plan;
    plan.part = collective == Collective::global_allgather
                    ? schedules::gather_part(group()->node_map(), edges.rank)
                    : graph().node_neighborhood->part(group()->node_map(), edges, blocks_of(collective));
    plan.edges = beyond_node(edges, *group());
    plan.cutoff_bytes = cutoff_bytes;
    plan.largest_block = aggregated_bytes(collective);
    return std::make_unique<AggregatedExchange>(std::move(plan), detected_.staging, region, group(), tag);
}

/// Requests share the results of their trials, since their operations advance under one lock. Blocking calls have
/// results of their own.
std::shared_ptr<schedules::CopyTrials::Results> ExchangeMaker::copy_results(Collective collective,
                                                                            Completion completion)
{
    auto& results = copy_results_[static_cast<std::size_t>(collective)][completion == Completion::blocking ? 1 : 0];
    if (results == nullptr)
        results = std::make_shared<schedules::CopyTrials::Results>();
    return results;
}

std::shared_ptr<Exchange> ExchangeMaker::shared(Collective collective, Completion completion,
                                                const schedules::Edges& edges, const Choice& choice, int tag,
                                                ExchangeMemory memory)
{
    schedules::MemoryPlan plan = graph().plans.plan(collective, completion, [&] {
        return schedules::memory_plan(
            edges, blocks_of(collective), [this](int rank) { return group()->node_index(rank) >= 0; },
            schedules::matched_numbers(graph().edges, graph().remote_positions, edges));
    });
    plan.one_size = is_regular(collective) && shares_block_size(collective, choice.algorithm);
    const std::size_t room = room_for_block(graph(), collective, *memory.stream->segment, memory.stream->index);
    plan.lent_from_bytes = lent_from_bytes(*group(), room);
    if (const auto& limits = group()->one_copy()) {
        plan.lending_call_bytes = limits->call_bytes;
        if (limits->tried)
            plan.copy_results = copy_results(collective, completion);
    }
    plan.buffer_bytes = memory.stream->segment->buffer_bytes(memory.stream->index);
    if (!plan.one_size && plan.lent_from_bytes == never)
        plan.cutoff_bytes = room;
    std::unique_ptr<Exchange> beyond = choice.algorithm == Algorithm::aggregated
                                           ? aggregated(collective, edges, choice.cutoff_bytes, tag, memory.region)
                                           : off_node(collective, edges, tag);
    return std::make_shared<SharedExchange>(std::move(plan), std::move(memory.stream), group(), tag, std::move(beyond));
}

std::shared_ptr<Exchange> ExchangeMaker::make(Collective collective, Completion completion, const Choice& choice,
                                              int tag, ExchangeMemory memory)
{
    const schedules::Edges edges = collective == Collective::global_allgather
                                       ? schedules::edges_to_everyone(graph().ranks, graph().edges.rank)
                                       : graph().edges_for(matching_of(collective), completion);
    if (choice.algorithm == Algorithm::shared || choice.algorithm == Algorithm::aggregated)
        return shared(collective, completion, edges, choice, tag, std::move(memory));
    ExchangePlan plan;
    plan.schedule = schedule_of(graph(), choice, collective, edges);
    schedules::SizesAre sizes = forwards(choice.algorithm) ? schedules::SizesAre::described : schedules::SizesAre::sent;
    if (sizes_are_known(graph(), collective, choice.algorithm))
        sizes = schedules::SizesAre::known;
    if (sizes == schedules::SizesAre::described) {
        plan.cutoff_bytes = choice.cutoff_bytes;
        plan.edges = edges;
    }
    return std::make_shared<ScheduledExchange>(std::move(plan), sizes, group(), tag);
}

} // namespace hopscotch::shim
