// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A hole in a small grid is found by the offsets that come most often.
#include "schedules/irregular/few_holes.hpp"

#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

using namespace hopscotch::schedules;

TEST_CASE("The number of dimensions follows from the number of neighbors", "[plan]")
{
    CHECK(likely_dimensions({}) == 1);
    CHECK(likely_dimensions({{1}, {0}}) == 1);
    CHECK(likely_dimensions({std::vector<int>(8), {}}) == 2);
    CHECK(likely_dimensions({std::vector<int>(10)}) == 2);
    CHECK(likely_dimensions({std::vector<int>(11)}) == 3);
    CHECK(likely_dimensions({std::vector<int>(26), std::vector<int>(7)}) == 3);
}

TEST_CASE("A hole in a torus is found", "[plan]")
{
    const Topology torus({4, 4, 3}, {true, true, true});
    constexpr int hole = 17;
    std::vector<std::vector<int>> lists(47);
    for (const auto& [from, to] : edges_of_grid(torus, moore(3, 1)))
        if (from != hole && to != hole)
            lists[static_cast<std::size_t>(from - (from > hole ? 1 : 0))].push_back(to - (to > hole ? 1 : 0));
    SearchBudget budget(1 << 18);
    const std::vector<Embedding> found = around_few_holes(lists, budget);
    const auto is_right = [](const Embedding& embedding) {
        return embedding.cells.extents() == std::vector<int>{4, 4, 3} && embedding.cell_of_rank[16] == 16 &&
               embedding.cell_of_rank[17] == 18;
    };
    CHECK(std::any_of(found.begin(), found.end(), is_right));
    SearchBudget small(100);
    CHECK(around_few_holes(lists, small).empty());
    CHECK(small.has_left_out());
}
