// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/network/link_load.hpp"

#include <algorithm>
#include <stdexcept>

namespace hopscotch::schedules
{

std::vector<SentMessage> sent_messages(const Schedule& schedule)
{
    std::vector<SentMessage> result;
    for (std::size_t phase = 0; phase < schedule.phases.size(); ++phase)
        for (const Round& round : schedule.phases[phase].rounds)
            if (round.destination != no_rank)
                result.push_back({static_cast<int>(phase), round.destination, static_cast<int>(round.sends.size())});
    return result;
}

std::vector<SentMessage> moved_messages(std::vector<SentMessage> messages, const Topology& torus, int of, int rank)
{
    const std::vector<int> before = torus.coordinates(of);
    const std::vector<int> after = torus.coordinates(rank);
    std::vector<int> place(before.size());
    for (SentMessage& message : messages) {
        torus.coordinates(message.destination, place.data());
        for (std::size_t k = 0; k < place.size(); ++k) {
            const int extent = torus.dims()[k];
            place[k] = (place[k] - before[k] + after[k] + extent) % extent;
        }
        message.destination = torus.rank(place.data());
    }
    return messages;
}

std::vector<NodeFlows> node_flows(int phases, const Nodes& nodes,
                                  const std::function<std::vector<SentMessage>(int rank)>& messages_of)
{
    std::vector<NodeFlows> result(static_cast<std::size_t>(phases));
    const auto count = static_cast<std::size_t>(nodes.count());
    std::vector<std::vector<double>> blocks(result.size(), std::vector<double>(count));
    for (std::size_t node = 0; node < count; ++node) {
        for (const int rank : nodes.ranks[node])
            for (const SentMessage& message : messages_of(rank))
                blocks[static_cast<std::size_t>(message.phase)]
                      [static_cast<std::size_t>(nodes.of_rank[static_cast<std::size_t>(message.destination)])] +=
                    message.blocks;
        for (std::size_t phase = 0; phase < result.size(); ++phase) {
            for (std::size_t other = 0; other < count; ++other)
                if (other != node && blocks[phase][other] > 0)
                    result[phase].push_back({static_cast<int>(node), static_cast<int>(other), blocks[phase][other]});
            std::fill(blocks[phase].begin(), blocks[phase].end(), 0);
        }
    }
    return result;
}

LinkLoad busiest_link(const NodeFlows& flows, const Interconnect& network, const NodePlaces& places)
{
    std::vector<double> load(static_cast<std::size_t>(network.links()));
    LinkLoad result;
    for (const NodeFlow& flow : flows) {
        const std::vector<int> way =
            network.route(places[static_cast<std::size_t>(flow.from)], places[static_cast<std::size_t>(flow.to)]);
        result.switches = std::max(result.switches, static_cast<int>(way.size()) - 1);
        for (const int link : way)
            load[static_cast<std::size_t>(link)] += flow.blocks;
    }
    for (int link = 0; link < network.links(); ++link)
        if (const double blocks = load[static_cast<std::size_t>(link)] / network.bandwidth(link);
            blocks > result.blocks) {
            result.blocks = blocks;
            result.link = link;
        }
    return result;
}

double loaded_seconds(std::vector<Effort> phases, const std::vector<LinkLoad>& loads, double block_bytes,
                      const Network& network)
{
    if (phases.size() != loads.size())
        throw std::invalid_argument("link loads of " + std::to_string(loads.size()) + " phases for " +
                                    std::to_string(phases.size()));
    double beyond = 0;
    for (std::size_t phase = 0; phase < phases.size(); ++phase) {
        phases[phase].leaving_blocks = loads[phase].blocks;
        beyond += std::max(loads[phase].switches - 1, 0) * seconds_per_switch;
    }
    return predicted_seconds(phases, block_bytes, network) + beyond;
}

} // namespace hopscotch::schedules
