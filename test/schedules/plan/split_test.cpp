// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Splits of one dimension: few rounds, as the bound allows, and what they cost in blocks.
#include "schedules/plan/split.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

Load of(const Stencil& stencil, int extent, bool periodic, int phases)
{
    return total(split(stencil, Topology({extent}, {periodic}), 0, phases).loads);
}

Load line(int first, int n, int phases, bool periodic = true)
{
    return of(grid(1, n, first), 1000, periodic, phases);
}

} // namespace

TEST_CASE("The fewest rounds with so many phases", "[split]")
{
    CHECK(fewest_rounds(1, 3) == 0);
    CHECK(fewest_rounds(27, 1) == 26);
    CHECK(fewest_rounds(27, 2) == 9); // 6 * 5 = 30 words
    CHECK(fewest_rounds(27, 3) == 6);
    CHECK(fewest_rounds(125, 6) == 8); // 3 * 3 * 2 * 2 * 2 * 2 = 144
    CHECK(fewest_rounds(125, 7) == 7);
    CHECK(fewest_rounds(3125, 10) == 13);
    CHECK(fewest_rounds(1024, 20) == 10);
}

// The rounds and blocks of one dimension behind Table 1: (2,5), (3,4), (3,7) of docs/algorithms.md.
TEST_CASE("Splits of the paper's shifts", "[split]")
{
    CHECK(line(-1, 4, 2).rounds == 2);
    CHECK(line(-1, 4, 2).blocks == 4);
    CHECK(line(-1, 5, 2).rounds == 3);
    CHECK(line(-1, 5, 2).blocks == 5);
    CHECK(line(-3, 7, 3).rounds == 3);
    CHECK(line(-3, 7, 3).blocks == 9); // {1}, {2}, {-3}
    CHECK(line(-2, 5, 3).rounds == 3);
    CHECK(line(-2, 5, 3).blocks == 5); // {1}, {2}, {-2}
    CHECK(line(-8, 9, 4).blocks == 12);
    CHECK(line(-1, 5, 2, false).rounds == 3);
    CHECK(line(-1, 5, 2, false).blocks == 5);
    CHECK(line(-1, 3, 2).rounds == 2); // no fewer than in one phase
}

TEST_CASE("Intervals are split into as few rounds as the bound allows", "[split]")
{
    for (int n = 2; n <= 40; ++n)
        for (int first = 1 - n; first <= 0; ++first)
            for (int phases = 1; phases <= 7; ++phases) {
                const Load found = line(first, n, phases);
                CHECK(found.rounds <= fewest_rounds(n, phases));
                const Load straight = line(first, n, phases, false);
                CHECK(straight.rounds <= fewest_rounds(1 - first, phases) + fewest_rounds(first + n, phases));
            }
}

TEST_CASE("Few shifts far from each other are not split", "[split]")
{
    const Load found = of(Stencil(1, {-1000000000, 7, 1000000000}), 1, false, 2);
    CHECK(found.rounds == 3);
    CHECK(found.blocks == 3);
    CHECK(of(Stencil(1, {-6, -3, 3, 6, 9}), 100, true, 3).rounds == 3); // multiples of 3
}
