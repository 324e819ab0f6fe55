// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Grids with faults may be regular, graphs without order may not.
#include "test/catch.hpp"

#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/irregular/regularity.hpp"

using namespace hopscotch::schedules;

namespace
{

using Lists = std::vector<std::vector<int>>;

/// The lists of a stencil on a grid with any ranks, without some per cent of the edges.
Lists with_faults(const Topology& grid, const Stencil& stencil, unsigned percent, std::mt19937& random)
{
    std::vector<int> name(static_cast<std::size_t>(grid.size()));
    std::iota(name.begin(), name.end(), 0);
    std::shuffle(name.begin(), name.end(), random);
    Lists lists(name.size());
    for (int rank = 0; rank < grid.size(); ++rank)
        for (int i = 0; i < stencil.size(); ++i)
            if (const int to = grid.neighbor(rank, stencil.offset(i)); to != no_rank && random() % 100 >= percent)
                lists[static_cast<std::size_t>(name[static_cast<std::size_t>(rank)])].push_back(
                    name[static_cast<std::size_t>(to)]);
    return lists;
}

Lists any(std::size_t processes, std::size_t degree, std::mt19937& random)
{
    Lists lists(processes);
    for (std::vector<int>& list : lists)
        for (std::size_t i = 0; i < degree; ++i)
            list.push_back(static_cast<int>(random() % processes));
    return lists;
}

bool may_be(const Lists& lists)
{
    SearchBudget budget(1 << 18);
    return may_be_regular(lists, budget);
}

} // namespace

TEST_CASE("Grids with faults may be regular", "[regularity]")
{
    std::mt19937 random(3);
    for (const unsigned percent : {0u, 5u, 20u, 30u})
        for (const bool periodic : {true, false}) {
            CHECK(may_be(with_faults(Topology({8, 9}, {periodic, periodic}), star(2, 1), percent, random)));
            CHECK(may_be(with_faults(Topology({8, 9}, {periodic, false}), moore(2, 1), percent, random)));
            CHECK(may_be(with_faults(Topology({6, 5, 4}, {periodic, true, periodic}), star(3, 1), percent, random)));
            CHECK(may_be(with_faults(Topology({40}, {periodic}), star(1, 2), percent, random)));
        }
}

TEST_CASE("Graphs without order, or with two neighbors, are not", "[regularity]")
{
    std::mt19937 random(5);
    CHECK_FALSE(may_be(any(256, 4, random)));
    CHECK_FALSE(may_be(any(1024, 8, random)));
    CHECK_FALSE(may_be(any(61, 8, random))); // many ways share their ends by chance
    CHECK(may_be(any(64, 8, random)));       // six messages reach all on a torus of two by two by two ...
    CHECK_FALSE(may_be(with_faults(Topology({50}, {true}), star(1, 1), 0, random)));
    CHECK_FALSE(may_be({}));
    CHECK_FALSE(may_be(Lists(5)));
    SearchBudget none(0);
    CHECK(may_be_regular(any(256, 4, random), none)); // nothing is known
}
