// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/effort.hpp"

#include "schedules/plan/allgather.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <tuple>

namespace hopscotch::schedules
{

void Effort::join(const Effort& other) noexcept
{
    sent = std::max(sent, other.sent);
    received = std::max(received, other.received);
    handovers = std::max(handovers, other.handovers);
    copied_blocks = std::max(copied_blocks, other.copied_blocks);
    leaving_blocks = std::max(leaving_blocks, other.leaving_blocks);
}

std::vector<Effort> efforts(const Schedule& schedule, int rank, const Nodes& nodes)
{
    std::vector<Effort> result;
    const auto elsewhere = [&nodes, rank](int other) {
        return other != no_rank && nodes.of_rank[other] != nodes.of_rank[rank];
    };
    for (const Phase& phase : schedule.phases) {
        Effort effort;
        for (const Round& round : phase.rounds) {
            const std::size_t sends = round.sends.size();
            const bool leaves = elsewhere(round.destination);
            const bool enters = elsewhere(round.source);
            effort.sent += leaves ? 1 : 0;
            effort.received += enters ? 1 : 0;
            effort.handovers +=
                (round.destination != no_rank && !leaves ? 1 : 0) + (round.source != no_rank && !enters ? 1 : 0);
            effort.leaving_blocks += leaves ? static_cast<double>(sends) : 0;
            effort.copied_blocks += leaves && sends == 1 ? 0 : static_cast<double>(sends);
            effort.copied_blocks += enters && round.arrivals == 1 ? 0 : round.arrivals;
        }
        result.push_back(effort);
    }
    return result;
}

namespace
{

/// The entries of a neighbor list that are other processes of the node.
std::vector<int> on_node(const std::vector<int>& neighbors, int rank, const Nodes& nodes)
{
    std::vector<int> result;
    std::copy_if(neighbors.begin(), neighbors.end(), std::back_inserter(result), [&nodes, rank](int other) {
        return other != no_rank && other != rank && nodes.of_rank[other] == nodes.of_rank[rank];
    });
    return result;
}

} // namespace

std::vector<Effort> efforts(const AggregationPart& part, const Edges& edges, Blocks blocks, const Nodes& nodes)
{
    std::vector<Effort> result(2 * static_cast<std::size_t>(part.phases) + 1);
    const auto at = [&result](int phase, int step) -> Effort& {
        return result[2 * static_cast<std::size_t>(phase) + static_cast<std::size_t>(step)];
    };
    result.front().copied_blocks = static_cast<double>(part.cell_slots.size());
    std::set<std::tuple<int, int, int>> looks; // phase, owner, cells or message
    for (const LeaderMessage& message : part.out) {
        for (const Run& run : message.runs)
            if (run.owner != part.own_position && looks.insert({message.phase, run.owner, run.message}).second)
                ++at(message.phase, 0).handovers;
        ++at(message.phase, 1).sent;
        at(message.phase, 1).copied_blocks += message.blocks;
        at(message.phase, 1).leaving_blocks += message.blocks;
    }
    for (const LeaderMessage& message : part.in)
        ++at(message.phase, 1).received;
    for (const DeliveryBatch& batch : part.batches) {
        at(batch.phase, 2).handovers += batch.owner != part.own_position ? 1 : 0;
        for (std::size_t i = batch.first; i < batch.last; ++i)
            if (i == batch.first || part.deliveries[i].index != part.deliveries[i - 1].index)
                ++at(batch.phase, 2).copied_blocks;
    }
    const std::size_t sends = on_node(edges.destinations, edges.rank, nodes).size();
    const std::vector<int> slots = on_node(edges.sources, edges.rank, nodes);
    const std::size_t sources = std::set<int>(slots.begin(), slots.end()).size();
    const bool common = blocks == Blocks::common;
    result[1].copied_blocks += static_cast<double>(common ? std::min<std::size_t>(sends, 1) : sends);
    result[1].copied_blocks += static_cast<double>(common ? sources : slots.size());
    result[1].handovers += static_cast<double>(sources);
    return result;
}

std::vector<Effort> busiest(const std::vector<std::vector<Effort>>& all, const Nodes& nodes)
{
    std::vector<Effort> result(all.empty() ? 0 : all.front().size());
    for (const std::vector<int>& ranks : nodes.ranks)
        for (std::size_t phase = 0; phase < result.size(); ++phase) {
            double leaving = 0;
            for (const int rank : ranks) {
                leaving += all[rank][phase].leaving_blocks;
                result[phase].join(all[rank][phase]);
            }
            result[phase].leaving_blocks = std::max(result[phase].leaving_blocks, leaving);
        }
    return result;
}

double predicted_seconds(const std::vector<Effort>& phases, double block_bytes, const Network& network) noexcept
{
    double seconds = 0;
    for (const Effort& effort : phases) {
        const double process = effort.sent * network.send_overhead + effort.received * network.receive_overhead +
                               effort.handovers * network.node_overhead +
                               effort.copied_blocks * block_bytes * network.copy_per_byte;
        const double transfer = (effort.sent > 0 ? network.send_overhead : 0) +
                                effort.leaving_blocks * block_bytes * network.gap_per_byte +
                                (effort.received > 0 ? network.receive_overhead : 0);
        seconds += std::max(process, transfer);
        if (effort.sent + effort.received > 0)
            seconds += network.latency;
        else if (effort.handovers > 0)
            seconds += network.node_latency;
    }
    return seconds;
}

std::vector<Efforts> compared_efforts(const AggregationPart& aggregated, const Edges& edges, Blocks blocks,
                                      const Nodes& nodes, const Topology* grid, const Stencil* stencil)
{
    const bool common = blocks == Blocks::common;
    std::vector<Efforts> algorithms;
    algorithms.push_back(efforts(aggregated, edges, blocks, nodes));
    Schedule direct = common ? merged_allgather(edges) : merged(edges);
    direct.phases.resize(1); // also on a process without neighbors
    algorithms.push_back(efforts(direct, edges.rank, nodes));
    if (grid == nullptr)
        return algorithms;
    const Neighborhood neighborhood = place(*grid, *stencil, edges);
    const Schedule combining =
        common ? combining_allgather(neighborhood, route_along(*stencil, best_dimension_order(*stencil)))
               : combining_alltoall(neighborhood);
    algorithms.push_back(efforts(combining, edges.rank, nodes));
    return algorithms;
}

std::size_t aggregating_pays_up_to(const std::vector<Efforts>& busiest, const Network& network) noexcept
{
    const auto seconds = [&](std::size_t algorithm, std::size_t bytes) {
        return predicted_seconds(busiest[algorithm], static_cast<double>(bytes), network);
    };
    if (busiest.size() > 2 && seconds(2, 1) < seconds(0, 1))
        return 0;
    constexpr std::size_t most = std::size_t{1} << 30;
    std::size_t result = 0;
    for (std::size_t bytes = 1; bytes <= most && seconds(0, bytes) <= seconds(1, bytes); bytes *= 2)
        result = bytes;
    return result;
}

} // namespace hopscotch::schedules
