// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/node_gather.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hopscotch::schedules
{

namespace
{

/// The phases in which a node that has its own blocks gets those of all nodes.
int phases(int nodes, int radix)
{
    int result = 0;
    for (std::int64_t known = 1; known < nodes; known *= radix)
        ++result;
    return result;
}

int radix(int nodes, int least_on_node)
{
    const int most = least_on_node + 1;
    int result = 2;
    while (result < most && phases(nodes, result) > phases(nodes, most))
        ++result;
    return result;
}

/// The positions on a node of so many processes that send and receive message number `hop`: half the node apart.
int sender(std::size_t hop, std::size_t processes)
{
    return static_cast<int>(hop % processes);
}

int receiver(std::size_t hop, std::size_t processes)
{
    return static_cast<int>((hop + processes / 2) % processes);
}

/// Processes of the smallest node and of the largest.
struct Sizes {
    std::size_t least;
    std::size_t most;
};

Sizes sizes_of(const Nodes& nodes)
{
    Sizes result{nodes.of_rank.size(), 0};
    for (const std::vector<int>& ranks : nodes.ranks)
        result = {std::min(result.least, ranks.size()), std::max(result.most, ranks.size())};
    return result;
}

std::vector<NodeHop> hops_of(const Nodes& nodes)
{
    return node_hops(nodes.count(), static_cast<int>(sizes_of(nodes).least));
}

/// Plans the node of one process.
class NodeGatherPlanner
{
  public:
    NodeGatherPlanner(const Nodes& nodes, int rank)
        : nodes_(nodes), node_(nodes.of_rank[rank]), position_(nodes.position(rank)), hops_(hops_of(nodes))
    {
    }

    NodePlan plan()
    {
        list_blocks();
        list_readers();
        plan_.phases = hops_.empty() ? 0 : hops_.back().phase + 1;
        for (std::size_t hop = 0; hop < hops_.size(); ++hop)
            add(hop);
        return std::move(plan_);
    }

    /// The processes at the other ends of the messages.
    Leaders theirs() const
    {
        Leaders result;
        for (std::size_t hop = 0; hop < hops_.size(); ++hop) {
            const int from = at(hops_[hop].distance);
            const int to = at(-hops_[hop].distance);
            const std::vector<int>& senders = nodes_.ranks[from];
            const std::vector<int>& receivers = nodes_.ranks[to];
            result.senders[from] = {senders[sender(hop, senders.size())]};
            result.receivers[to] = {receivers[receiver(hop, receivers.size())]};
        }
        return result;
    }

  private:
    /// The node so far ahead on the ring.
    int at(int distance) const
    {
        const int count = nodes_.count();
        return (node_ + distance + count) % count;
    }

    /// Blocks come in the order of the ring.
    void list_blocks()
    {
        for (const int rank : nodes_.ranks[node_])
            plan_.outgoing.push_back({node_, no_rank, rank, 0});
        for (int ahead = 1; ahead < nodes_.count(); ++ahead) {
            begins_.push_back(static_cast<int>(plan_.incoming.size()));
            for (const int rank : nodes_.ranks[at(ahead)])
                plan_.incoming.push_back({at(ahead), no_rank, rank, 0});
        }
        begins_.push_back(static_cast<int>(plan_.incoming.size()));
        for (int block = 0; block < begins_.back(); ++block)
            plan_.incoming_of.push_back(block);
    }

    /// The process wants all blocks. Of other processes the first block of each message is enough: they read it.
    void list_readers()
    {
        for (int block = 0; block < begins_.back(); ++block)
            plan_.wanted.push_back({block, position_});
        const int mates = static_cast<int>(nodes_.ranks[node_].size());
        for (const NodeHop& hop : hops_)
            for (int position = 0; position < mates; ++position)
                if (position != position_)
                    plan_.wanted.push_back({begins_[hop.distance - 1], position});
    }

    /// Blocks of the nodes [first, last) ahead.
    std::vector<Slot> blocks(int first, int last) const
    {
        std::vector<Slot> result;
        if (first == 0) {
            for (std::size_t i = 0; i < plan_.outgoing.size(); ++i)
                result.push_back({Place::send, static_cast<int>(i)});
            first = 1;
        }
        for (int block = begins_[first - 1]; block < begins_[last - 1]; ++block)
            result.push_back({Place::transit, block});
        return result;
    }

    void add(std::size_t number)
    {
        const NodeHop& hop = hops_[number];
        const std::size_t processes = nodes_.ranks[node_].size();
        plan_.out.push_back({hop.phase, at(-hop.distance), 0, sender(number, processes), blocks(0, hop.nodes)});
        plan_.in.push_back({hop.phase, at(hop.distance), 0, receiver(number, processes),
                            blocks(hop.distance, hop.distance + hop.nodes)});
    }

    const Nodes& nodes_;
    int node_;
    int position_; // of the process on the node
    std::vector<NodeHop> hops_;
    std::vector<int> begins_; // of the incoming blocks of each node ahead, from 1 on, and their end
    NodePlan plan_;
};

} // namespace

std::vector<NodeHop> node_hops(int nodes, int least_on_node)
{
    std::vector<NodeHop> result;
    const std::int64_t r = radix(nodes, least_on_node);
    int phase = 0;
    for (std::int64_t known = 1; known < nodes; known *= r, ++phase)
        for (std::int64_t distance = known; distance < std::min<std::int64_t>(r * known, nodes); distance += known)
            result.push_back({phase, static_cast<int>(distance), static_cast<int>(std::min(known, nodes - distance))});
    return result;
}

std::vector<StagingBuffer> gather_buffers(const Nodes& nodes)
{
    const auto [least, most] = sizes_of(nodes);
    const std::vector<NodeHop> hops = hops_of(nodes);
    std::vector<StagingBuffer> result(least, StagingBuffer{1, {}}); // on larger nodes fewer messages share a receiver
    for (std::size_t hop = 0; hop < hops.size(); ++hop)
        result[receiver(hop, least)].message_blocks.push_back(hops[hop].nodes * static_cast<int>(most));
    return result;
}

AggregationPart gather_part(const Nodes& nodes, int rank)
{
    NodeGatherPlanner planner(nodes, rank);
    const Leaders theirs = planner.theirs();
    return aggregation_part(planner.plan(), nodes, edges_to_everyone(static_cast<int>(nodes.of_rank.size()), rank),
                            Blocks::common, theirs);
}

} // namespace hopscotch::schedules
