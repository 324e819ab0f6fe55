// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stencil strips: small grids by hand.
#include "schedules/mapping/stencil_strips.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

std::vector<int> ranks(const Topology& grid, const std::vector<int>& counts)
{
    std::vector<int> result;
    for (int process = 0; process < grid.size(); ++process)
        result.push_back(stencil_strips_rank(grid, counts, process));
    return result;
}

} // namespace

TEST_CASE("stencil strips: as wide as the part of a node shall be")
{
    CHECK(strips_along(Topology({64, 64}, {false, false}), star(2, 1), 64) == std::vector<int>{1, 8});
    CHECK(strips_along(Topology({50, 48}, {false, false}), star(2, 1), 48) == std::vector<int>{1, 7});
    CHECK(strips_along(Topology({16, 16, 16}, {true, true, true}), moore(3, 1), 64) == std::vector<int>{1, 4, 4});
    // A stencil three times as wide, or as heavy, along the strips: parts of 12 x 4.
    const Topology square({48, 48}, {false, false});
    CHECK(strips_along(square, Stencil(2, {0, 1, 2, 0, -1, 0}), 48) == std::vector<int>{1, 12});
    CHECK(strips_along(square, Stencil(2, {0, 1, 0, -1, 1, 0, -1, 0}), 48, {1, 1, 3, 3}) == std::vector<int>{1, 12});
    // Along a dimension too short, less is left for the others: parts of 2 x 8 x 8.
    CHECK(strips_along(Topology({2, 32, 32}, {false, false, false}), star(3, 1), 128) == std::vector<int>{1, 1, 4});
    // The first of two dimensions as long for their width takes its share first: parts of 1 x 1.41.
    CHECK(strips_along(Topology({16, 4, 8}, {false, false, false}), Stencil(3, {0, 1, 0, 1, 0, 1, -1, 0, -1}), 2) ==
          std::vector<int>{1, 4, 6});
    CHECK(strips_along(Topology({8, 4}, {false, false}), Stencil(2, {1, 0}), 4) == std::vector<int>{1, 4});
    CHECK(strips_along(Topology(), Stencil(), 1).empty());
}

TEST_CASE("stencil strips: forth and back, layer by layer")
{
    CHECK(ranks(Topology({4, 3}, {false, false}), {1, 2}) == std::vector<int>{0, 3, 6, 9, 10, 11, 7, 8, 4, 5, 1, 2});
    CHECK(ranks(Topology({2, 5}, {false, false}), {2, 1}) == std::vector<int>{0, 1, 2, 3, 4, 9, 8, 7, 6, 5});
    CHECK(ranks(Topology({2, 2, 2}, {false, false, false}), {1, 2, 2}) == std::vector<int>{0, 4, 5, 1, 3, 7, 6, 2});
    CHECK(ranks(Topology(), {}) == std::vector<int>{0});
}
