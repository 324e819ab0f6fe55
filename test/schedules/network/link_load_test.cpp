// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The busiest links of small jobs, counted by hand.
#include "schedules/network/link_load.hpp"

#include "schedules/plan/combining.hpp"
#include "schedules/plan/direct.hpp"
#include "test/catch.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

/// Each process sends a block to each other one.
NodeFlows everyone_to_everyone(const Nodes& nodes)
{
    const int processes = static_cast<int>(nodes.of_rank.size());
    const auto messages_of = [&](int rank) { return sent_messages(merged(edges_to_everyone(processes, rank))); };
    return node_flows(1, nodes, messages_of).at(0);
}

/// From, to and blocks of each flow.
std::vector<std::tuple<int, int, double>> in_numbers(const NodeFlows& flows)
{
    std::vector<std::tuple<int, int, double>> result;
    for (const NodeFlow& flow : flows)
        result.emplace_back(flow.from, flow.to, flow.blocks);
    return result;
}

} // namespace

TEST_CASE("link load: flows between nodes", "[network]")
{
    // Ranks 0 and 1 on node 0, 2 on node 1: both send one block to 2, which sends two to node 0.
    const NodeFlows flows = everyone_to_everyone(nodes_of({0, 0, 1}));
    CHECK(in_numbers(flows) == std::vector<std::tuple<int, int, double>>{{0, 1, 2}, {1, 0, 2}});
}

TEST_CASE("link load: a taper moves the load from interfaces to links between switches", "[network]")
{
    // Four nodes, two on each leaf: each sends three blocks, two of them to the other leaf.
    const NodeFlows flows = everyone_to_everyone(nodes_of({0, 1, 2, 3}));
    const NodePlaces places = node_places("block", 4);
    const LinkLoad full = busiest_link(flows, Interconnect(FatTree{2, 2, 2}), places);
    CHECK(full.blocks == 3);
    CHECK(full.link == 0); // the first interface
    CHECK(full.switches == 3);
    const LinkLoad tapered = busiest_link(flows, Interconnect(FatTree{2, 2, 1}), places);
    CHECK(tapered.blocks == 4); // two nodes send two blocks each over the link of their leaf
    CHECK(tapered.link == 8);
    const LinkLoad one_leaf = busiest_link(flows, Interconnect(FatTree{1, 4, 1}), places);
    CHECK(one_leaf.blocks == 3);
    CHECK(one_leaf.switches == 1);
}

TEST_CASE("link load: a slow link counts for more blocks", "[network]")
{
    // A ring of four routers along the second dimension, at half the speed of an interface. Node i sends to i + 2: two
    // links forward; each link carries two blocks, which take as long as four on an interface.
    const NodeFlows flows = {{0, 2, 1}, {1, 3, 1}, {2, 0, 1}, {3, 1, 1}};
    const LinkLoad load = busiest_link(flows, Interconnect(TorusNetwork{{1, 4, 1}, 1, {1, 0.5, 1}}), {0, 1, 2, 3});
    CHECK(load.blocks == 4);
    CHECK(load.switches == 3);
    CHECK(busiest_link({}, Interconnect(FatTree{1, 4, 1}), {0, 1, 2, 3}).link == -1);
}

TEST_CASE("link load: the processes of a torus send alike", "[network]")
{
    const Topology torus({5, 4, 3}, {true, true, true});
    const Stencil stencil = sorted(canonical(moore(3, 1), torus));
    const auto messages_of = [&](int rank) {
        return sent_messages(combining_alltoall(place(torus, stencil, edges_of(torus, stencil, rank))));
    };
    std::vector<int> planes;
    for (int rank = 0; rank < torus.size(); ++rank)
        planes.push_back(rank / 12);
    const Nodes nodes = nodes_of(planes);
    const std::vector<NodeFlows> one_by_one = node_flows(3, nodes, messages_of);
    const std::vector<NodeFlows> moved =
        node_flows(3, nodes, [&](int rank) { return moved_messages(messages_of(17), torus, 17, rank); });
    for (std::size_t phase = 0; phase < 3; ++phase)
        CHECK(in_numbers(moved[phase]) == in_numbers(one_by_one[phase]));
    CHECK(moved[0].size() == 5 * 2); // from each node to the two next to it
}

TEST_CASE("link load: the time of a call", "[network]")
{
    Effort effort;
    effort.sent = effort.received = 1;
    effort.leaving_blocks = 3;
    const Network network{1.0, 10.0, 20.0, 0.5, 2.0, 3.0, 0.25};
    // 1 latency, 10 and 20 for the message; the link of four blocks of 100 bytes needs 4 * 100 * 0.5 instead of 3 * ...
    CHECK(loaded_seconds({effort}, {{8, 4, 1}}, 100, network) == about(1 + 30 + 200));
    CHECK(loaded_seconds({effort}, {{0, 3, 1}}, 100, network) == about(predicted_seconds({effort}, 100, network)));
    CHECK(loaded_seconds({effort}, {{0, 3, 4}}, 0, network) == about(1 + 30 + 3 * seconds_per_switch));
    CHECK(loaded_seconds({{}, {}, {}}, {{0, 0, 4}, {0, 0, 1}, {-1, 0, 0}}, 0, {}) == about(3 * seconds_per_switch));
    CHECK_THROWS_AS(loaded_seconds({effort}, {}, 0, network), std::invalid_argument);
}
