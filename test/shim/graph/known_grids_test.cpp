// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Process grids that the program has named are candidates for communicators of their size.
#include "test/catch.hpp"

#include "shim/graph/known_grids.hpp"

using namespace hopscotch::shim;

TEST_CASE("A recorded grid is a candidate for as many processes as it has")
{
    CHECK(recorded_grids(77).empty());
    const std::vector<bool> periods{true, false};
    record_grid({7, 11}, periods);
    const std::vector<Candidate> grids = recorded_grids(77);
    REQUIRE_FALSE(grids.empty());
    for (const Candidate& grid : grids) {
        CHECK(grid.topology.dims() == std::vector<int>{7, 11});
        CHECK(grid.found == hopscotch::schedules::GridOrigin::recorded);
    }
    CHECK(grids.front().topology.periods() == periods);
    CHECK(recorded_grids(76).empty());
}

TEST_CASE("Of a grid without periods every pattern is a candidate")
{
    record_grid({5, 17}, {true, true});
    const std::vector<Candidate> grids = recorded_grids(85);
    for (const bool first : {false, true})
        for (const bool second : {false, true})
            CHECK(std::any_of(grids.begin(), grids.end(), [&](const Candidate& grid) {
                return grid.topology.periods() == std::vector<bool>{first, second};
            }));
}

TEST_CASE("The place of a process is that in the newest grid with enough cells, and outlives a record without one")
{
    CHECK(recorded_place(500).dims.empty());
    record_grid({2, 300}, {false, true}, 411);
    record_grid({3, 170}, {false, true}, 5);
    record_grid({2, 300}, {false, true});
    record_grid({1, 501}, {false, true});
    CHECK(recorded_place(500).dims == std::vector<int>{2, 300});
    CHECK(recorded_place(500).cell == 411);
    CHECK(recorded_place(601).dims.empty());
}

TEST_CASE("The newest 16 grids are remembered")
{
    for (int extent = 1001; extent <= 1017; ++extent)
        record_grid({extent}, {true});
    CHECK(recorded_grids(1001).empty());
    CHECK_FALSE(recorded_grids(1002).empty());
    CHECK_FALSE(recorded_grids(1017).empty());
}
