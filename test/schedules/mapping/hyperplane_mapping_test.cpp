// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The hyperplane mapping: small grids by hand.
#include "schedules/mapping/hyperplane_mapping.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

/// The node of each rank of a mesh, row-major, by the hyperplane mapping.
std::vector<int> hyperplane_nodes(const std::vector<int>& dims, const Stencil& stencil,
                                  const std::vector<int>& node_sizes)
{
    const Topology grid(dims, std::vector<bool>(dims.size()));
    const NodeRanges nodes(node_sizes);
    std::vector<int> result(static_cast<std::size_t>(grid.size()), -1);
    for (int process = 0; process < grid.size(); ++process)
        result[hyperplane_rank(grid, directions(stencil), nodes, process)] = nodes.node(process);
    return result;
}

const Stencil along_rows(2, {0, 1, 0, -1});

} // namespace

TEST_CASE("hyperplane mapping: properties of a stencil")
{
    CHECK(directions(star(3, 1)) == std::vector<std::int64_t>{2000000, 2000000, 2000000});
    CHECK(directions(along_rows) == std::vector<std::int64_t>{0, 2000000});
    CHECK(directions(Stencil(2, {0, 0, 1, 3})) == std::vector<std::int64_t>{100000, 900000});
    const std::vector<std::int64_t> of_moore = directions(moore(5, 1));
    CHECK(of_moore == std::vector<std::int64_t>(5, of_moore.front()));
}

TEST_CASE("hyperplane mapping: hyperplanes at the beginning of nodes")
{
    CHECK(hyperplane_nodes({4, 4}, star(2, 1), {4, 4, 4, 4}) ==
          std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3});
    // Neighbors in the same row only: no hyperplane goes through a row.
    CHECK(hyperplane_nodes({4, 4}, along_rows, {4, 4, 4, 4}) ==
          std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
    // No node begins in the middle of the 3 x 4 grid's rows, but in that of its columns.
    CHECK(hyperplane_nodes({3, 4}, star(2, 1), {6, 6}) == std::vector<int>{0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1});
}

TEST_CASE("hyperplane mapping: hyperplanes between nodes of different sizes")
{
    CHECK(hyperplane_nodes({3, 4}, star(2, 1), {3, 6, 3}) == std::vector<int>{0, 1, 1, 1, 0, 1, 1, 1, 0, 2, 2, 2});
    CHECK(hyperplane_nodes({7}, star(1, 1), {4, 1, 2}) == std::vector<int>{0, 0, 0, 0, 1, 2, 2});
    // No hyperplane divides 3 x 3 processes into 4 and 5.
    CHECK(hyperplane_nodes({3, 3}, star(2, 1), {4, 5}) == std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 1});
    // Nor into 7, 1 and 1: three nodes are cut between the rows, then the last two rows before their last column.
    CHECK(hyperplane_nodes({3, 3}, star(2, 1), {7, 1, 1}) == std::vector<int>{0, 0, 0, 0, 0, 1, 0, 0, 2});
}
