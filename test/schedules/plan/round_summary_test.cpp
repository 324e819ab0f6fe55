// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The summaries of schedules worked out by hand in docs/algorithms.md.
#include "test/catch.hpp"

#include "schedules/plan/allgather.hpp"
#include "schedules/plan/combining.hpp"
#include "schedules/plan/cost.hpp"
#include "schedules/plan/round_summary.hpp"

using namespace hopscotch::schedules;

TEST_CASE("The summary of the 3x3 torus is the table of docs/algorithms.md")
{
    const Topology torus({3, 3}, {true, true});
    const Stencil stencil = moore(2, 1);
    const int rank = middle(torus);
    CHECK(rank == 4);
    const std::vector<PhaseSummary> phases =
        round_summary(combining_alltoall(place(torus, stencil, edges_of(torus, stencil, rank))), torus, rank, {0, 1});
    REQUIRE(phases.size() == 2);
    for (int k = 0; k < 2; ++k) {
        const PhaseSummary& phase = phases[static_cast<std::size_t>(k)];
        CHECK(phase.dimension == k);
        REQUIRE(phase.rounds.size() == 2);
        for (int i = 0; i < 2; ++i) {
            const RoundSummary& round = phase.rounds[static_cast<std::size_t>(i)];
            CHECK(round.shift == 2 * i - 1);
            CHECK(round.own_blocks == (k == 0 ? 3 : 1));
            CHECK(round.forwarded_blocks == (k == 0 ? 0 : 2));
        }
    }
}

TEST_CASE("Outlines add up to rounds and volume")
{
    const Topology torus({5, 5, 5}, {true, true, true});
    const Stencil stencil = sorted(canonical(grid(3, 3, -1), torus));
    const int rank = middle(torus);
    const Neighborhood neighborhood = place(torus, stencil, edges_of(torus, stencil, rank));
    const std::vector<int> order = best_dimension_order(stencil);
    int messages = 0;
    int blocks = 0;
    for (const PhaseSummary& phase :
         round_summary(combining_allgather(neighborhood, route_along(stencil, order)), torus, rank, order)) {
        for (const RoundSummary& round : phase.rounds) {
            ++messages;
            blocks += round.own_blocks + round.forwarded_blocks;
        }
    }
    CHECK(messages == rounds(stencil));
    CHECK(blocks == tree_volume(stencil, order));
}
