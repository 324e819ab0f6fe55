// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/node_plan.hpp"

#include "schedules/grid/neighborhood.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>

namespace hopscotch::schedules
{

namespace
{

std::tuple<int, int, int, int> key(const Crossing& crossing)
{
    return {crossing.node, crossing.source, crossing.destination, crossing.order};
}

bool before(const Crossing& a, const Crossing& b)
{
    return key(a) < key(b);
}

/// True if an entry of a neighbor list is on another node.
bool elsewhere(const Nodes& nodes, const NodeLists& lists, int rank)
{
    return rank != no_rank && nodes.of_rank[rank] != lists.node;
}

enum class MessageDirection { out, in };

std::vector<Crossing> crossings(const Nodes& nodes, const NodeLists& lists, Blocks blocks, MessageDirection direction)
{
    const bool out = direction == MessageDirection::out;
    const std::vector<std::vector<int>>& neighbors = out ? lists.destinations : lists.sources;
    std::vector<Crossing> result;
    for (std::size_t position = 0; position < neighbors.size(); ++position) {
        const int self = nodes.ranks[lists.node][position];
        const std::vector<int> orders = occurrence(neighbors[position]);
        for (std::size_t i = 0; i < orders.size(); ++i) {
            const int other = neighbors[position][i];
            if (!elsewhere(nodes, lists, other))
                continue;
            const int node = nodes.of_rank[other];
            const int source = out ? self : other;
            const int destination = out ? other : self;
            result.push_back(blocks == Blocks::common ? Crossing{node, no_rank, source, 0}
                                                      : Crossing{node, destination, source, orders[i]});
        }
    }
    const auto same = [](const Crossing& a, const Crossing& b) { return key(a) == key(b); };
    std::sort(result.begin(), result.end(), before);
    result.erase(std::unique(result.begin(), result.end(), same), result.end());
    return result;
}

std::vector<Wanted> wanted(const Nodes& nodes, const NodeLists& lists, const std::vector<Crossing>& incoming,
                           Blocks blocks)
{
    std::vector<Wanted> result;
    if (blocks == Blocks::individual) {
        for (std::size_t i = 0; i < incoming.size(); ++i)
            result.push_back({static_cast<int>(i), nodes.position(incoming[i].destination)});
        return result;
    }
    for (std::size_t position = 0; position < lists.sources.size(); ++position)
        for (const int rank : lists.sources[position]) {
            if (!elsewhere(nodes, lists, rank))
                continue;
            const Crossing crossing{nodes.of_rank[rank], no_rank, rank, 0};
            const auto found = std::lower_bound(incoming.begin(), incoming.end(), crossing, before);
            result.push_back({static_cast<int>(found - incoming.begin()), static_cast<int>(position)});
        }
    const auto fields = [](const Wanted& one) { return std::tie(one.incoming, one.position); };
    std::sort(result.begin(), result.end(),
              [fields](const Wanted& a, const Wanted& b) { return fields(a) < fields(b); });
    const auto last = std::unique(result.begin(), result.end(),
                                  [fields](const Wanted& a, const Wanted& b) { return fields(a) == fields(b); });
    result.erase(last, result.end());
    return result;
}

/// Nodes of the crossings, and the index of each crossing among those with the same node: one list of neighbors.
struct OrdersByNode {
    std::vector<int> nodes;
    std::vector<int> orders;
};

OrdersByNode list_of(const std::vector<Crossing>& crossings, const Route& route)
{
    OrdersByNode list;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
        const bool first = i == 0 || crossings[i].node != crossings[i - 1].node;
        list.nodes.push_back(route.straight() ? crossings[i].node : route.place[crossings[i].node]);
        list.orders.push_back(first ? 0 : list.orders.back() + 1);
    }
    return list;
}

/// The schedule of the node as one process: its blocks to and from another node are parallel edges.
Schedule schedule_of(const NodePlan& plan, int node, const Route& route)
{
    OrdersByNode to = list_of(plan.outgoing, route);
    OrdersByNode from = list_of(plan.incoming, route);
    const int rank = route.straight() ? node : route.place[node];
    Edges edges{rank, std::move(to.nodes), std::move(from.nodes), std::move(to.orders), std::move(from.orders)};
    if (!route.straight())
        return combining_alltoall(place(route.grid, route.stencil, edges));
    return merged(edges);
}

/// Number of messages for so many blocks after cutting.
int part_count(int blocks, int most_blocks)
{
    return blocks == 0 ? 0 : (blocks - 1) / most_blocks + 1;
}

int parts_of_all(const std::vector<NodeMessage>& messages, int most_blocks)
{
    int result = 0;
    for (const NodeMessage& message : messages)
        result += part_count(static_cast<int>(message.blocks.size()), most_blocks);
    return result;
}

/// Cuts the rounds into parts and gives each part to a process: those of one direction go round the node in equal
/// steps, the receivers half a step from the senders.
class EvenSteps
{
  public:
    EvenSteps(NodePlan& plan, const Nodes& nodes, int node, const Route& route)
        : plan_(plan), ranks_(nodes.ranks[node]), most_blocks_(route.most_blocks)
    {
        if (route.straight())
            return;
        node_at_.resize(route.place.size());
        for (std::size_t other = 0; other < route.place.size(); ++other)
            node_at_[route.place[other]] = static_cast<int>(other);
    }

