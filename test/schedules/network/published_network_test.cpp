// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The numbers of links of networks by name, and the places of jobs.
#include "schedules/network/published_network.hpp"

#include "test/catch.hpp"

#include <stdexcept>
#include <variant>

using namespace hopscotch::schedules;

TEST_CASE("published network: leaves with 36 ports", "[network]")
{
    const auto tree = [](const char* name, int nodes) {
        return std::get<FatTree>(published_network(name, nodes).shape());
    };
    CHECK(tree("fat-tree", 64).nodes_per_leaf == 18);
    CHECK(tree("fat-tree", 64).uplinks == 18);
    CHECK(tree("fat-tree", 64).leaves == 4);
    CHECK(tree("fat-tree:2", 64).nodes_per_leaf == 24);
    CHECK(tree("fat-tree:2", 64).uplinks == 12);
    CHECK(tree("fat-tree:2", 72).leaves == 3);
    CHECK(tree("fat-tree:4", 1).nodes_per_leaf == 28);
    CHECK(tree("fat-tree:4", 1).uplinks == 7);
}

TEST_CASE("published network: groups of 384 nodes, routers of two", "[network]")
{
    const auto fly = std::get<Dragonfly>(published_network("dragonfly", 385).shape());
    CHECK(fly.groups == 2);
    CHECK(fly.between_groups == about(16 * 0.47));
    CHECK(std::get<Dragonfly>(published_network("dragonfly:64", 1).shape()).between_groups == about(64 * 0.47));
    const Interconnect torus = published_network("torus", 1024);
    CHECK(std::get<TorusNetwork>(torus.shape()).dims == std::array<int, 3>{8, 8, 8});
    for (const int nodes : {1, 2, 3, 54, 55, 100, 128, 4096})
        CHECK(published_network("torus", nodes).nodes() >= nodes);
}

TEST_CASE("published network: names that are wrong", "[network]")
{
    for (const char* name : {"", "ring", "fat-tree:", "fat-tree:0", "fat-tree:2x", "fat-tree:36", "dragonfly:65",
                             "torus:2", "fat-tree:-1"})
        CHECK_THROWS_AS(published_network(name, 4), std::invalid_argument);
    CHECK_THROWS_AS(published_network("dragonfly", 16 * 384 + 1), std::invalid_argument);
    CHECK_THROWS_AS(published_network("torus", 0), std::invalid_argument);
    CHECK_THROWS_AS(node_places("scattered", 4), std::invalid_argument);
    CHECK_THROWS_AS(node_places("fragmented:x", 4), std::invalid_argument);
}

TEST_CASE("published network: places of a job", "[network]")
{
    CHECK(node_places("block", 3) == NodePlaces{0, 1, 2});
    const NodePlaces places = node_places("fragmented:1", 64);
    CHECK(places.size() == 64);
    CHECK(std::is_sorted(places.begin(), places.end()));
    CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
    CHECK(places.back() < 256);
    CHECK(nodes_needed(places) == places.back() + 1);
    CHECK(places == node_places("fragmented:1", 64));
    CHECK_FALSE(places == node_places("fragmented:2", 64));
    // A random quarter has about as many nodes in either half: by chance 32 of 64 within 16, four standard deviations.
    const auto low = std::count_if(places.begin(), places.end(), [](int place) { return place < 128; });
    CHECK(low >= 16);
    CHECK(low <= 48);
}
