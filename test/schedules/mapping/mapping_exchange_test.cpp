// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Exchanges between nodes: small grids by hand.
#include "schedules/mapping/mapping_exchange.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("mapping exchange: processes come to their neighbors")
{
    CHECK(exchanged(Topology({4}, {false}), star(1, 1), {0, 1, 0, 1}) == std::vector<int>{1, 1, 0, 0});
    // The edge between two that change places stays one between nodes.
    CHECK(exchanged(Topology({5}, {false}), Stencil(1, {1}), {0, 0, 1, 2, 1}) == std::vector<int>{0, 0, 2, 1, 1});
    const Topology square({4, 4}, {false, false});
    const std::vector<int> rows{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
    CHECK(edges_between_nodes(square, star(2, 1), rows).sum == 24);
    CHECK(edges_between_nodes(square, star(2, 1), exchanged(square, star(2, 1), rows)).sum == 16);
}

TEST_CASE("mapping exchange: nodes keep their sizes, and heavy edges stay within them")
{
    const Topology grid({2, 4}, {false, false});
    const std::vector<int> rows{0, 0, 0, 0, 0, 1, 1, 1};
    const Stencil stencil(2, {0, 1, 1, 0});
    const std::vector<int> heavy_columns = exchanged(grid, stencil, rows, {1, 9});
    CHECK(std::count(heavy_columns.begin(), heavy_columns.end(), 0) == 5);
    CHECK(edges_between_nodes(grid, stencil, heavy_columns, {1, 9}).sum == 11);
    CHECK(exchanged(grid, stencil, {0, 0, 0, 0, 1, 1, 1, 1}, {9, 1}) == std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1});
}

TEST_CASE("mapping exchange: one node, and a grid of one process")
{
    CHECK(exchanged(Topology({3}, {true}), star(1, 1), {0, 0, 0}) == std::vector<int>{0, 0, 0});
    CHECK(exchanged(Topology(), Stencil(), {0}) == std::vector<int>{0});
}
