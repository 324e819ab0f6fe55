// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists in one order reveal the places of the processes on a torus, for any ranks; other lists reveal nothing.
#include "schedules/irregular/embeddings.hpp"

#include "test/catch.hpp"

#include <algorithm>
#include <numeric>
#include <random>

using namespace hopscotch::schedules;

namespace
{

/// Each process of a lattice names its neighbors one step ahead and back along each dimension.
std::vector<std::vector<int>> lists_of(const Lattice& lattice, const std::vector<int>& rank_of_cell)
{
    std::vector<std::vector<int>> lists(rank_of_cell.size());
    for (int cell = 0; cell < lattice.size(); ++cell)
        for (int k = 0; k < lattice.dimensions(); ++k)
            for (const int shift : {1, -1})
                lists[static_cast<std::size_t>(rank_of_cell[static_cast<std::size_t>(cell)])].push_back(
                    rank_of_cell[static_cast<std::size_t>(lattice.moved(cell, k, shift))]);
    return lists;
}

std::vector<int> shuffled(int processes, std::mt19937& random)
{
    std::vector<int> ranks(static_cast<std::size_t>(processes));
    std::iota(ranks.begin(), ranks.end(), 0);
    std::shuffle(ranks.begin(), ranks.end(), random);
    return ranks;
}

} // namespace

TEST_CASE("List order reveals the places of processes", "[plan]")
{
    const std::vector<Lattice> lattices = {Lattice({4, 5}), Lattice({3, 3, 3}), Lattice({6, 3}, {{}, {2}}),
                                           Lattice({5, 2, 3}, {{}, {1}, {2, 1}}), Lattice({7})};
    for (const Lattice& lattice : lattices) {
        std::mt19937 random(static_cast<unsigned>(lattice.size()));
        const std::vector<std::vector<int>> lists = lists_of(lattice, shuffled(lattice.size(), random));
        const std::optional<Embedding> found = by_list_order(lists);
        REQUIRE(found);
        CHECK(found->cells.size() == lattice.size());
        std::vector<int> offsets; // from each process to entry 0
        for (std::size_t rank = 0; rank < lists.size(); ++rank)
            CHECK(found->cells.moved(found->cell_of_rank[rank], 0, 1) ==
                  found->cell_of_rank[static_cast<std::size_t>(lists[rank][0])]);
    }
}

TEST_CASE("Lists in different orders tell nothing", "[plan]")
{
    std::vector<std::vector<int>> lists = {{1, 2}, {2, 0}, {0, 1}};
    CHECK(by_list_order(lists));
    std::swap(lists[1][0], lists[1][1]);
    CHECK_FALSE(by_list_order(lists)); // no permutation
    CHECK_FALSE(by_list_order({{1}, {0, 2}, {1}}));
    CHECK_FALSE(by_list_order({}));
    CHECK_FALSE(by_list_order({{0}, {1}}));               // nobody is reached
    CHECK_FALSE(by_list_order({{1, 2}, {0, 0}, {2, 1}})); // (0 1) and (0 2 1) do not commute
}

TEST_CASE("Grids that differ in their periods are one torus", "[plan]")
{
    const std::vector<Candidate> candidates = in_all_patterns(Topology({3, 4}, {true, false}), "hint");
    const std::vector<Embedding> embeddings = in_rank_order(candidates);
    REQUIRE(embeddings.size() == 1);
    CHECK(embeddings[0].cells.extents() == std::vector<int>{3, 4});
    CHECK(embeddings[0].cell(5) == 5);
}
