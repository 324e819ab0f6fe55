// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Numberings visit all cells, each in its own order, and graphs with ranks in such an order are understood.
#include "schedules/irregular/numberings.hpp"

#include "schedules/irregular/embeddings.hpp"
#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

#include <cstdlib>

using namespace hopscotch::schedules;

namespace
{

bool goes_through_all(std::vector<int> cells)
{
    std::sort(cells.begin(), cells.end());
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] != static_cast<int>(i))
            return false;
    return true;
}

/// True if each cell lies beside the one before.
bool has_no_gap(const Lattice& cells, const std::vector<int>& order)
{
    std::vector<int> at(static_cast<std::size_t>(cells.dimensions()));
    std::vector<int> before(at);
    for (std::size_t i = 0; i < order.size(); ++i) {
        cells.coordinates(order[i], at.data());
        int steps = 0;
        for (std::size_t k = 0; k < at.size(); ++k)
            steps += std::abs(at[k] - before[k]);
        if (i > 0 && steps != 1)
            return false;
        before = at;
    }
    return true;
}

struct Numbering {
    const char* name;
    std::vector<int> (*of)(const Lattice& cells);
};

/// Half of each extent that is even.
std::vector<int> in_bricks(const Lattice& cells)
{
    std::vector<int> brick;
    for (const int extent : cells.extents())
        brick.push_back(extent % 2 == 0 ? extent / 2 : extent);
    return brick_by_brick(cells, brick);
}

const Numbering numberings[] = {{"back and forth", back_and_forth},
                                {"Z curve", along_z_curve},
                                {"Hilbert curve", along_hilbert_curve},
                                {"bricks", in_bricks}};

} // namespace

TEST_CASE("Numberings by hand", "[plan]")
{
    CHECK(back_and_forth(Lattice({3, 3})) == std::vector<int>{0, 1, 2, 5, 4, 3, 6, 7, 8});
    CHECK(along_z_curve(Lattice({2, 4})) == std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7});
    CHECK(along_hilbert_curve(Lattice({2, 2})) == std::vector<int>{0, 1, 3, 2});
    CHECK(brick_by_brick(Lattice({2, 4}), {2, 2}) == std::vector<int>{0, 1, 4, 5, 2, 3, 6, 7});
    CHECK(brick_by_brick(Lattice({4, 2}), {1, 2}) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
}

TEST_CASE("Numberings go through all cells, and curves without a gap", "[plan]")
{
    for (const auto& extents :
         {std::vector<int>{7}, {5, 6}, {8, 8}, {3, 4, 5}, {4, 4, 4}, {2, 3, 2, 3}, {2, 2, 2, 2}, {1, 5}}) {
        const Lattice cells(extents);
        for (const Numbering& numbering : numberings)
            CHECK(goes_through_all(numbering.of(cells)));
        CHECK(has_no_gap(cells, back_and_forth(cells)));
        const auto is_power_of_two = [&](int extent) {
            return extent == extents.front() && (extent & (extent - 1)) == 0;
        };
        if (std::all_of(extents.begin(), extents.end(), is_power_of_two))
            CHECK(has_no_gap(cells, along_hilbert_curve(cells)));
    }
}

TEST_CASE("Numberings by bricks are tried, but for those of whole rows", "[plan]")
{
    const Lists lists = lists_of(36, edges_of_grid(Topology({6, 6}, {true, true}), moore(2, 1)));
    SearchBudget budget(1 << 16);
    std::multiset<std::vector<int>> tried;
    for (const Embedding& embedding : in_known_numberings(lists, budget))
        if (embedding.cells.extents() == std::vector<int>{6, 6})
            tried.insert(embedding.cell_of_rank);
    CHECK(tried.size() == 3 + 9); // curves and bricks
    CHECK(tried.count(brick_by_brick(Lattice({6, 6}), {2, 3})) == 1);
    CHECK(tried.count(brick_by_brick(Lattice({6, 6}), {2, 6})) == 0);
}

TEST_CASE("Renumbered grids are understood nearly as well as if one knew the numbering", "[plan]")
{
    for (const Numbering& numbering : numberings)
        for (int d = 1; d <= 4; ++d) {
            std::int64_t messages = 0;
            std::int64_t known = 0;
            for (unsigned seed = 1; seed <= 8; ++seed) {
                std::mt19937 random(seed);
                constexpr int most[] = {0, 60, 12, 5, 3};
                std::vector<int> dims;
                std::vector<bool> periods;
                for (int k = 0; k < d; ++k) {
                    dims.push_back(std::uniform_int_distribution<int>(3, most[d])(random));
                    periods.push_back(random() % 2 == 0);
                }
                const Lattice cells(dims);
                const std::vector<int> cell_of_rank = numbering.of(cells);
                std::vector<int> rank_of_cell(cell_of_rank.size());
                for (std::size_t rank = 0; rank < cell_of_rank.size(); ++rank)
                    rank_of_cell[static_cast<std::size_t>(cell_of_rank[rank])] = static_cast<int>(rank);
                std::vector<std::vector<int>> lists(cell_of_rank.size());
                for (const auto& [from, to] : edges_of_grid(Topology(dims, periods), moore(d, 1)))
                    lists[static_cast<std::size_t>(rank_of_cell[static_cast<std::size_t>(from)])].push_back(
                        rank_of_cell[static_cast<std::size_t>(to)]);
                for (std::vector<int>& list : lists)
                    std::shuffle(list.begin(), list.end(), random);
                SearchBudget enough(1 << 20);
                const auto truth = best_partial_grid({{cells, cell_of_rank, GridOrigin::hint}}, lists, enough);
                if (!truth)
                    continue;
                SearchBudget budget(1 << 18);
                const auto found = find_partial_grid({}, {}, true, lists, budget);
                messages += found ? found->messages : truth->merged_messages;
                known += truth->messages;
            }
            INFO(numbering.name << ", " << d << " dimensions: " << messages << " messages, " << known
                                << " if one knew");
            if (d < 4) // in four the search ends at times before the right one is priced
                CHECK(messages * 5 <= known * 6);
            CHECK(messages * 5 <= known * 7);
        }
}
