// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The simulated job on a network with shared links: its traffic, and the time of a call.
#include "scripts/simulation/loaded.hpp"

#include <algorithm>
#include <stdexcept>

using namespace hopscotch::schedules;

namespace simulation
{

namespace
{

NodePlaces places_of(const std::string& text, const Setting& setting)
{
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos)
        throw std::invalid_argument("'" + text + "' names no allocation behind a slash");
    const NodePlaces in_order = node_places(text.substr(slash + 1), setting.nodes().count());
    NodePlaces result;
    for (int node = 0; node < setting.nodes().count(); ++node)
        result.push_back(in_order[static_cast<std::size_t>(setting.place_of(node))]);
    return result;
}

std::vector<NodeFlows> flows_of(const Setting& setting, Way way)
{
    std::vector<std::vector<SentMessage>> all(1);
    std::size_t phases = 0;
    for (int rank = 0; rank < (setting.all_alike() ? 1 : setting.grid().size()); ++rank) {
        const Schedule schedule = setting.schedule(way, rank);
        phases = std::max(phases, schedule.phases.size());
        all.resize(static_cast<std::size_t>(rank) + 1);
        all.back() = sent_messages(schedule);
    }
    return node_flows(static_cast<int>(phases), setting.nodes(), [&](int rank) {
        return setting.all_alike() ? moved_messages(all.front(), setting.grid(), 0, rank)
                                   : all[static_cast<std::size_t>(rank)];
    });
}

} // namespace

Placement::Placement(const std::string& text, const Setting& setting)
    : name_(text), places_(places_of(text, setting)),
      network_(published_network(text.substr(0, text.find('/')), nodes_needed(places_)))
{
}

std::vector<LinkLoad> Traffic::loads(const Placement& placement) const
{
    std::vector<LinkLoad> result;
    for (const NodeFlows& phase : flows)
        result.push_back(busiest_link(phase, placement.network(), placement.places()));
    return result;
}

double Traffic::seconds(const Placement& placement, double block_bytes, const Network& network) const
{
    return loaded_seconds(efforts, loads(placement), block_bytes, network);
}

Traffic traffic_of(const Setting& setting, Way way)
{
    Traffic result{setting.efforts(way), {}};
    if (way != Way::aggregated) {
        result.flows = flows_of(setting, way);
        return result;
    }
    // Between the nodes the same blocks travel as in direct messages, in the second of three phases.
    result.flows.resize(result.efforts.size());
    result.flows.at(1) = flows_of(setting, Way::merged).at(0);
    return result;
}

} // namespace simulation
