// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Names of stencils on narrow grids.
#include "schedules/grid/shape_name.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("a shape has its name on a grid where several of its offsets lead to one process, and no better one",
          "[shape_name]")
{
    const auto named = [](const Stencil& stencil, const std::vector<int>& dims, const std::vector<bool>& periods) {
        const Topology grid(dims, periods);
        return name(canonical(stencil, grid), grid);
    };
    const std::vector<bool> torus{true, true};
    for (const std::vector<int>& dims :
         {std::vector<int>{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 4}, {4, 2}, {3, 3}, {1, 5}}) {
        CHECK(named(star(2, 1), dims, torus) == "von Neumann");
        CHECK(named(moore(2, 1), dims, torus) == "moore");
        CHECK(named(grid(2, 3, -1), dims, torus) == "moore"); // with the process itself
        CHECK(named(star(2, 2), dims, torus) == (dims[1] == 1 && dims[0] == 1 ? "moore" : "star")); // both have 8
        CHECK(named(moore(2, 2), dims, torus) == "moore");
    }
    CHECK(named(moore(3, 1), {2, 1, 1}, {true, true, true}) == "moore");
    // Lists of a mesh, or without repeats.
    CHECK(named(Stencil(2, {1, 0}), {2, 1}, torus) == "von Neumann");
    CHECK(named(Stencil(2, {0, 1, 1, 0}), {2, 2}, torus) == "von Neumann");
    CHECK(named(Stencil(2, {0, -1, 0, 1, 1, 0}), {2, 4}, torus) == "von Neumann");
    CHECK(named(Stencil(2, {0, 1, 1, 0, 1, 1}), {2, 2}, torus) == "moore");
    CHECK(named(Stencil(2, {0, 0, 0, 0, 1, 0}), {2, 1}, torus) == "von Neumann");       // a mesh along the first
    CHECK(named(Stencil(2, {0, 0, 0, 0, 1, 0, 1, 0, 1, 0}), {2, 1}, torus) == "moore"); // dimension, and a torus
    CHECK(named(Stencil(1, {0, 0, 1}), {2}, {true}) == "von Neumann");
    CHECK(named(moore(2, 8), {16, 16}, torus) == "moore");
    // Other shapes.
    CHECK(named(grid(2, 4, -1), {4, 4}, torus) == "box");
    CHECK(named(Stencil(1, {1, 2}), {4}, {true}) == "box");
    CHECK(named(Stencil(2, {0, 1, 1, 0}), {3, 3}, torus) == "custom");
    CHECK(named(Stencil(2, {0, 1, 1, 2}), {2, 5}, torus) == "custom");
    CHECK(named(Stencil(2, {0, 1, 1, 0}), {2, 2}, {false, false}) == "custom"); // only one direction
    CHECK(named(Stencil(2, {0, 0}), {1, 1}, torus) == "custom");
    CHECK(named(Stencil(2, {}), {2, 1}, torus) == "custom");
    CHECK(name(Stencil(), Topology({}, {})) == "custom");
    CHECK(named(star(6, 1), {2, 2, 2, 2, 2, 2}, std::vector<bool>(6, true)) == "von Neumann");
    CHECK(named(Stencil(2, {-1000000, 0, 1000000, 3}), {2000001, 7}, torus) == "custom");
}
