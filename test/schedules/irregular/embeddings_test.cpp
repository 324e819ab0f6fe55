// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists in one order reveal the places of the processes on a torus, for any ranks; other lists reveal nothing.
#include "schedules/irregular/embeddings.hpp"

#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

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
        const auto offset = [&](std::size_t rank, std::size_t entry) { // the cell that lies so from cell 0
            std::vector<int> here(static_cast<std::size_t>(lattice.dimensions()));
            std::vector<int> there(here.size());
            found->cells.coordinates(found->cell_of_rank[rank], here.data());
            found->cells.coordinates(found->cell_of_rank[static_cast<std::size_t>(lists[rank][entry])], there.data());
            for (std::size_t k = 0; k < here.size(); ++k)
                there[k] -= here[k];
            return found->cells.reduce(there.data());
        };
        for (std::size_t rank = 0; rank < lists.size(); ++rank)
            for (std::size_t entry = 0; entry < lists[rank].size(); ++entry)
                CHECK(offset(rank, entry) == offset(0, entry));
    }
}

TEST_CASE("Steps along single dimensions are told from those along several", "[plan]")
{
    for (const std::vector<int>& extents : std::vector<std::vector<int>>{{5, 6}, {5, 5}, {3, 5, 4}, {3, 3, 5, 3}}) {
        const auto d = static_cast<int>(extents.size());
        const Topology torus(extents, std::vector<bool>(extents.size(), true));
        std::mt19937 random(static_cast<unsigned>(torus.size()));
        const std::vector<int> ranks = shuffled(torus.size(), random);
        const Stencil stencil = moore(d, 1); // the first offset is a step along all dimensions
        std::vector<std::vector<int>> lists(ranks.size());
        for (int cell = 0; cell < torus.size(); ++cell)
            for (int b = 0; b < stencil.size(); ++b)
                lists[static_cast<std::size_t>(ranks[static_cast<std::size_t>(cell)])].push_back(
                    ranks[static_cast<std::size_t>(torus.neighbor(cell, stencil.offset(b)))]);
        const std::optional<Embedding> found = by_list_order(lists);
        REQUIRE(found);
        SearchBudget enough(1 << 20);
        const std::optional<PartialGrid> grid = best_partial_grid({*found}, lists, enough);
        REQUIRE(grid);
        CHECK(grid->messages == 2 * d * torus.size());
    }
}

TEST_CASE("Places that the program has shown are cells of one grid", "[plan]")
{
    CHECK(by_shown_places({2, 2}, {3, 0, 1}));
    CHECK_FALSE(by_shown_places({}, {0}));
    CHECK_FALSE(by_shown_places({2, 2}, {3, 0, 3}));
    CHECK_FALSE(by_shown_places({2, 2}, {3, 0, 4}));
    CHECK_FALSE(by_shown_places({2, 2}, {3, no_rank, 1}));

    // Any ranks in three quarters of the cells.
    std::mt19937 random(7);
    const Topology mesh({6, 6}, {false, false});
    const std::vector<int> cells = shuffled(mesh.size(), random);
    std::vector<int> rank_of_cell(cells.size(), no_rank);
    const std::vector<int> cell_of_rank(cells.begin(), cells.begin() + 27);
    for (std::size_t rank = 0; rank < cell_of_rank.size(); ++rank)
        rank_of_cell[static_cast<std::size_t>(cell_of_rank[rank])] = static_cast<int>(rank);
    std::vector<std::vector<int>> lists(cell_of_rank.size());
    for (const auto& [from, to] : edges_of_grid(mesh, moore(2, 1))) {
        const int sender = rank_of_cell[static_cast<std::size_t>(from)];
        const int receiver = rank_of_cell[static_cast<std::size_t>(to)];
        if (sender != no_rank && receiver != no_rank)
            lists[static_cast<std::size_t>(sender)].push_back(receiver);
    }
    SearchBudget budget(1 << 18);
    const auto shown = find_partial_grid(by_shown_places(mesh.dims(), cell_of_rank), {}, true, lists, budget);
    REQUIRE(shown);
    CHECK(shown->found == GridOrigin::recorded);
    const auto guessed = find_partial_grid({}, {}, true, lists, budget);
    CHECK((!guessed || guessed->messages > shown->messages));
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
    const std::vector<Candidate> candidates = in_all_patterns(Topology({3, 4}, {true, false}), GridOrigin::hint);
    const std::vector<Embedding> embeddings = in_rank_order(candidates);
    REQUIRE(embeddings.size() == 1);
    CHECK(embeddings[0].cells.extents() == std::vector<int>{3, 4});
    CHECK(embeddings[0].cell(5) == 5);
}
