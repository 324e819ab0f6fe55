// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/graph/aggregation.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>

namespace hopscotch::shim
{

using Numbers = std::vector<int>;

std::vector<Numbers> gather_on_node(const Ground& ground, const Numbers& own)
{
    const ProcessGroup& group = ground.group;
    const std::vector<int>& mates = group.node_ranks();
    const Numbers length{static_cast<int>(own.size())};
    std::vector<Numbers> lengths(mates.size(), Numbers(1));
    std::vector<Numbers> all(mates.size());
    SetUpMessages messages(ground.group.communicator(), ground.tag);
    const auto exchange = [&](const Numbers& mine, std::vector<Numbers>& theirs) {
        for (std::size_t i = 0; i < mates.size(); ++i) {
            if (mates[i] == group.rank()) {
                theirs[i] = mine;
                continue;
            }
            messages.send(mine.data(), mine.size() * sizeof(int), mates[i]);
            messages.receive(theirs[i].data(), theirs[i].size() * sizeof(int), mates[i]);
        }
        messages.finish();
    };
    exchange(length, lengths);
    for (std::size_t i = 0; i < mates.size(); ++i)
        all[i].resize(static_cast<std::size_t>(lengths[i].front()));
    exchange(own, all);
    return all;
}

namespace
{

/// The first process of every node tells the nodes around it the ranks that send and receive the messages between them,
/// and passes the answers on to its own node. Both nodes cut the messages between them alike. Collective: over the
/// graph.
schedules::Leaders exchange_leaders(const Ground& ground, const schedules::Nodes& nodes, const schedules::Leaders& ours)
{
    schedules::Leaders theirs;
    if (ground.group.rank() == ground.group.node_ranks().front()) {
        std::map<int, Numbers> told; // by node: our senders, our receivers
        for (const auto* leaders : {&ours.senders, &ours.receivers})
            for (const auto& [node, ranks] : *leaders)
                told[node].insert(told[node].end(), ranks.begin(), ranks.end());
        std::map<int, Numbers> heard;
        SetUpMessages messages(ground.group.communicator(), ground.tag);
        for (const auto& [node, ranks] : told) {
            const int other = nodes.ranks[static_cast<std::size_t>(node)].front();
            const std::size_t bytes = ranks.size() * sizeof(int);
            heard[node].resize(ranks.size());
            messages.send(ranks.data(), bytes, other);
            messages.receive(heard[node].data(), bytes, other);
        }
        messages.finish();
        for (const auto& [node, ranks] : heard) {
            const auto receivers = ours.receivers.find(node); // one for each message that the node sends to this one
            const std::size_t senders = receivers != ours.receivers.end() ? receivers->second.size() : 0;
            const auto middle = ranks.begin() + static_cast<std::ptrdiff_t>(senders);
            theirs.senders[node].assign(ranks.begin(), middle);
            theirs.receivers[node].assign(middle, ranks.end());
        }
    }
    return schedules::leaders_from(gather_on_node(ground, schedules::as_numbers(theirs)).front());
}

} // namespace

std::shared_ptr<const NodeNeighborhood> learn_node_neighborhood(const Ground& ground, const Graph& graph)
{
    const ProcessGroup& group = ground.group;
    using schedules::Blocks;
    auto result = std::make_shared<NodeNeighborhood>();
    const schedules::Nodes& nodes = group.node_map();
    const int node = nodes.of_rank[static_cast<std::size_t>(group.rank())];
    result->lists = schedules::node_lists_from(node, gather_on_node(ground, schedules::as_numbers(graph.edges)));
    const auto processes = static_cast<int>(group.node_ranks().size());
    const auto plan = [&](Blocks blocks, const schedules::Route& route) {
        return plan_node(nodes, result->lists, blocks, route);
    };
    CollectiveConsensus consensus(ground.comm);
    std::int64_t parts[] = {balanced_part(plan(Blocks::individual, {}), processes),
                            balanced_part(plan(Blocks::common, {}), processes)};
    consensus.maxima(parts, std::size(parts));
    result->individual.route.most_blocks = static_cast<int>(parts[0]);
    result->common.route.most_blocks = static_cast<int>(parts[1]);
    std::int64_t largest[] = {0, 0};
    for (const Blocks blocks : {Blocks::individual, Blocks::common}) {
        NodeNeighborhood::Paths& paths = blocks == Blocks::common ? result->common : result->individual;
        paths.theirs = exchange_leaders(ground, nodes, plan(blocks, paths.route).leaders);
        for (const schedules::StagingBuffer& buffer : result->part(nodes, graph.edges, blocks).buffers) {
            largest[0] = std::max<std::int64_t>(largest[0], buffer.blocks());
            largest[1] = std::max<std::int64_t>(largest[1], static_cast<std::int64_t>(buffer.message_blocks.size()));
        }
    }
    consensus.maxima(largest, std::size(largest));
    result->most_blocks = static_cast<int>(largest[0]);
    result->most_messages = static_cast<int>(largest[1]);
    return result;
}

using schedules::Blocks;
using schedules::Efforts;

void agree_on_busiest(const Ground& ground, std::vector<Efforts>& algorithms)
{
    std::vector<int> leaving;
    for (const Efforts& algorithm : algorithms)
        for (const schedules::Effort& effort : algorithm)
            leaving.push_back(static_cast<int>(effort.leaving_blocks));
    std::vector<int> of_node(leaving.size(), 0);
    for (const std::vector<int>& of_process : gather_on_node(ground, leaving))
        std::transform(of_process.begin(), of_process.end(), of_node.begin(), of_node.begin(), std::plus<>());
    std::vector<double> numbers;
    auto leaving_node = of_node.begin();
    for (const Efforts& algorithm : algorithms)
        for (const schedules::Effort& effort : algorithm)
            numbers.insert(numbers.end(), {effort.sent, effort.received, effort.handovers, effort.copied_blocks,
                                           static_cast<double>(*leaving_node++)});
    CollectiveConsensus(ground.comm).maxima(numbers.data(), numbers.size());
    auto number = numbers.begin();
    for (Efforts& algorithm : algorithms)
        for (schedules::Effort& effort : algorithm)
            effort = {*number++, *number++, *number++, *number++, *number++};
}

void predict_aggregation(const Ground& ground, Graph& graph)
{
    const schedules::Nodes& nodes = ground.group.node_map();
    for (const Blocks blocks : {Blocks::individual, Blocks::common}) {
        const NodeNeighborhood& around = *graph.node_neighborhood;
        std::vector<Efforts> algorithms =
            schedules::compared_efforts(around.part(nodes, graph.edges, blocks), graph.edges, blocks, nodes,
                                        graph.isomorphic() ? &graph.topology : nullptr, &graph.stencil);
        agree_on_busiest(ground, algorithms);
        graph.aggregated_up_to[static_cast<std::size_t>(blocks)] =
            schedules::aggregating_pays_up_to(algorithms, ground.group.network());
    }
}

} // namespace hopscotch::shim
