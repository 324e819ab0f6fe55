// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the exchange that carries a collective by an algorithm on one communicator.
#include "shim/selection/exchange_factory.hpp"

#include "schedules/allgather.hpp"
#include "schedules/alltoall.hpp"
#include "schedules/direct.hpp"
#include "shim/exchange/aggregated_exchange.hpp"
#include "shim/exchange/regular_exchange.hpp"
#include "shim/exchange/relayed_exchange.hpp"
#include "shim/exchange/shared_exchange.hpp"
#include "shim/exchange/sized_exchange.hpp"
#include "shim/graph/node_neighborhood.hpp"

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

BufferForm form_of(const Graph& graph, Collective collective, Algorithm algorithm)
{
    if (is_allgather(collective))
        return BufferForm::single;
    const bool regular = is_regular(collective) && shares_block_size(graph, collective, algorithm);
    return regular ? BufferForm::regular : BufferForm::varying;
}

/// Tags of an exchange through memory, from its first on.
constexpr int direct_tag = 0; // and 1
constexpr int off_node_tag = 3;

/// Carries the edges to other nodes in messages of this process's own; null where it has none.
std::unique_ptr<Exchange> make_off_node_exchange(const ExchangeGround& ground, Collective collective,
                                                 const schedules::Edges& edges, int tag)
{
    schedules::Schedule schedule = direct_schedule(collective, edges, Algorithm::merged);
    if (schedule.phases.empty() || schedule.phases.front().rounds.empty())
        return nullptr;
    if (is_regular(collective))
        return std::make_unique<RegularExchange>(std::move(schedule), ground.group, tag + off_node_tag);
    return std::make_unique<SizedExchange>(std::move(schedule), ground.group, tag + off_node_tag);
}

/// Carries them together with those of the other processes of the node.
std::unique_ptr<Exchange> make_aggregated_exchange(const ExchangeGround& ground, Collective collective,
                                                   const schedules::Edges& edges, const Choice& choice, int tag,
                                                   int region)
{
    const Graph& graph = *ground.graph;
    const bool sends = std::any_of(edges.destinations.begin(), edges.destinations.end(),
                                   [](int rank) { return rank != schedules::no_rank; });
    return std::make_unique<AggregatedExchange>(
        ground.staging, region, ground.group, graph.node_neighborhood->part(edges, blocks_of(collective)),
        beyond_node(edges, *ground.group), sizes_are_known(graph, collective, true), sends, tag + off_node_tag,
        tag + direct_tag, choice.cutoff_bytes);
}

std::shared_ptr<Exchange> make_shared_exchange(const ExchangeGround& ground, Collective collective,
                                               const schedules::Edges& edges, const Choice& choice, int tag,
                                               ExchangeMemory memory)
{
    const Graph& graph = *ground.graph;
    SharedEdges parts;
    parts.on_node = schedules::part_of(edges, [&](int rank) { return ground.group->node_index(rank) >= 0; });
    parts.off_node = beyond_node(edges, *ground.group);
    parts.destinations = edges.destinations;
    parts.positions = schedules::positions(edges.destinations);
    parts.remote_positions = schedules::matched_numbers(graph.edges, graph.remote_positions, edges);
    parts.self = direct_schedule(collective, parts.on_node, Algorithm::merged).copies;

    std::unique_ptr<Exchange> off_node =
        choice.algorithm == Algorithm::aggregated
            ? make_aggregated_exchange(ground, collective, edges, choice, tag, memory.region)
            : make_off_node_exchange(ground, collective, parts.off_node, tag);

    const BufferForm form = form_of(graph, collective, choice.algorithm);
    return std::make_shared<SharedExchange>(std::move(memory.stream), ground.group, std::move(parts), form,
                                            std::move(off_node), tag + direct_tag,
                                            form == BufferForm::single ? 1 : graph.out_degree_max);
}

} // namespace

Matching matching_of(Collective collective) noexcept
{
    switch (collective) {
    case Collective::alltoallv:
        return Matching::alltoallv;
    case Collective::alltoallw:
        return Matching::alltoallw;
    default:
        return Matching::alltoall;
    }
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
    schedules::Schedule schedule =
        forwards ? combining_schedule(graph, collective, edges) : direct_schedule(collective, edges, choice.algorithm);
    if (sizes_are_known(graph, collective, forwards))
        return std::make_shared<RegularExchange>(std::move(schedule), ground.group, tag);
    if (!forwards)
        return std::make_shared<SizedExchange>(std::move(schedule), ground.group, tag);
    return std::make_shared<RelayedExchange>(std::move(schedule), ground.group, tag, choice.cutoff_bytes, edges);
}

} // namespace hopscotch::shim
