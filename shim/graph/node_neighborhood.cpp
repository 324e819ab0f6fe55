// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Learns, when a communicator is made, what the processes of a node know of each other's neighbor lists, and who sends
// messages between nodes.
#include "shim/graph/node_neighborhood.hpp"

#include "shim/exchange/messages.hpp"
#include "shim/mpi/collective_consensus.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace hopscotch::shim
{

namespace
{

using Numbers = std::vector<int>;

/// Messages that set something up, all under way at once; complete when finish() returns.
class Mail
{
  public:
    explicit Mail(const Ground& ground) : ground_(ground) {}

    void send(const Numbers& numbers, int rank)
    {
        requests_.push_back(MPI_REQUEST_NULL);
        start_send(ground_.group, reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int), rank,
                   ground_.tag, requests_.back());
    }

    /// `numbers` has the length of what comes, and stays where it is until finish().
    void receive(Numbers& numbers, int rank)
    {
        requests_.push_back(MPI_REQUEST_NULL);
        start_receive(ground_.group, reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(int), rank,
                      ground_.tag, requests_.back());
    }

    void finish()
    {
        check(next.Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
        requests_.clear();
    }

  private:
    const Ground& ground_;
    std::vector<MPI_Request> requests_;
};

} // namespace

std::vector<Numbers> gather_on_node(const Ground& ground, const Numbers& own)
{
    const ProcessGroup& group = ground.group;
    const std::vector<int>& mates = group.node_ranks();
    const Numbers length{static_cast<int>(own.size())};
    std::vector<Numbers> lengths(mates.size(), Numbers(1));
    std::vector<Numbers> all(mates.size());
    Mail mail(ground);
    const auto exchange = [&](const Numbers& mine, std::vector<Numbers>& theirs) {
        for (std::size_t i = 0; i < mates.size(); ++i) {
            if (mates[i] == group.rank()) {
                theirs[i] = mine;
                continue;
            }
            mail.send(mine, mates[i]);
            mail.receive(theirs[i], mates[i]);
        }
        mail.finish();
    };
    exchange(length, lengths);
    for (std::size_t i = 0; i < mates.size(); ++i)
        all[i].resize(static_cast<std::size_t>(lengths[i].front()));
    exchange(own, all);
    return all;
}

namespace
{

schedules::NodeLists lists_of_node(const Ground& ground, const Graph& graph, int node)
{
    Numbers own{static_cast<int>(graph.edges.destinations.size())};
    own.insert(own.end(), graph.edges.destinations.begin(), graph.edges.destinations.end());
    own.insert(own.end(), graph.edges.sources.begin(), graph.edges.sources.end());
    schedules::NodeLists lists{node, {}, {}};
    for (const Numbers& numbers : gather_on_node(ground, own)) {
        const auto first = numbers.begin() + 1;
        const auto middle = first + numbers.front();
        lists.destinations.emplace_back(first, middle);
        lists.sources.emplace_back(middle, numbers.end());
    }
    return lists;
}

/// Ranks for one node; none when it is not there.
Numbers ranks_for(const std::map<int, Numbers>& leaders, int node)
{
    const auto found = leaders.find(node);
    return found == leaders.end() ? Numbers() : found->second;
}

/// The first process of every node tells those of the nodes around it who carries what goes and comes between them,
/// and its node mates what it has heard. Both nodes cut the messages between them alike. Collective: over the graph.
schedules::Leaders exchange_leaders(const Ground& ground, const schedules::Nodes& nodes, const schedules::Leaders& ours)
{
    Numbers flat; // node, number of its senders, number of its receivers, the senders, the receivers; and so on
    if (ground.group.rank() == ground.group.node_ranks().front()) {
        std::map<int, Numbers> told;
        std::map<int, Numbers> heard;
        for (const auto* leaders : {&ours.senders, &ours.receivers})
            for (const auto& [node, ranks] : *leaders)
                told[node] = {};
        Mail mail(ground);
        for (auto& [node, ranks] : told) {
            ranks = ranks_for(ours.senders, node);
            const Numbers receivers = ranks_for(ours.receivers, node);
            ranks.insert(ranks.end(), receivers.begin(), receivers.end());
            const int other = nodes.ranks[static_cast<std::size_t>(node)].front();
            mail.send(ranks, other);
            heard[node].resize(ranks.size());
            mail.receive(heard[node], other);
        }
        mail.finish();
        for (const auto& [node, ranks] : heard) {
            const auto theirs_to_us = static_cast<int>(ranks_for(ours.receivers, node).size());
            flat.insert(flat.end(), {node, theirs_to_us, static_cast<int>(ranks.size()) - theirs_to_us});
            flat.insert(flat.end(), ranks.begin(), ranks.end());
        }
    }
    flat = gather_on_node(ground, flat).front();
    schedules::Leaders theirs;
    for (auto at = flat.begin(); at != flat.end();) {
        const int node = at[0];
        const auto middle = at + 3 + at[1];
        const auto end = middle + at[2];
        theirs.senders[node].assign(at + 3, middle);
        theirs.receivers[node].assign(middle, end);
        at = end;
    }
    return theirs;
}

} // namespace

std::shared_ptr<const NodeNeighborhood> learn_node_neighborhood(const Ground& ground, const Graph& graph)
{
    const ProcessGroup& group = ground.group;
    using schedules::Blocks;
    auto result = std::make_shared<NodeNeighborhood>();
    const schedules::Nodes& nodes = group.node_map();
    const int node = nodes.of_rank[static_cast<std::size_t>(group.rank())];
    result->lists = lists_of_node(ground, graph, node);
    const auto processes = static_cast<int>(group.node_ranks().size());
    const auto plan = [&](Blocks blocks, const schedules::Route& route) {
        return plan_node(nodes, result->lists, blocks, route);
    };
    CollectiveConsensus consensus(ground.comm);
    std::int64_t parts[] = {balanced_part(plan(Blocks::individual, {}), processes),
                            balanced_part(plan(Blocks::common, {}), processes)};
    consensus.maxima(parts, 2);
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
    consensus.maxima(largest, 2);
    result->most_blocks = static_cast<int>(largest[0]);
    result->most_messages = static_cast<int>(largest[1]);
    return result;
}

} // namespace hopscotch::shim
