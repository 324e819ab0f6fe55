// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ways through small networks, counted by hand.
#include "schedules/network/interconnect.hpp"

#include "test/catch.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;
using Way = std::vector<int>;

TEST_CASE("interconnect: the destination gives the spine of a fat tree", "[network]")
{
    // Nodes 0 to 3 and 4 to 7 on two leaves, spines 0 and 1. Links: 8 out of nodes, 8 into nodes, 2 up from each leaf,
    // 2 down to each leaf.
    const Interconnect tree(FatTree{2, 4, 2});
    CHECK(tree.nodes() == 8);
    CHECK(tree.links() == 8 + 8 + 4 + 4);
    CHECK(tree.route(3, 3).empty());
    CHECK(tree.route(0, 1) == Way{0, 8 + 1});
    CHECK(tree.route(0, 5) == Way{0, 16 + 1, 20 + 2 + 1, 8 + 5});
    CHECK(tree.route(1, 6) == Way{1, 16 + 0, 20 + 2 + 0, 8 + 6});
    CHECK(tree.route(6, 1) == Way{6, 16 + 2 + 1, 20 + 1, 8 + 1});
    CHECK(tree.bandwidth(23) == 1);
}

TEST_CASE("interconnect: minimal ways in a dragonfly", "[network]")
{
    // Two groups of two chassis of three routers with one node each: router = node. Links behind the 24 of interfaces:
    // 12 * 3 within chassis, 12 * 2 between chassis, 2 * 2 between groups.
    const Interconnect fly(Dragonfly{2, 2, 3, 1, 0.5, 1.5, 7.5});
    const int chassis = 24;
    const int group = chassis + 36;
    const int others = group + 24;
    CHECK(fly.nodes() == 12);
    CHECK(fly.links() == others + 4);
    CHECK(fly.route(0, 2) == Way{0, chassis + 0 * 3 + 2, 12 + 2});
    CHECK(fly.route(0, 4) == Way{0, chassis + 0 * 3 + 1, group + 1 * 2 + 1, 12 + 4});
    // From router 5, the third of the second chassis, to router 10, the second of the second chassis of the other
    // group. The bundle to group 1 is at the second router of the first chassis; in group 1 it ends at the first one.
    CHECK(fly.route(5, 10) == Way{5, chassis + 5 * 3 + 1, group + 4 * 2 + 0, others + 0 * 2 + 1, chassis + 6 * 3 + 1,
                                  group + 7 * 2 + 1, 12 + 10});
    CHECK(fly.route(6, 0) == Way{6, others + 1 * 2 + 0, chassis + 1 * 3 + 0, 12 + 0});
    CHECK(fly.bandwidth(chassis) == 0.5);
    CHECK(fly.bandwidth(group) == 1.5);
    CHECK(fly.bandwidth(others) == 7.5);
    CHECK(fly.bandwidth(0) == 1);
}

TEST_CASE("interconnect: the shorter way round a torus, dimension by dimension", "[network]")
{
    // 4 x 3 x 2 routers with two nodes each; router x + 4 y + 12 z. Behind 96 links of interfaces each router has six:
    // forward and backward along x, y, z.
    const Interconnect torus(TorusNetwork{{4, 3, 2}, 2, {1.5, 0.75, 1.5}});
    const int first = 96;
    CHECK(torus.nodes() == 48);
    CHECK(torus.links() == 96 + 24 * 6);
    CHECK(torus.route(0, 1) == Way{0, 48 + 1}); // both on router 0
    // To router (3, 2, 0): one back along x, over the border, then one back along y.
    CHECK(torus.route(0, 2 * 11) == Way{0, first + 1, first + 3 * 6 + 3, 48 + 22});
    // To router (2, 1, 1): two forward along x, one along y, one along z.
    CHECK(torus.route(1, 2 * 18 + 1) == Way{1, first + 0, first + 6, first + 2 * 6 + 2, first + 6 * 6 + 4, 48 + 37});
    CHECK(torus.bandwidth(first + 1) == 1.5);
    CHECK(torus.bandwidth(first + 3) == 0.75);
}

TEST_CASE("interconnect: every way ends at its node, over links that there are", "[network]")
{
    const std::vector<NetworkShape> shapes = {FatTree{3, 4, 2}, Dragonfly{4, 2, 4, 2, 1, 1, 1},
                                              TorusNetwork{{5, 2, 3}, 2, {1, 1, 1}}};
    for (const NetworkShape& shape : shapes) {
        const Interconnect network(shape);
        for (int from = 0; from < network.nodes(); ++from)
            for (int to = 0; to < network.nodes(); ++to) {
                const Way way = network.route(from, to);
                REQUIRE(way.empty() == (from == to));
                if (way.empty())
                    continue;
                REQUIRE(way.front() == from);
                REQUIRE(way.back() == network.nodes() + to);
                for (std::size_t i = 1; i + 1 < way.size(); ++i)
                    REQUIRE((way[i] >= 2 * network.nodes() && way[i] < network.links()));
            }
    }
}

TEST_CASE("interconnect: numbers that make no network", "[network]")
{
    CHECK_THROWS_AS(Interconnect(FatTree{1, 0, 1}), std::invalid_argument);
    CHECK_THROWS_AS(Interconnect(Dragonfly{4, 1, 3, 1, 1, 1, 1}), std::invalid_argument);
    CHECK_THROWS_AS(Interconnect(TorusNetwork{{1, 0, 1}, 1, {1, 1, 1}}), std::invalid_argument);
    CHECK_THROWS_AS(Interconnect(TorusNetwork{{1, 1, 0}, 1, {1, 1, 1}}), std::invalid_argument);
}
