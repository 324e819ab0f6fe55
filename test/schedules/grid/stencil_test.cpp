// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stencils: storage, counts, canonical and sorted forms, names and the shapes people use.
#include "schedules/grid/stencil.hpp"

#include "test/catch.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

Stencil shuffled(const Stencil& stencil, unsigned seed)
{
    std::vector<int> order;
    for (int i = 0; i < stencil.size(); ++i)
        order.push_back(i);
    std::mt19937 random(seed);
    std::shuffle(order.begin(), order.end(), random);
    Stencil result(stencil.dimensions(), {});
    for (const int i : order)
        result.append(stencil.offset(i));
    return result;
}

} // namespace

TEST_CASE("a stencil holds its offsets in order", "[stencil]")
{
    Stencil stencil(2, {0, 1, -3, 0, 0, 0});
    CHECK(stencil.size() == 3);
    CHECK(stencil.shift(1, 0) == -3);
    const int one_more[] = {2, 2};
    stencil.append(one_more);
    CHECK(stencil.size() == 4);
    CHECK(stencil == Stencil(2, {0, 1, -3, 0, 0, 0, 2, 2}));
    CHECK(hops(stencil, 0) == 1);
    CHECK(hops(stencil, 2) == 0);
    CHECK(hops(stencil, 3) == 2);
    CHECK(radius(stencil) == 3);
    CHECK(shifts_along(stencil, 0) == std::vector<int>{0, -3, 0, 2});
    CHECK(distinct_shifts(stencil, 0) == std::vector<int>{-3, 2});
    CHECK(distinct_shifts(stencil, 1) == std::vector<int>{1, 2});
    CHECK(radius(Stencil()) == 0);
}

TEST_CASE("shifts that are no offsets are refused", "[stencil]")
{
    CHECK_THROWS_AS(Stencil(2, {1, 2, 3}), std::invalid_argument);
    CHECK_THROWS_AS(Stencil(0, {1}), std::invalid_argument);
    CHECK_THROWS_WITH(Stencil(-1, {}), contains("-1 dimensions"));
    CHECK_THROWS_AS(canonical(moore(2, 1), Topology({3}, {true})), std::invalid_argument);
}

TEST_CASE("the canonical form keeps order and repeats", "[stencil]")
{
    const Topology topology({2, 1, 5}, {true, true, false});
    CHECK(canonical(Stencil(3, {-1, 4, -7, 1, 0, -7, 0, 1, 1}), topology) == Stencil(3, {1, 0, -7, 1, 0, -7, 0, 0, 1}));
}

TEST_CASE("the sorted form is lexicographic", "[stencil]")
{
    CHECK(sorted(Stencil(2, {1, 0, -1, 2, 1, -1, -1, 2})) == Stencil(2, {-1, 2, -1, 2, 1, -1, 1, 0}));
    CHECK(lexicographic_order(Stencil(2, {1, 0, -1, 2, 1, -1, -1, 2}), {1, 0}) == std::vector<int>{2, 0, 1, 3});
    for (int dimensions = 1; dimensions <= 4; ++dimensions)
        CHECK(sorted(shuffled(grid(dimensions, 4, -2), 5)) == grid(dimensions, 4, -2));
}

TEST_CASE("the usual shapes have the usual sizes", "[stencil]")
{
    CHECK(moore(2, 1).size() == 8);
    CHECK(moore(3, 1).size() == 26);
    CHECK(moore(2, 2).size() == 24);
    CHECK(star(3, 1).size() == 6);
    CHECK(star(3, 2).size() == 12);
    CHECK(star(2, 1) == Stencil(2, {-1, 0, 1, 0, 0, -1, 0, 1}));
    CHECK(grid(2, 3, -1).size() == 9);
    CHECK(grid(5, 5, -1).size() == 3125);
    CHECK(grid(2, 2, -1) == Stencil(2, {-1, -1, -1, 0, 0, -1, 0, 0}));
    CHECK(grid(2, 0, 0).size() == 0);
}

TEST_CASE("shapes are known by name, in any order, with or without the centre", "[stencil]")
{
    for (int dimensions = 2; dimensions <= 4; ++dimensions) {
        CHECK(name(shuffled(moore(dimensions, 1), 1)) == "moore");
        CHECK(name(shuffled(grid(dimensions, 3, -1), 2)) == "moore");
        CHECK(name(shuffled(star(dimensions, 1), 3)) == "von Neumann");
        CHECK(name(shuffled(star(dimensions, 3), 4)) == "star");
        CHECK(name(shuffled(grid(dimensions, 4, -1), 5)) == "box");
        CHECK(name(shuffled(grid(dimensions, 2, 1), 6)) == "box");
    }
    CHECK(name(moore(2, 2)) == "moore");
    CHECK(name(star(1, 1)) == "von Neumann");
    CHECK(name(Stencil(3, {-1, 0, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1})) == "von Neumann"); // the second dimension is unused
    CHECK(name(Stencil(2, {-1, 0, -1, 0, 1, 0, 0, 1, 0, -1})) == "von Neumann");      // one of them twice
    CHECK(name(Stencil(2, {-2, 0, 2, 0, 0, -1, 0, 1})) == "custom");
    CHECK(name(Stencil(2, {-2, 1, -1, 1, 1, 1, 2, 1})) == "box");
    CHECK(name(Stencil(2, {1, 2})) == "custom");
    CHECK(name(Stencil(2, {1, 2, -1, 0})) == "custom");
    CHECK(name(Stencil(2, {-1, -1, -1, 1, 1, -1, 1, 1})) == "box"); // the corners alone
    CHECK(name(Stencil(2, {0, 0})) == "custom");
    CHECK(name(Stencil()) == "custom");
    CHECK(name(Stencil(2, {-1000000, 0, 1000000, 3})) == "custom");
}

TEST_CASE("steps along every dimension connect all processes", "[stencil]")
{
    const Topology torus({4, 3}, {true, true});
    CHECK(steps_along_every_dimension(Stencil(2, {1, 0, 0, -1}), torus));
    CHECK(steps_along_every_dimension(Stencil(2, {3, 0, 0, 2}), torus));
    CHECK_FALSE(steps_along_every_dimension(Stencil(2, {1, 1, -1, -1}), torus));
    CHECK_FALSE(steps_along_every_dimension(Stencil(2, {2, 0, 0, 1}), torus));
    CHECK_FALSE(steps_along_every_dimension(Stencil(2, {3, 0, 0, 1}), Topology({4, 3}, {false, true})));
    CHECK(steps_along_every_dimension(Stencil(2, {1, 0}), Topology({4, 1}, {false, true})));
    CHECK_FALSE(steps_along_every_dimension(Stencil(2, {}), torus));
}

TEST_CASE("stencil: peers are counted once, blocks as often as they are sent")
{
    const Stencil doubled(2, {0, 0, 0, 1, 0, 1, 1, 0});
    CHECK(distinct_peers(doubled) == 2);
    CHECK(distinct_peers(Stencil(1, {1, 1})) == 1);
    CHECK(direct_volume(doubled) == 3);
    CHECK(dimensions_by_rounds(Stencil(2, {1, 1, 2, 1})) == std::vector<int>{1, 0});
    CHECK(dimensions_by_rounds(Stencil(2, {1, 1, 1, 2})) == std::vector<int>{0, 1});
}
