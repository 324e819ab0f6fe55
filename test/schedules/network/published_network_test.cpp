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
        const auto shape = std::get<FatTree>(published_network(name, nodes).shape());
        return std::array<int, 3>{shape.leaves, shape.nodes_per_leaf, shape.uplinks};
    };
    CHECK(tree("fat-tree", 64) == std::array<int, 3>{4, 18, 18});
    CHECK(tree("fat-tree:2", 64) == std::array<int, 3>{3, 24, 12});
    CHECK(tree("fat-tree:2", 72) == std::array<int, 3>{3, 24, 12});
    CHECK(tree("fat-tree:4", 1) == std::array<int, 3>{1, 28, 7});
}

TEST_CASE("published network: groups of 384 nodes, routers of two", "[network]")
{
    for (const auto& [nodes, groups] : {std::pair(384, 1), std::pair(385, 2), std::pair(16 * 384, 16)}) {
        const auto fly = std::get<Dragonfly>(published_network("dragonfly", nodes).shape());
        CHECK(std::array<int, 3>{fly.groups, fly.chassis, fly.routers} == std::array<int, 3>{groups, 6, 16});
        CHECK(fly.between_groups == about(16 * 0.47));
    }
    CHECK(std::get<Dragonfly>(published_network("dragonfly:64", 1).shape()).between_groups == about(64 * 0.47));
    const auto torus = [](int nodes) { return std::get<TorusNetwork>(published_network("torus", nodes).shape()).dims; };
    CHECK(torus(1024) == std::array<int, 3>{8, 8, 8});
    CHECK(torus(55) == std::array<int, 3>{4, 3, 3});
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
    CHECK(node_places("fragmented:1", 8) == NodePlaces{8, 10, 13, 14, 15, 19, 21, 27});
    const NodePlaces places = node_places("fragmented:1", 64);
    CHECK(places.size() == 64);
    CHECK(std::is_sorted(places.begin(), places.end()));
    CHECK(std::adjacent_find(places.begin(), places.end()) == places.end());
    CHECK(places.back() < 256);
    CHECK(nodes_needed(places) == places.back() + 1);
    CHECK_FALSE(places == node_places("fragmented:2", 64));
    // A random quarter has about as many nodes in either half: by chance 32 of 64 within 16, four standard deviations.
    const auto low = std::count_if(places.begin(), places.end(), [](int place) { return place < 128; });
    CHECK(low >= 16);
    CHECK(low <= 48);
}
