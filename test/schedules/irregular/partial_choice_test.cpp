// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The embedding with the fewest messages is chosen; none if a grid saves no message.
#include "schedules/irregular/partial_choice.hpp"

#include "schedules/grid/ordering.hpp"
#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

using namespace hopscotch::schedules;

namespace
{

SearchBudget enough()
{
    return SearchBudget(1 << 20);
}

Embedding by_rank(std::vector<int> dims)
{
    Lattice cells(std::move(dims));
    const int size = cells.size();
    return {std::move(cells), identity(size), GridOrigin::hint};
}

const Topology torus_4x4({4, 4}, {true, true});

} // namespace

TEST_CASE("The embedding with the fewest messages is chosen", "[plan]")
{
    SearchBudget budget = enough();
    const Lists lists = lists_of(16, edges_of_grid(torus_4x4, moore(2, 1)));
    const std::optional<PartialGrid> grid =
        best_partial_grid({by_rank({16}), by_rank({2, 8}), by_rank({4, 4})}, lists, budget);
    REQUIRE(grid);
    CHECK(grid->cells.extents() == std::vector<int>{4, 4});
    CHECK(grid->stencil == sorted(moore(2, 1)));
    CHECK(grid->messages == 16 * 4);
    CHECK(grid->merged_messages == 16 * 8);
    CHECK(grid->edges == 16 * 8);
    CHECK(grid->combined_edges == 16 * 8);
    for (const std::vector<bool>& blocks : grid->combined)
        CHECK(std::count(blocks.begin(), blocks.end(), true) == 16 * 8);
    CHECK(grid->volume == 16 * 12);
}

TEST_CASE("Two grids beside each other are connected by an edge", "[plan]")
{
    Lists lists = lists_of(32, edges_of_grid(torus_4x4, moore(2, 1)));
    for (std::size_t rank = 0; rank < 16; ++rank)
        for (const int to : lists[rank])
            lists[rank + 16].push_back(to + 16);
    for (const bool connected : {false, true}) {
        SearchBudget budget = enough();
        const std::optional<PartialGrid> grid = best_partial_grid({by_rank({2, 4, 4})}, lists, budget);
        REQUIRE(grid);
        CHECK(grid->connected == connected);
        lists[31].push_back(0);
    }
}

TEST_CASE("No grid is chosen that saves no message", "[plan]")
{
    SearchBudget budget = enough();
    CHECK_FALSE(best_partial_grid({by_rank({4, 4})}, lists_of(16, edges_of_grid(torus_4x4, star(2, 1))), budget));
    CHECK_FALSE(best_partial_grid({by_rank({4, 4})}, Lists(16), budget));
    CHECK_FALSE(best_partial_grid({}, lists_of(16, edges_of_grid(torus_4x4, moore(2, 1))), budget));
}

TEST_CASE("Embeddings without time for them are left out", "[plan]")
{
    const Lists lists = lists_of(16, edges_of_grid(torus_4x4, moore(2, 1)));
    SearchBudget little(100);
    CHECK_FALSE(best_partial_grid({by_rank({2, 8}), by_rank({4, 4})}, lists, little));
    CHECK(little.has_left_out());
}

TEST_CASE("Blocks go around empty cells directly", "[plan]")
{
    SearchBudget budget = enough();
    // The cell (1, 1) of the torus is empty: ranks are the other cells, row by row.
    Embedding embedding = by_rank({4, 4});
    embedding.cell_of_rank.erase(embedding.cell_of_rank.begin() + 5);
    EdgeList edges;
    for (const auto& [from, to] : edges_of_grid(torus_4x4, moore(2, 1)))
        if (from != 5 && to != 5)
            edges.push_back({from - (from > 5 ? 1 : 0), to - (to > 5 ? 1 : 0)});
    const std::optional<PartialGrid> grid = best_partial_grid({embedding}, lists_of(15, edges), budget);
    REQUIRE(grid);
    CHECK(grid->edges == 15 * 8 - 8);
    CHECK(grid->combined_edges == grid->edges - 4); // the edges with a first step into the empty cell
    CHECK(grid->messages == 15 * 4 - 4 + 4);
    CHECK(grid->rank_of_cell[5] == no_rank);
}

TEST_CASE("Parallel edges and edges to oneself are no obstacle", "[plan]")
{
    SearchBudget budget = enough();
    EdgeList edges = edges_of_grid(torus_4x4, moore(2, 1));
    const EdgeList once = edges;
    edges.insert(edges.end(), once.begin(), once.begin() + 20);
    edges.push_back({3, 3});
    const std::optional<PartialGrid> grid = best_partial_grid({by_rank({4, 4})}, lists_of(16, edges), budget);
    REQUIRE(grid);
    CHECK(grid->messages == 16 * 4);
    CHECK(grid->edges == 16 * 8 + 20);
    CHECK(grid->stencil.size() == 16);
}
