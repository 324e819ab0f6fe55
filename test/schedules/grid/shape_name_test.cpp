// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names of stencils on narrow grids.
#include "schedules/grid/shape_name.hpp"

#include "test/catch.hpp"

#include <vector>

using namespace hopscotch::schedules;

TEST_CASE("a shape has its name on a grid where both directions lead to one process, and no better one", "[shape_name]")
{
    const auto named = [](const Stencil& stencil, const std::vector<int>& dims, bool periodic) {
        const Topology grid(dims, std::vector<bool>(dims.size(), periodic));
        return name(canonical(stencil, grid), grid);
    };
    for (const std::vector<int>& dims : {std::vector<int>{2, 1}, {2, 2}, {2, 4}, {4, 2}, {1, 2}, {3, 4}})
        CHECK(named(star(2, 1), dims, true) == "von Neumann");
    for (const std::vector<int>& dims : {std::vector<int>{2, 2}, {2, 4}, {3, 2}, {5, 6}})
        CHECK(named(moore(2, 1), dims, true) == "moore");
    CHECK(named(moore(3, 1), {2, 2, 2}, true) == "moore");
    CHECK(named(star(2, 2), {4, 4}, true) == "star");
    CHECK(named(star(2, 2), {4, 5}, true) == "star");
    CHECK(named(moore(2, 2), {4, 4}, true) == "moore");
    // The shift by half of the dimension is listed once: one direction only.
    CHECK(named(grid(2, 4, -1), {4, 4}, true) == "box");
    CHECK(named(Stencil(1, {1, 2}), {4}, true) == "box");
    CHECK(named(Stencil(2, {0, 1, 1, 0}), {3, 3}, true) == "custom");
    CHECK(named(Stencil(2, {0, 1, 1, 2}), {2, 5}, true) == "custom");
    CHECK(named(Stencil(2, {0, 1, 1, 0}), {2, 2}, false) == "custom"); // on a mesh each offset is a neighbor of its own
    CHECK(named(Stencil(2, {0, 0}), {1, 1}, true) == "custom");
}
