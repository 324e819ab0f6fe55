// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The best bricks: by hand, and against the edges counted over the whole grid.
#include "schedules/mapping/brick_mapping.hpp"

#include "schedules/mapping/mapping_cost.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("brick mapping: the shape")
{
    const Topology mesh({12, 12}, {false, false});
    CHECK(best_brick(mesh, star(2, 1), 12) == std::vector<int>{3, 4});
    CHECK(best_brick(mesh, Stencil(2, {1, 0, -1, 0}), 12) == std::vector<int>{12, 1});
    CHECK(best_brick(mesh, star(2, 1), 5).empty());
    // A block that leaves a periodic dimension filled by one brick comes back into the brick.
    CHECK(best_brick(Topology({4, 4}, {true, false}), star(2, 1), 8) == std::vector<int>{4, 2});
    CHECK(best_brick(Topology({4, 4}, {false, true}), star(2, 1), 8) == std::vector<int>{2, 4});
    CHECK(best_brick(Topology(), Stencil(), 1).empty());
}

TEST_CASE("brick mapping: brick after brick")
{
    std::vector<int> ranks;
    for (int process = 0; process < 8; ++process)
        ranks.push_back(brick_rank(Topology({2, 4}, {false, false}), {2, 2}, process));
    CHECK(ranks == std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7});
}

TEST_CASE("brick mapping: no other shape has fewer edges between nodes")
{
    for (const bool periodic : {false, true}) {
        const Topology grid({6, 4, 4}, {periodic, true, false});
        const Stencil stencil(3, {1, 0, 0, -5, 1, 0, 0, 3, 0, 2, -1, 1, 0, 0, 1});
        const auto edges = [&](const std::vector<int>& shape) {
            std::vector<int> node(static_cast<std::size_t>(grid.size()));
            for (int process = 0; process < grid.size(); ++process)
                node[static_cast<std::size_t>(brick_rank(grid, shape, process))] = process / 8;
            return edges_between_nodes(grid, stencil, node).sum;
        };
        const std::int64_t fewest = edges(best_brick(grid, stencil, 8));
        for (const std::vector<int>& shape :
             std::vector<std::vector<int>>{{1, 2, 4}, {1, 4, 2}, {2, 1, 4}, {2, 2, 2}, {2, 4, 1}})
            CHECK(fewest <= edges(shape));
    }
}
