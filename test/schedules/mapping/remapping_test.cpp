// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Remappings: the edges counted are those of the ranks given out, and never more than before.
#include "schedules/mapping/remapping.hpp"

#include "schedules/grid/infer.hpp"

#include "test/catch.hpp"

#include <algorithm>
#include <random>

using namespace hopscotch::schedules;

namespace
{

/// The node of each rank once every process has its new one.
std::vector<int> placed_anew(const Remapping& remapping, const Topology& grid, const Stencil& stencil,
                             const Nodes& nodes)
{
    std::vector<int> result(static_cast<std::size_t>(grid.size()), -1);
    for (int rank = 0; rank < grid.size(); ++rank) {
        const int mapped = new_rank(remapping.mapper, grid, stencil, nodes, rank);
        REQUIRE(result[static_cast<std::size_t>(mapped)] == -1);
        result[static_cast<std::size_t>(mapped)] = nodes.of_rank[static_cast<std::size_t>(rank)];
    }
    return result;
}

} // namespace

TEST_CASE("remapping: new ranks are all different and yield the edges that were promised")
{
    std::mt19937 random(28);
    for (int i = 0; i < 200; ++i) {
        const std::vector<int> dims{1 + static_cast<int>(random() % 5), 1 + static_cast<int>(random() % 4),
                                    1 + static_cast<int>(random() % 3)};
        const Topology grid(dims, {random() % 2 == 0, random() % 2 == 0, random() % 2 == 0});
        const Stencil stencil = random() % 2 == 0 ? moore(3, 1) : star(3, 1);
        std::vector<int> labels;
        for (int rank = 0; rank < grid.size(); ++rank)
            labels.push_back(static_cast<int>(random() % 4));
        const Nodes nodes = nodes_of(labels);
        const Remapping remapping = best_remapping(grid, stencil, nodes);
        INFO(to_string(grid) << ", case " << i);
        CHECK_FALSE(remapping.now < remapping.mapped);
        CHECK(remapping.now == edges_between_nodes(grid, stencil, nodes.of_rank));
        if (remapping.spares_edges())
            CHECK(remapping.mapped == edges_between_nodes(grid, stencil, placed_anew(remapping, grid, stencil, nodes)));
    }
}

TEST_CASE("remapping: four nodes of a 4x4 torus, in rows and in turn, become squares")
{
    const Topology grid({4, 4}, {true, true});
    std::vector<int> rows;
    std::vector<int> in_turn;
    std::vector<int> squares;
    for (int rank = 0; rank < grid.size(); ++rank) {
        rows.push_back(rank / 4);
        in_turn.push_back(rank % 4);
        squares.push_back(rank / 8 * 2 + rank % 4 / 2);
    }
    const Stencil stencil = moore(2, 1);
    CHECK(edges_in_all(grid, stencil) == 128);
    const Remapping of_rows = best_remapping(grid, stencil, nodes_of(rows));
    CHECK(of_rows.now.sum == 96);
    CHECK(of_rows.mapped.sum == 80);
    CHECK(of_rows.mapped.most == 20);
    CHECK(best_remapping(grid, stencil, nodes_of(in_turn)).mapped.sum == 80);
    CHECK_FALSE(best_remapping(grid, stencil, nodes_of(squares)).spares_edges());
    const EdgeCounts counts = count_edges(grid, stencil, nodes_of(rows));
    CHECK(counts.all == 128);
    CHECK(counts.now == 96);
    CHECK(counts.mapped == 80);
    CHECK(counts.mapped_most == 20);
    CHECK(count_edges(Topology({2048, 2048}, {true, true}), stencil, nodes_of(rows)).all == 0);
}
