// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The times of all ways on networks with shared links, and those of the choice of `auto`.
#include "scripts/simulation/loaded_times.hpp"

#include "scripts/simulation/automatic.hpp"

using namespace hopscotch::schedules;

namespace simulation
{

namespace
{

Way way_of(Algorithm algorithm)
{
    switch (algorithm) {
    case Algorithm::aggregated:
        return Way::aggregated;
    case Algorithm::combining:
        return Way::combining;
    case Algorithm::trivial:
    case Algorithm::native:
        return Way::direct;
    default:
        return Way::merged;
    }
}

std::string key_of(Way way, const std::vector<Group>& groups)
{
    std::string key = name(way);
    return key += " " + to_string(groups);
}

} // namespace

const Traffic& LoadedTimes::traffic(Way way, const std::vector<Group>& groups)
{
    const std::string key = key_of(way, groups);
    const auto found = traffic_.find(key);
    if (found != traffic_.end())
        return found->second;
    setting_.combine_by(groups);
    const Traffic& made = traffic_.emplace(key, traffic_of(setting_, way)).first->second;
    setting_.combine_by({});
    return made;
}

double LoadedTimes::seconds(Way way, const std::vector<Group>& groups, const Placement& placement, double block_bytes)
{
    const Traffic& made = traffic(way, groups);
    const std::string key = placement.name() + " " + key_of(way, groups);
    auto found = loads_.find(key);
    if (found == loads_.end())
        found = loads_.emplace(key, made.loads(placement)).first;
    return loaded_seconds(made.efforts, found->second, block_bytes, network_of(machine_, way));
}

LoadedTime LoadedTimes::fastest_member(const Placement& placement, double block_bytes)
{
    LoadedTime result{seconds(Way::combining, {}, placement, block_bytes), "paper"};
    for (const Member& member : setting_.family()) {
        if (member.phases() < 2)
            continue;
        const double time = seconds(Way::combining, member.groups, placement, block_bytes);
        if (time < result.seconds)
            result = {time, to_string(member.groups)};
    }
    return result;
}

Network LoadedTimes::probed(const Placement& placement, Pairs pairs) const
{
    const int nodes = setting_.nodes().count();
    std::vector<int> node_at(static_cast<std::size_t>(nodes));
    for (int node = 0; node < nodes; ++node)
        node_at[static_cast<std::size_t>(setting_.place_of(node))] = node;
    NodeFlows flows;
    const int distance = pairs == Pairs::near ? 1 : nodes / 2;
    for (int i = 0; i + distance < nodes; i += pairs == Pairs::near ? 2 : 1)
        flows.push_back({node_at[static_cast<std::size_t>(i)], node_at[static_cast<std::size_t>(i + distance)], 1});
    flows.resize(static_cast<std::size_t>(nodes / 2));
    Network network = machine_.network;
    network.gap_per_byte *= busiest_link(flows, placement.network(), placement.places()).blocks;
    return network;
}

LoadedTime LoadedTimes::chosen_by_auto(const Placement& placement, double block_bytes, Pairs pairs)
{
    const Network network = probed(placement, pairs);
    auto found = choices_.find(network.gap_per_byte);
    if (found == choices_.end())
        found = choices_.emplace(network.gap_per_byte, automatic_choices(setting_, network)).first;
    const Choice& choice = choice_for(found->second, static_cast<std::size_t>(block_bytes));
    return {seconds(way_of(choice.algorithm), choice.groups, placement, block_bytes),
            hopscotch::schedules::name(choice)};
}

LoadedTime LoadedTimes::time(const std::string& way, const Placement& placement, double block_bytes)
{
    if (way == "family")
        return fastest_member(placement, block_bytes);
    if (way == "auto" || way == "auto_far")
        return chosen_by_auto(placement, block_bytes, way == "auto" ? Pairs::near : Pairs::far);
    return {seconds(simulation::way_of(way), {}, placement, block_bytes), ""};
}

} // namespace simulation
