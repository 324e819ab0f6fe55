// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes do not forward the blocks of others if they, or all together, gain nothing by it.
#include "schedules/irregular/relief.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/irregular/partial_choice.hpp"
#include "schedules/irregular/partly_combining.hpp"
#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

using namespace hopscotch::schedules;

namespace
{

constexpr int corner_sender = 5; // with four destinations, those at the corners

std::vector<std::vector<int>> lists_on_torus()
{
    const Topology torus({4, 4}, {true, true});
    std::vector<std::vector<int>> lists(16);
    for (const auto& [from, to] : edges_of_grid(torus, moore(2, 1))) {
        const bool straight = torus.coordinates(from)[0] == torus.coordinates(to)[0] ||
                              torus.coordinates(from)[1] == torus.coordinates(to)[1];
        if (from != corner_sender || !straight)
            lists[static_cast<std::size_t>(from)].push_back(to);
    }
    return lists;
}

std::int64_t combined_of(const PartialGrid& grid, int rank)
{
    std::int64_t combined = 0;
    for (int b = 0; b < grid.stencil.size(); ++b)
        combined += grid.combines(Blocks::individual, rank, b) ? 1 : 0;
    return combined;
}

} // namespace

TEST_CASE("A process that gains nothing forwards less, if there is time", "[plan]")
{
    SearchBudget budget(1 << 20);
    const std::vector<std::vector<int>> lists = lists_on_torus();
    std::optional<PartialGrid> grid =
        best_partial_grid({Embedding{Lattice({4, 4}), {}, GridOrigin::hint}}, lists, budget);
    REQUIRE(grid);
    CHECK(grid->messages == 16 * 4); // two of process 5 forward blocks of others along its row
    CHECK(grid->combined_edges == grid->edges);
    SearchBudget none(10);
    CHECK(relieve(*grid, lists, none));
    CHECK(none.has_left_out());
    CHECK(grid->messages == 16 * 4);
    CHECK(grid->most.messages == 4);
    CHECK(grid->without_gain == 2); // process 5, in both kinds of calls
    REQUIRE(relieve(*grid, lists, budget));
    CHECK(grid->messages == 16 * 4 + 1); // one of them is gone, its two blocks travel directly
    CHECK(grid->combined_edges == grid->edges - 2);
    CHECK(combined_of(*grid, corner_sender) == 4);
    CHECK(grid->without_gain == 0);
    CHECK(grid->most.messages == 5);
    CHECK(grid->most.merged_messages == 8);
    CHECK(grid->most.edges == 8);
    CHECK(grid->most.volume == 12);
}

TEST_CASE("Blocks go over neighbors around empty cells", "[plan]")
{
    // Two cells of a mesh are empty, above and below the middle:  0 . 1
    //                                                            2 3 4
    //                                                            5 . 6
    const Topology mesh({3, 3}, {false, false});
    const std::vector<int> cells = {0, 2, 3, 4, 5, 6, 8};
    const Embedding places{Lattice({3, 3}), cells, GridOrigin::hint};
    const std::vector<int> ranks = {0, no_rank, 1, 2, 3, 4, 5, no_rank, 6};
    EdgeList edges;
    for (const auto& [from, to] : edges_of_grid(mesh, moore(2, 1)))
        if (ranks[static_cast<std::size_t>(from)] != no_rank && ranks[static_cast<std::size_t>(to)] != no_rank)
            edges.push_back({ranks[static_cast<std::size_t>(from)], ranks[static_cast<std::size_t>(to)]});
    std::mt19937 random(1);
    const Job job = job_of(7, edges, random);
    std::vector<std::vector<int>> lists;
    for (const Edges& one : job.edges)
        lists.push_back(one.destinations);
    SearchBudget budget(1 << 20);
    std::optional<PartialGrid> grid = best_partial_grid({places}, lists, budget);
    REQUIRE(grid);
    CHECK(grid->without_gain == 2); // the process in the middle, in both kinds of calls
    REQUIRE(relieve(*grid, lists, budget));
    CHECK(grid->merged_messages == 4 * 2 + 2 * 3 + 6);
    CHECK(grid->messages == 4 * 1 + 2 * 3 + 2);
    CHECK(grid->combined_edges == grid->edges - 8);
    CHECK(grid->detours[0].size() == 8); // the middle's blocks to the corners, and those that wait for them
    CHECK(grid->without_gain == 0);
    const Schedule middle = partly_combining(std::make_shared<PartialGrid>(*grid), Blocks::individual, job.edges[3]);
    CHECK(middle.messages() == 2);
    CHECK(middle.phases.size() == 3); // columns, rows, blocks that have waited
}