    void add(const Schedule& schedule)
    {
        for (const Phase& phase : schedule.phases)
            for (const Round& round : phase.rounds) {
                messages_out_ += parts(static_cast<int>(round.sends.size()));
                messages_in_ += parts(round.arrivals);
            }
        for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase)
            for (const Round& round : schedule.phases[phase].rounds) {
                if (round.destination != no_rank)
                    cut(static_cast<int>(phase), node_at(round.destination), round.sends, MessageDirection::out);
                if (round.source == no_rank)
                    continue;
                std::vector<Slot> arrivals;
                for (int q = 0; q < round.arrivals; ++q)
                    arrivals.push_back({Place::transit, round.first_arrival + q});
                cut(static_cast<int>(phase), node_at(round.source), arrivals, MessageDirection::in);
            }
    }

  private:
    int parts(int blocks) const { return part_count(blocks, most_blocks_); }

    int node_at(int rank) const { return node_at_.empty() ? rank : node_at_[rank]; }

    int next_leader(MessageDirection direction)
    {
        const auto processes = static_cast<long long>(ranks_.size());
        const bool out = direction == MessageDirection::out;
        int& given = out ? given_out_ : given_in_;
        const int messages = out ? messages_out_ : messages_in_;
        const long long half_step = out ? 0 : processes / (2LL * messages);
        return static_cast<int>((given++ * processes / messages + half_step) % processes);
    }

    void cut(int phase, int node, const std::vector<Slot>& blocks, MessageDirection direction)
    {
        const bool out = direction == MessageDirection::out;
        std::vector<int>& leaders = (out ? plan_.leaders.senders : plan_.leaders.receivers)[node];
        const auto count = static_cast<std::size_t>(parts(static_cast<int>(blocks.size())));
        for (std::size_t part = 0; part < count; ++part) {
            const int leader = next_leader(direction);
            leaders.push_back(ranks_[leader]);
            const auto begin = blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() * part / count);
            const auto end = blocks.begin() + static_cast<std::ptrdiff_t>(blocks.size() * (part + 1) / count);
            std::vector<NodeMessage>& messages = out ? plan_.out : plan_.in;
            messages.push_back({phase, node, static_cast<int>(part), leader, {begin, end}});
        }
    }

    NodePlan& plan_;
    const std::vector<int>& ranks_;
    int most_blocks_;
    std::vector<int> node_at_; // node at each rank of the grid; empty without one
    int messages_out_ = 0, messages_in_ = 0;
    int given_out_ = 0, given_in_ = 0;
};

} // namespace

int balanced_part(const NodePlan& plan, int processes)
{
    int largest = 1;
    for (const auto* messages : {&plan.out, &plan.in}) {
        if (static_cast<int>(messages->size()) > processes)
            return Route::whole;
        for (const NodeMessage& message : *messages)
            largest = std::max(largest, static_cast<int>(message.blocks.size()));
    }
    int enough = largest; // and `small` is not
    for (int small = 0; enough - small > 1;) {
        const int middle = small + (enough - small) / 2;
        const bool fits = parts_of_all(plan.out, middle) <= processes && parts_of_all(plan.in, middle) <= processes;
        (fits ? enough : small) = middle;
    }
    return enough;
}

std::vector<int> as_numbers(const Edges& edges)
{
    std::vector<int> numbers{static_cast<int>(edges.destinations.size())};
    numbers.insert(numbers.end(), edges.destinations.begin(), edges.destinations.end());
    numbers.insert(numbers.end(), edges.sources.begin(), edges.sources.end());
    return numbers;
}

NodeLists node_lists_from(int node, const std::vector<std::vector<int>>& numbers)
{
    NodeLists lists{node, {}, {}};
    for (const std::vector<int>& of_process : numbers) {
        const auto first = of_process.begin() + 1;
        const auto middle = first + of_process.front();
        lists.destinations.emplace_back(first, middle);
        lists.sources.emplace_back(middle, of_process.end());
    }
    return lists;
}

std::vector<int> as_numbers(const Leaders& leaders)
{
    std::vector<int> numbers; // for each node: its number, the numbers of senders and receivers, the senders, the
                              // receivers
    for (const auto& [node, senders] : leaders.senders) {
        const std::vector<int>& receivers = leaders.receivers.at(node);
        numbers.insert(numbers.end(), {node, static_cast<int>(senders.size()), static_cast<int>(receivers.size())});
        numbers.insert(numbers.end(), senders.begin(), senders.end());
        numbers.insert(numbers.end(), receivers.begin(), receivers.end());
    }
    return numbers;
}

Leaders leaders_from(const std::vector<int>& numbers)
{
    Leaders leaders;
    for (auto at = numbers.begin(); at != numbers.end();) {
        const int node = at[0];
        const auto middle = at + 3 + at[1];
        const auto end = middle + at[2];
        leaders.senders[node].assign(at + 3, middle);
        leaders.receivers[node].assign(middle, end);
        at = end;
    }
    return leaders;
}

NodePlan plan_node(const Nodes& nodes, const NodeLists& lists, Blocks blocks, const Route& route)
{
    NodePlan plan;
    plan.outgoing = crossings(nodes, lists, blocks, MessageDirection::out);
    plan.incoming = crossings(nodes, lists, blocks, MessageDirection::in);
    plan.wanted = wanted(nodes, lists, plan.incoming, blocks);
    Schedule schedule = schedule_of(plan, lists.node, route);
    if (schedule.phases.empty())
        schedule.phases.emplace_back(); // the same on a node without neighbors
    plan.phases = static_cast<int>(schedule.phases.size());
    plan.incoming_of.assign(static_cast<std::size_t>(schedule.arrivals), no_rank);
    for (const Phase& phase : schedule.phases)
        for (const Round& round : phase.rounds)
            for (const Move& move : round.deliveries)
                plan.incoming_of[move.from.index] = move.to.index;
    EvenSteps(plan, nodes, lists.node, route).add(schedule);
    return plan;
}

} // namespace hopscotch::schedules
