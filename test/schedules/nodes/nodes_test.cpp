// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes and bricks: by hand.
#include "schedules/nodes/nodes.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("nodes: numbered by their lowest ranks")
{
    const Nodes nodes = nodes_of({7, 3, 7, 0, 3});
    CHECK(nodes.count() == 3);
    CHECK(nodes.of_rank == std::vector<int>{0, 1, 0, 2, 1});
    const std::vector<int> positions{0, 0, 1, 0, 1};
    for (int rank = 0; rank < 5; ++rank)
        CHECK(nodes.position(rank) == positions[static_cast<std::size_t>(rank)]);
    CHECK(nodes.ranks == std::vector<std::vector<int>>{{0, 2}, {1, 4}, {3}});
}

TEST_CASE("nodes: consecutive ranks of a grid form bricks, or not")
{
    const Topology grid({4, 6}, {true, false});
    std::vector<int> rows;
    std::vector<int> halves;
    std::vector<int> fours;
    std::vector<int> squares;
    for (int rank = 0; rank < grid.size(); ++rank) {
        rows.push_back(rank / 6);
        halves.push_back(rank / 12);
        fours.push_back(rank / 4);
        squares.push_back(rank / 12 * 3 + rank % 6 / 2);
    }
    const auto by_rows = bricks(grid, nodes_of(rows));
    REQUIRE(by_rows);
    CHECK(by_rows->shape == std::vector<int>{1, 6});
    CHECK(by_rows->grid == Topology({4, 1}, {true, false}));
    CHECK(by_rows->place == std::vector<int>{0, 1, 2, 3});
    CHECK(bricks(grid, nodes_of(halves))->shape == std::vector<int>{2, 6});
    CHECK(!bricks(grid, nodes_of(fours))); // four in a row, then two and two
    const auto by_squares = bricks(grid, nodes_of(squares));
    REQUIRE(by_squares);
    CHECK(by_squares->shape == std::vector<int>{2, 2});
    CHECK(by_squares->grid == Topology({2, 3}, {true, false}));
    rows[0] = 1;
    rows[6] = 0;
    CHECK(!bricks(grid, nodes_of(rows))); // two processes exchanged
}

TEST_CASE("nodes: smaller nodes beside each other are no brick")
{
    const Topology line({6}, {false});
    CHECK(bricks(line, nodes_of({0, 0, 1, 1, 2, 2})));
    CHECK_FALSE(bricks(line, nodes_of({0, 0, 1, 2, 3, 3})));
    CHECK_FALSE(bricks(line, nodes_of({0, 0, 1, 1, 1, 1})));
    CHECK(bricks(Topology({1, 1, 1, 1, 1, 4}, std::vector<bool>(6, false)), nodes_of({0, 0, 1, 1})));
}

TEST_CASE("nodes: offsets between bricks")
{
    const Bricks two_by_two{{2, 2}, Topology({3, 2}, {true, true}), {}};
    const Stencil right(2, {0, 1});
    CHECK(between_nodes(right, two_by_two, Blocks::individual) == Stencil(2, {0, 1, 0, 1}));
    const Stencil corner_and_below(2, {1, 1, 1, 0});
    const Stencil expected(2, {0, 1, 1, 0, 1, 0, 1, 0, 1, 1});
    CHECK(between_nodes(corner_and_below, two_by_two, Blocks::individual) == expected);
    CHECK(between_nodes(corner_and_below, two_by_two, Blocks::common) == Stencil(2, {0, 1, 1, 0, 1, 0, 1, 1}));
    CHECK(between_nodes(Stencil(2, {-1, 0}), two_by_two, Blocks::individual) == Stencil(2, {-1, 0, -1, 0}));
    CHECK(between_nodes(Stencil(2, {2, 4}), two_by_two, Blocks::common) == Stencil(2, {1, 0, 1, 0, 1, 0, 1, 0}));
}
