// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Weights of edges: by offset, by rank, and from the lists of a process.
#include "schedules/mapping/edge_weights.hpp"

#include "test/catch.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

TEST_CASE("edge weights: none, by offset, and by offset of each rank")
{
    const Stencil stencil = star(1, 1);
    CHECK(weight_of({}, stencil, 3, 1) == 1);
    CHECK(weight_of({5, 7}, stencil, 3, 1) == 7);
    CHECK(weight_of({1, 2, 3, 4, 5, 6}, stencil, 2, 0) == 5);
    const Topology line({3}, {false});
    CHECK_NOTHROW(check_shape({}, line, stencil));
    CHECK_NOTHROW(check_shape({5, 7}, line, stencil));
    CHECK_NOTHROW(check_shape({1, 2, 3, 4, 5, 6}, line, stencil));
    CHECK_THROWS_AS(check_shape({1, 2, 3}, line, stencil), std::invalid_argument);
}

TEST_CASE("edge weights: of offsets, for each other")
{
    const Stencil stencil = star(1, 1);
    CHECK(weights_of_offsets({}, stencil) == std::vector<std::int64_t>{1, 1});
    CHECK(weights_of_offsets({5, 7}, stencil) == std::vector<std::int64_t>{5, 7});
    CHECK(weights_of_offsets({1, 2, 3, 4}, stencil) == std::vector<std::int64_t>{4, 6});
    CHECK(weights_of_offsets({std::int64_t{1} << 40, 1}, stencil) == std::vector<std::int64_t>{1 << 20, 1}); // not 0
    CHECK(weights_of_offsets({0, 0}, stencil) == std::vector<std::int64_t>{0, 0});
    CHECK(weights_of_offsets({}, Stencil()).empty());
}

TEST_CASE("edge weights: the weights of a list, in any order, by offset")
{
    const Topology mesh({3, 3}, {false, false});
    const Stencil stencil = star(2, 1); // up, down, left, right
    CHECK(by_offset(mesh, stencil, 4, {5, 3, 1, 7}, {10, 20, 30, 40}) == std::vector<int>{30, 40, 20, 10});
    CHECK(by_offset(mesh, stencil, 0, {1, no_rank, 3}, {10, 99, 40}) == std::vector<int>{0, 40, 0, 10});
    const Topology pair({2}, {true});
    CHECK(by_offset(pair, star(1, 1), 0, {1, 1}, {3, 4}) == std::vector<int>{3, 4});
}
