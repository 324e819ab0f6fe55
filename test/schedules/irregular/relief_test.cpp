// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes do not forward the blocks of others if they, or all together, gain nothing by it.
#include "schedules/irregular/relief.hpp"

#include "schedules/grid/ordering.hpp"
#include "schedules/irregular/partial_choice.hpp"
#include "schedules/irregular/partly_combining.hpp"
#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

#include <memory>

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

TEST_CASE("A process that gains nothing forwards less", "[plan]")
{
    SearchBudget budget(1 << 20);
    const std::vector<std::vector<int>> lists = lists_on_torus();
    std::optional<PartialGrid> grid = best_partial_grid({Embedding{Lattice({4, 4}), {}, "test"}}, lists, budget);
    REQUIRE(grid);
    CHECK(grid->messages == 16 * 4); // two of process 5 forward blocks of others along its row
    CHECK(grid->combined_edges == grid->edges);
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

TEST_CASE("Without time the grid stays as it is", "[plan]")
{
    SearchBudget budget(1 << 20);
    const std::vector<std::vector<int>> lists = lists_on_torus();
    std::optional<PartialGrid> grid = best_partial_grid({Embedding{Lattice({4, 4}), {}, "test"}}, lists, budget);
    REQUIRE(grid);
    SearchBudget none(10);
    CHECK(relieve(*grid, lists, none));
    CHECK(none.has_left_out());
    CHECK(grid->messages == 16 * 4);
    CHECK(grid->most.messages == 4);
    CHECK(grid->without_gain == 2); // process 5, in both kinds of calls
}
