// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Guesses a few empty cells of a torus or mesh; the other cells have their ranks row by row.
#include "schedules/irregular/few_holes.hpp"

#include "schedules/grid/infer.hpp"
#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/ordering.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hopscotch::schedules
{

namespace
{

/// The other ends of the edges of each process, or of some of them.
struct Ends {
    static constexpr std::size_t most_of_a_process = 8; // enough to tell its place
    std::vector<std::vector<int>> to;
    std::vector<std::vector<int>> from;
    std::size_t edges = 0;

    explicit Ends(const std::vector<std::vector<int>>& destinations)
        : to(destinations.size()), from(destinations.size())
    {
        for (std::size_t rank = 0; rank < destinations.size(); ++rank) {
            const std::vector<int> others = distinct_others(destinations[rank], static_cast<int>(rank));
            const std::size_t taken = std::min(others.size(), most_of_a_process);
            for (std::size_t i = 0; i < taken; ++i) {
                const int other = others[i * others.size() / taken];
                to[rank].push_back(other);
                from[static_cast<std::size_t>(other)].push_back(static_cast<int>(rank));
                ++edges;
            }
        }
    }
};

/// Ranks row by row in the cells of a torus, all holes behind them at first.
class HoleRow
{
  public:
    HoleRow(std::vector<int> extents, const Ends& ends)
        : cells_(std::move(extents)), ends_(ends), cell_of_rank_(identity(static_cast<int>(ends.to.size()))),
          places_(static_cast<std::size_t>(cells_.size() * cells_.dimensions())),
          times_(static_cast<std::size_t>(cells_.size()))
    {
        for (int cell = 0; cell < cells_.size(); ++cell)
            cells_.coordinates(cell, places_.data() + cell * cells_.dimensions());
        for (std::size_t rank = 0; rank < ends.to.size(); ++rank)
            for (const int to : ends.to[rank])
                count(static_cast<int>(rank), to, 1);
    }

    std::size_t holes() const noexcept { return static_cast<std::size_t>(cells_.size()) - cell_of_rank_.size(); }

    /// Takes the last hole from the end of the row to the place with the largest concentration.
    std::size_t place_hole()
    {
        std::size_t best = cell_of_rank_.size();
        long long most = concentration_;
        for (std::size_t rank = cell_of_rank_.size(); rank-- > 0;) {
            move(rank, 1);
            if (concentration_ > most) {
                most = concentration_;
                best = rank;
            }
        }
        for (std::size_t rank = 0; rank < best; ++rank)
            move(rank, -1);
        return best;
    }

    /// Takes a hole before this rank back to the end.
    void take_hole(std::size_t before)
    {
        for (std::size_t rank = before; rank < cell_of_rank_.size(); ++rank)
            move(rank, -1);
    }

    Embedding embedding() const { return {cells_, cell_of_rank_, GridOrigin::inferred}; }

  private:
    void count(int from, int to, int times)
    {
        const int d = cells_.dimensions();
        const int* const here = places_.data() + cell_of_rank_[static_cast<std::size_t>(from)] * d;
        const int* const there = places_.data() + cell_of_rank_[static_cast<std::size_t>(to)] * d;
        int offset = 0;
        for (int k = 0; k < d; ++k) {
            const int steps = there[k] - here[k];
            offset = offset * cells_.extent(k) + (steps < 0 ? steps + cells_.extent(k) : steps);
        }
        int& so_often = times_[static_cast<std::size_t>(offset)];
        const long long before = so_often;
        so_often += times;
        concentration_ += static_cast<long long>(so_often) * so_often - before * before;
    }

    void move(std::size_t rank, int cells)
    {
        const int self = static_cast<int>(rank);
        for (const int times : {-1, 1}) {
            for (const int to : ends_.to[rank])
                count(self, to, times);
            for (const int from : ends_.from[rank])
                count(from, self, times);
            if (times < 0)
                cell_of_rank_[rank] += cells;
        }
    }

    Lattice cells_;
    const Ends& ends_;
    std::vector<int> cell_of_rank_;
    std::vector<int> places_;     // coordinates of the cells
    std::vector<int> times_;      // number of edges of each offset, by the cell that it reaches from cell 0
    long long concentration_ = 0; // large if few offsets make up many edges
};

constexpr std::size_t steps_per_hole = 5; // at each edge: it is counted about 20 times, 5 ns each

/// A grid that is tried.
struct Grid {
    int holes;
    std::vector<int> extents;
};

void place_all(HoleRow& row)
{
    std::vector<std::size_t> holes;
    for (std::size_t i = 0; i < row.holes(); ++i)
        holes.push_back(row.place_hole());
    for (std::size_t& hole : holes) {
        row.take_hole(hole);
        hole = row.place_hole();
    }
}

} // namespace

int likely_dimensions(const std::vector<std::vector<int>>& destinations)
{
    constexpr int most = 5;
    constexpr std::size_t of_other_kinds = 2; // a few edges may be of none
    std::size_t neighbors = 0;
    for (const std::vector<int>& list : destinations)
        neighbors = std::max(neighbors, list.size());
    int d = 1;
    for (std::size_t of_stencil = 2; of_stencil + of_other_kinds < neighbors && d < most; ++d)
        of_stencil = of_stencil * 3 + 2;
    return d;
}

std::vector<Embedding> around_few_holes(const std::vector<std::vector<int>>& destinations, SearchBudget& budget)
{
    constexpr std::size_t most_grids = 256; // with one number of cells
    constexpr std::size_t most_tried = 6;
    const int processes = static_cast<int>(destinations.size());
    const int d = likely_dimensions(destinations);
    std::size_t entries = 0;
    for (const std::vector<int>& list : destinations)
        entries += list.size();
    if (d == 1 || !budget.take(entries))
        return {};
    const Ends ends(destinations);
    const std::size_t steps = std::max(ends.edges * steps_per_hole, std::size_t{1}); // for each hole
    std::vector<Grid> grids;
    for (int holes = 1; holes <= std::max(processes / 16, 1); ++holes) {
        const std::size_t to_factorize = destinations.size() / 64 + 16;
        if (steps * static_cast<std::size_t>(holes) > budget.left() || !budget.take(to_factorize)) {
            budget.leave_out();
            break;
        }
        for (std::vector<int>& extents : factorizations(processes + holes, d, most_grids))
            if (static_cast<int>(extents.size()) == d)
                grids.push_back({holes, std::move(extents)});
    }
    const auto longest = [](const Grid& grid) { return *std::max_element(grid.extents.begin(), grid.extents.end()); };
    std::stable_sort(grids.begin(), grids.end(),
                     [&longest](const Grid& a, const Grid& b) { return longest(a) < longest(b); });
    std::vector<Embedding> result;
    for (const Grid& grid : grids) {
        if (steps * static_cast<std::size_t>(grid.holes) > budget.left()) { // fewer holes may do
            budget.leave_out();
            continue;
        }
        if (result.size() == most_tried)
            break;
        budget.take(steps * static_cast<std::size_t>(grid.holes));
        HoleRow row(grid.extents, ends);
        place_all(row);
        result.push_back(row.embedding());
    }
    return result;
}

} // namespace hopscotch::schedules
