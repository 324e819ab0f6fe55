// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Costs: the paper's Table 1 entry by entry, its cut-off ratios, and the borders of the formula.
#include "schedules/plan/cost.hpp"

#include "schedules/plan/allgather.hpp"
#include "test/catch.hpp"

#include <cmath>

using namespace hopscotch::schedules;

namespace
{

struct Column {
    int d;
    int n;
    int t;
    int rounds;
    int allgather_volume;
    int alltoall_volume;
    double ratio;
};

// Träff & Hunold, ICPP 2019, Table 1. Its ratios are (t + 1 - C) / (V - t - 1) with the t of the first row: the zero
// offset is counted as one more message there. The first ratio is printed as 1.167; the formula gives 5/3.
constexpr Column table_1[] = {
    {2, 3, 8, 4, 8, 12, 1.667},       {2, 4, 15, 6, 15, 24, 1.250},        {2, 5, 24, 8, 24, 40, 1.133},
    {3, 3, 26, 6, 26, 54, 0.778},     {3, 4, 63, 9, 63, 144, 0.688},       {3, 5, 124, 12, 124, 300, 0.646},
    {4, 3, 80, 8, 80, 216, 0.541},    {4, 4, 255, 12, 255, 768, 0.477},    {4, 5, 624, 16, 624, 2000, 0.443},
    {5, 3, 242, 10, 242, 810, 0.411}, {5, 4, 1023, 15, 1023, 3840, 0.358}, {5, 5, 3124, 20, 3124, 12500, 0.331},
};

constexpr double rounding = 0.0005;

} // namespace

TEST_CASE("Table 1 of the paper", "[cost]")
{
    for (const Column& column : table_1) {
        const Stencil stencil = grid(column.d, column.n, -1);
        CAPTURE(column.d, column.n);
        CHECK(direct_volume(stencil) == column.t);
        CHECK(rounds(stencil) == column.rounds);
        CHECK(tree_volume(stencil, best_dimension_order(stencil)) == column.allgather_volume);
        CHECK(alltoall_volume(stencil) == column.alltoall_volume);

        const double t = column.t;
        const double with_zero_offset = (t + 1 - column.rounds) / (column.alltoall_volume - t - 1);
        CHECK(std::abs(with_zero_offset - column.ratio) <= rounding);
    }
}

TEST_CASE("largest blocks that are combined rather than sent to each peer", "[cost]")
{
    const LinearCost cost{1.0, 1.0 / 1024}; // a message is worth 1024 bytes, exactly
    CHECK(distinct_peers(sorted(moore(2, 1))) == 8);
    CHECK(distinct_peers(sorted(Stencil(1, {1, 0, 2, 1, 0}))) == 2);
    CHECK(combining_cutoff_bytes(star(2, 1), Blocks::individual, cost) == 0);             // 4 messages both ways
    CHECK(combining_cutoff_bytes(sorted(moore(2, 1)), Blocks::individual, cost) == 1024); // 1024 (8 - 4) / (12 - 8)
    CHECK(combining_cutoff_bytes(sorted(moore(3, 1)), Blocks::individual, cost) == 731);  // 1024 (26 - 6) / (54 - 26)
    CHECK(combining_cutoff_bytes(sorted(moore(4, 1)), Blocks::individual, cost) == 542);  // 1024 (80 - 8) / (216 - 80)
    CHECK(combining_cutoff_bytes(sorted(grid(3, 3, -1)), Blocks::individual, cost) == 731); // no message to itself
    const std::size_t unlimited = static_cast<std::size_t>(-1);
    CHECK(combining_cutoff_bytes(sorted(moore(2, 1)), Blocks::common, cost) == unlimited); // a tree of 8 edges
    const Stencil corners = sorted(Stencil(2, {-1, -1, -1, 2, 1, -1, 1, 1, 2, 2}));
    CHECK(combining_cutoff_bytes(corners, Blocks::individual, cost) == 0); // 6 rounds for 5 peers
}

TEST_CASE("largest blocks that are combined on part of a grid: in all, and on the process with most", "[cost]")
{
    const LinearCost cost{1.0, 1.0 / 1024};
    PartialGrid grid;
    grid.merged_messages = 80;
    grid.messages = 40;
    grid.volume = 100;
    grid.edges = 80;
    grid.most = {4, 8, 12, 8};                         // messages, merged messages, blocks, edges
    CHECK(combining_cutoff_bytes(grid, cost) == 1024); // of all 2048
    grid.most.messages = 2;
    CHECK(combining_cutoff_bytes(grid, cost) == 1536);
    grid.most.volume = 8;
    CHECK(combining_cutoff_bytes(grid, cost) == 2048);
    grid.messages = 80;
    CHECK(combining_cutoff_bytes(grid, cost) == 0);
}
