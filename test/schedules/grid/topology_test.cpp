// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Process grids: layout, neighbors, canonical shifts, refusals.
#include "schedules/grid/topology.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <limits>
#include <stdexcept>

using namespace hopscotch::schedules;

TEST_CASE("the grid is row-major, the last dimension varies fastest", "[topology]")
{
    const Topology topology({2, 3, 4}, {true, false, true});
    CHECK(topology.size() == 24);
    CHECK(topology.coordinates(0) == std::vector<int>{0, 0, 0});
    CHECK(topology.coordinates(1) == std::vector<int>{0, 0, 1});
    CHECK(topology.coordinates(23) == std::vector<int>{1, 2, 3});
    CHECK(topology.coordinates(17) == std::vector<int>{1, 1, 1});
    CHECK_FALSE(topology.fully_periodic());
    CHECK(Topology({2, 3}, {true, true}).fully_periodic());
    CHECK(to_string(topology) == "2px3x4p");
}

TEST_CASE("the grid without dimensions is one process", "[topology]")
{
    const Topology topology;
    CHECK(topology.size() == 1);
    CHECK(topology.coordinates(0).empty());
    CHECK(topology.neighbor(0, nullptr) == 0);
    CHECK(topology.fully_periodic());
    CHECK(to_string(topology).empty());
}

TEST_CASE("coordinates and rank are inverse, neighbors are found by counting", "[topology]")
{
    for (int dimensions = 1; dimensions <= 3; ++dimensions)
        for (const Topology& topology : grids(dimensions, 4 - dimensions / 3)) {
            bool right = true;
            const Stencil offsets = grid(dimensions, 11 - 2 * dimensions, dimensions - 6);
            for (int rank = 0; rank < topology.size(); ++rank) {
                right = right && topology.rank(topology.coordinates(rank).data()) == rank;
                for (int i = 0; i < offsets.size(); ++i) {
                    const std::vector<int> offset(offsets.offset(i), offsets.offset(i) + dimensions);
                    right = right && topology.neighbor(rank, offset.data()) == plain_neighbor(topology, rank, offset);
                }
                for (int k = 0; k < dimensions; ++k)
                    for (int shift = -5; shift <= 5; ++shift) {
                        std::vector<int> offset(static_cast<std::size_t>(dimensions), 0);
                        offset[k] = shift;
                        right = right && topology.shifted(rank, k, shift) == plain_neighbor(topology, rank, offset);
                    }
            }
            INFO(to_string(topology));
            CHECK(right);
        }
}

TEST_CASE("a canonical shift is the one short way round", "[topology]")
{
    for (int n = 1; n <= 7; ++n) {
        const Topology ring({n}, {true});
        std::set<int> seen;
        for (int shift = -3 * n; shift <= 3 * n; ++shift) {
            const int short_way = ring.canonical_shift(0, shift);
            CHECK((shift - short_way) % n == 0);
            CHECK(2 * short_way <= n);
            CHECK(2 * short_way > -n);
            seen.insert(short_way);
        }
        CHECK(static_cast<int>(seen.size()) == n);
    }
    CHECK(Topology({2}, {true}).canonical_shift(0, -1) == 1);
    CHECK(Topology({1}, {true}).canonical_shift(0, 5) == 0);
    CHECK(Topology({4}, {false}).canonical_shift(0, -7) == -7);
}

TEST_CASE("extreme shifts do not overflow", "[topology]")
{
    const int most = std::numeric_limits<int>::max();
    const int least = std::numeric_limits<int>::min();
    const Topology ring({most}, {true});
    CHECK(ring.shifted(most - 1, 0, most) == most - 1);
    CHECK(ring.shifted(0, 0, least) == most - 1);
    CHECK(ring.canonical_shift(0, most - 1) == -1);
    CHECK(ring.canonical_shift(0, least) == -1);
    const Topology line({5}, {false});
    CHECK(line.shifted(4, 0, most) == no_rank);
    CHECK(line.shifted(0, 0, least) == no_rank);
}

TEST_CASE("grids that are none are refused by name", "[topology]")
{
    CHECK_THROWS_WITH(Topology({2, 3}, {true}), contains("2 dims") && contains("1 periods"));
    CHECK_THROWS_WITH(Topology({2, 0}, {true, true}), contains("dimension 1 has size 0"));
    CHECK_THROWS_WITH(Topology({-4}, {true}), contains("size -4"));
    CHECK_THROWS_AS(Topology({1 << 16, 1 << 16}, {true, true}), std::invalid_argument);
    CHECK_NOTHROW(Topology({1 << 10, 1 << 10}, {true, false}));
}
