// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes around a hole get their true places; no process is placed if no order reveals offsets.
#include "schedules/irregular/holes.hpp"

#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

using namespace hopscotch::schedules;

TEST_CASE("Processes around a hole get their true places", "[plan]")
{
    const Topology mesh({7, 6}, {false, false});
    constexpr int hole = 20; // (3, 2)
    std::vector<std::vector<int>> lists(41);
    for (const auto& [from, to] : edges_of_grid(mesh, moore(2, 1)))
        if (from != hole && to != hole)
            lists[static_cast<std::size_t>(from - (from > hole ? 1 : 0))].push_back(to - (to > hole ? 1 : 0));
    SearchBudget budget(1 << 16);
    const std::vector<Embedding> found = around_holes(lists, budget);
    CHECK_FALSE(budget.has_left_out());
    const auto is_right = [](const Embedding& embedding) {
        if (embedding.cells.extents() != std::vector<int>{7, 6})
            return false;
        for (int rank = 0; rank < 41; ++rank)
            if (embedding.cell_of_rank[static_cast<std::size_t>(rank)] != rank + (rank >= hole ? 1 : 0))
                return false;
        return true;
    };
    CHECK(std::any_of(found.begin(), found.end(), is_right));
}

TEST_CASE("Without an order that tells offsets nothing is placed", "[plan]")
{
    SearchBudget budget(1000);
    CHECK(around_holes({}, budget).empty());
    CHECK(around_holes({{1}, {0}}, budget).empty());
    const Topology torus({3, 3}, {true, true}); // each has all others as neighbors
    for (const Embedding& embedding : around_holes(lists_of(9, edges_of_grid(torus, moore(2, 1))), budget))
        CHECK(embedding.cell_of_rank.size() == 9);
}
