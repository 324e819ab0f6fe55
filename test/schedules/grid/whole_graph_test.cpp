// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The grid of a graph with known lists of all processes: the grid that explains them, or none.
#include "schedules/grid/whole_graph.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

std::vector<std::vector<int>> lists_of(const StencilOnGrid& known)
{
    std::vector<std::vector<int>> lists(static_cast<std::size_t>(known.grid.size()));
    for (int rank = 0; rank < known.grid.size(); ++rank)
        for (int i = 0; i < known.stencil.size(); ++i)
            if (const int other = known.grid.neighbor(rank, known.stencil.offset(i)); other != no_rank)
                lists[static_cast<std::size_t>(rank)].push_back(other);
    for (std::vector<int>& list : lists)
        std::sort(list.begin(), list.end());
    return lists;
}

std::vector<Candidate> all_grids(int p)
{
    std::vector<Candidate> all = inferred_grids(p, false);
    for (const Candidate& each : inferred_grids(p, true))
        all.push_back(each);
    return all;
}

} // namespace

TEST_CASE("whole graph: the neighbors of a Cartesian communicator")
{
    CHECK(nearest_neighbors(Topology({3, 4}, {true, false})).stencil == sorted(star(2, 1)));
    CHECK(nearest_neighbors(Topology({2}, {true})).stencil.size() == 2);
}

TEST_CASE("whole graph: tori, meshes, and small meshes nobody sees the whole stencil of")
{
    for (const bool periodic : {false, true})
        for (const int radius : {1, 2}) {
            const Topology grid({4, 5}, {periodic, periodic});
            const auto lists = lists_of({grid, sorted(canonical(star(2, radius), grid))});
            const auto found = explained(lists, all_grids(20));
            REQUIRE(found);
            CHECK(lists_of(*found) == lists);
            CHECK((periodic || found->grid == grid));
        }
}

TEST_CASE("whole graph: a mesh too large for the union of all lists is found by the longest")
{
    const Topology grid({400, 400}, {false, false});
    const auto found = explained(lists_of(nearest_neighbors(grid)), {{grid, GridOrigin::hint}});
    REQUIRE(found);
    CHECK(found->stencil == nearest_neighbors(grid).stencil);
}

TEST_CASE("whole graph: none if no grid explains it")
{
    auto lists = lists_of(nearest_neighbors(Topology({4, 5}, {true, true})));
    lists[0].push_back(7);
    lists[7].push_back(0);
    CHECK_FALSE(explained(lists, all_grids(20)));
    CHECK_FALSE(explained(lists, {}));
}

TEST_CASE("whole graph: a stencil of which each process sees little tells nothing")
{
    const std::vector<Candidate> square = {{Topology({2, 2}, {false, false}), GridOrigin::hint}};
    CHECK_FALSE(explained({{3}, {2}, {1}, {0}}, square)); // four corners, one on each process
    CHECK(explained({{1, 2}, {0, 3}, {3, 0}, {2, 1}}, square));
}
