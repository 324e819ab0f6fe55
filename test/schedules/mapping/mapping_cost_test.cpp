// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Edges between nodes: by hand, and the example of the paper.
#include "schedules/mapping/mapping_cost.hpp"

#include "test/catch.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

/// Nodes of so many consecutive ranks.
std::vector<int> consecutive_nodes(int processes, int processes_per_node)
{
    std::vector<int> nodes;
    for (int rank = 0; rank < processes; ++rank)
        nodes.push_back(rank / processes_per_node);
    return nodes;
}

const Topology line_of_four({4}, {false});

} // namespace

TEST_CASE("mapping cost: rows of a mesh and of a torus")
{
    const std::vector<int> rows = consecutive_nodes(12, 4);
    CHECK(edges_between_nodes(Topology({3, 4}, {false, false}), star(2, 1), rows) == EdgesBetweenNodes{16, 8});
    CHECK(edges_between_nodes(Topology({3, 4}, {true, false}), star(2, 1), rows) == EdgesBetweenNodes{24, 8});
    CHECK(edges_between_nodes(Topology({3, 4}, {false, true}), star(2, 1), rows) == EdgesBetweenNodes{16, 8});
}

TEST_CASE("mapping cost: an edge is counted at the node that it leaves, and each of several edges counts")
{
    CHECK(edges_between_nodes(line_of_four, Stencil(1, {1}), {0, 0, 1, 2}) == EdgesBetweenNodes{2, 1});
    CHECK(edges_between_nodes(line_of_four, Stencil(1, {2, 3}), {0, 0, 1, 2}) == EdgesBetweenNodes{3, 3});
    CHECK(edges_between_nodes(Topology({2}, {true}), star(1, 1), {0, 1}) == EdgesBetweenNodes{4, 2});
    CHECK(edges_between_nodes(line_of_four, Stencil(1, {0}), {0, 1, 2, 3}) == EdgesBetweenNodes{0, 0});
}

TEST_CASE("mapping cost: weights of offsets")
{
    CHECK(edges_between_nodes(line_of_four, star(1, 1), {0, 0, 1, 1}, {5, 7}) == EdgesBetweenNodes{12, 7});
}

TEST_CASE("mapping cost: consecutive ranks in the paper's grid of 50 x 48 on 50 nodes")
{
    const Topology grid({50, 48}, {false, false});
    const std::vector<int> nodes = consecutive_nodes(grid.size(), 48);
    CHECK(edges_between_nodes(grid, star(2, 1), nodes) == EdgesBetweenNodes{2 * 49 * 48, 2 * 48});
    CHECK(edges_between_nodes(grid, Stencil(2, {1, 0, -1, 0}), nodes) == EdgesBetweenNodes{2 * 49 * 48, 2 * 48});
}

TEST_CASE("mapping cost: fewer in all comes first, then fewer at one node")
{
    CHECK(EdgesBetweenNodes{3, 3} < EdgesBetweenNodes{4, 1});
    CHECK(EdgesBetweenNodes{3, 2} < EdgesBetweenNodes{3, 3});
    CHECK_FALSE(EdgesBetweenNodes{3, 3} < EdgesBetweenNodes{3, 3});
    CHECK_FALSE(EdgesBetweenNodes{3, 2} == EdgesBetweenNodes{3, 3});
}

TEST_CASE("mapping cost: shapes that differ")
{
    CHECK_THROWS_AS(edges_between_nodes(line_of_four, star(1, 1), {0, 0, 1}), std::invalid_argument);
    CHECK_THROWS_AS(edges_between_nodes(line_of_four, star(1, 1), {0, 0, 1, 1}, {5}), std::invalid_argument);
}
