// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Compares the busiest links of schedules/network/ with the flows of SimGrid, on SimGrid's own fat trees, dragonflies
// and tori.
//
//   flows NODES PROCESSES_PER_NODE DIMENSIONS SHIFTS WAY,... NETWORK ALLOCATION
//
// NETWORK: fat-tree:TAPER as in published_network.hpp; dragonfly, 8 groups of 2 chassis of 8 routers with 2 nodes each,
// one link, three links and four links; torus, 8 x 8 x 4 nodes with links like interfaces. The last two have 256 nodes.
// In each phase all flows between nodes begin at once, and the next phase begins after the last one has ended. A block
// has 1,000,000 bytes, an interface transfers as much in a second. A line of CSV for each way: the way, seconds by the
// busiest links, seconds by SimGrid, in the sum over phases.
#include "scripts/simulation/loaded.hpp"

#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>

using namespace hopscotch::schedules;
using namespace simulation;
namespace sg4 = simgrid::s4u;

namespace
{

constexpr double block_bytes = 1e6;
constexpr double bandwidth = 1e6;

std::string host_name(unsigned long id)
{
    std::string name = "node-";
    return name += std::to_string(id);
}

using Ends = std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*>;

Ends host(sg4::NetZone* zone, const std::vector<unsigned long>&, unsigned long id)
{
    return {zone->create_host(host_name(id), 1e9)->get_netpoint(), nullptr};
}

/// A host with an interface of its own, for tori, which have none.
Ends host_behind_interface(sg4::NetZone* zone, const std::vector<unsigned long>&, unsigned long id)
{
    sg4::NetZone* const own = sg4::create_star_zone("zone-" + host_name(id));
    own->set_parent(zone);
    auto* const gateway = own->create_router("router-" + host_name(id));
    const sg4::Host* const host = own->create_host(host_name(id), 1e9);
    const sg4::Link* const link = own->create_split_duplex_link("interface-" + host_name(id), bandwidth);
    own->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, {{link, sg4::LinkInRoute::Direction::UP}}, true);
    own->seal();
    return {own->get_netpoint(), gateway};
}

void build(const FatTree& tree)
{
    const auto count = [](int number) { return static_cast<unsigned int>(number); };
    sg4::create_fatTree_zone("network", nullptr,
                             {2, {count(tree.nodes_per_leaf), count(tree.leaves)}, {1, count(tree.uplinks)}, {1, 1}},
                             sg4::ClusterCallbacks(host), bandwidth, 0, sg4::Link::SharingPolicy::SPLITDUPLEX)
        ->seal();
}

void build(const Dragonfly& fly)
{
    const auto pair = [](int number, double links) {
        return std::make_pair(static_cast<unsigned int>(number), static_cast<unsigned int>(links));
    };
    sg4::create_dragonfly_zone("network", nullptr,
                               {pair(fly.groups, fly.between_groups), pair(fly.chassis, fly.between_chassis),
                                pair(fly.routers, fly.within_chassis), static_cast<unsigned int>(fly.nodes_per_router)},
                               sg4::ClusterCallbacks(host), bandwidth, 0, sg4::Link::SharingPolicy::SPLITDUPLEX)
        ->seal();
}

void build(const TorusNetwork& torus)
{
    sg4::create_torus_zone("network", nullptr, {torus.dims.begin(), torus.dims.end()},
                           sg4::ClusterCallbacks(host_behind_interface), bandwidth, 0,
                           sg4::Link::SharingPolicy::SPLITDUPLEX)
        ->seal();
}

NetworkShape shape_of(const std::string& name, int nodes)
{
    if (name == "dragonfly")
        return Dragonfly{8, 2, 8, 2, 1, 3, 4};
    if (name == "torus")
        return TorusNetwork{{8, 8, 4}, 1, {1, 1, 1}};
    return published_network(name, nodes).shape();
}

/// The seconds of one phase.
double simulated(const NodeFlows& flows, const NodePlaces& places)
{
    const double begin = sg4::Engine::get_clock();
    const auto host_of = [&places](int node) {
        return sg4::Host::by_name(host_name(static_cast<unsigned long>(places[static_cast<std::size_t>(node)])));
    };
    std::vector<sg4::CommPtr> all;
    for (const NodeFlow& flow : flows) {
        all.push_back(sg4::Comm::sendto_init(host_of(flow.from), host_of(flow.to)));
        all.back()->set_payload_size(static_cast<std::uint64_t>(flow.blocks * block_bytes))->start();
    }
    sg4::Comm::wait_all(all);
    return sg4::Engine::get_clock() - begin;
}

} // namespace

int main(int argc, char** argv)
{
    sg4::Engine engine(&argc, argv);
    if (argc < 8) {
        std::fputs("usage: flows NODES PROCESSES_PER_NODE DIMENSIONS SHIFTS WAY,... NETWORK ALLOCATION\n", stderr);
        return 2;
    }
    for (const char* option : {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0"})
        sg4::Engine::set_config(option);
    const int nodes = std::atoi(argv[1]);
    const int per_node = std::atoi(argv[2]);
    const Setting setting(nodes * per_node, per_node, std::atoi(argv[3]), std::atoi(argv[4]), Blocks::individual,
                          Ranks::consecutive);
    const NodePlaces places = node_places(argv[7], nodes);
    const Interconnect network(shape_of(argv[6], nodes_needed(places)));
    std::visit([](const auto& shape) { build(shape); }, network.shape());
    sg4::Actor::create("all", sg4::Host::by_name(host_name(0)), [&] {
        for (const std::string& way : words(argv[5])) {
            double by_links = 0;
            double by_flows = 0;
            for (const NodeFlows& flows : traffic_of(setting, way_of(way)).flows) {
                by_links += busiest_link(flows, network, places).blocks * block_bytes / bandwidth;
                by_flows += flows.empty() ? 0 : simulated(flows, places);
            }
            std::printf("flows,%s,%.9f,%.9f\n", way.c_str(), by_links, by_flows);
            std::fflush(stdout);
        }
    });
    engine.run();
    return 0;
}
