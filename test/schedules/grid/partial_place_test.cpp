// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A process finds its slots for the edges that are combined, and all others among the direct ones.
#include "schedules/grid/partial_place.hpp"

#include "test/catch.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

/// A ring of three processes in four cells: cell 2 is empty. Each process sends one step ahead, rank 0 twice; rank 1
/// does not combine its block, which would lead into the empty cell.
std::shared_ptr<const PartialGrid> ring()
{
    auto grid = std::make_shared<PartialGrid>();
    grid->cells = Lattice({4});
    grid->cell_of_rank = {0, 1, 3};
    grid->rank_of_cell = {0, 1, no_rank, 2};
    grid->stencil = Stencil(1, {1, 1});
    grid->gather_order = {0};
    const std::vector<bool> bits = {true, true, false, false, true, false};
    grid->combined = {bits, bits};
    return grid;
}

constexpr int none = Neighborhood::no_slot;

} // namespace

TEST_CASE("Combined edges have slots, the others are direct", "[grid]")
{
    const Edges edges{0, {2, 1, no_rank, 1}, {no_rank, 1, 2}, {0, 0, 0, 1}, {0, 0, 0}};
    const Neighborhood neighborhood = place(ring(), Blocks::individual, edges);
    CHECK(neighborhood.send_slot == std::vector<int>{1, 3});
    CHECK(neighborhood.receive_slot == std::vector<int>{2, none});
    CHECK(neighborhood.process(0, 0, 1) == 1);
    CHECK(neighborhood.process(0, 0, 2) == no_rank);
    CHECK(neighborhood.process(0, 0, -1) == 2);
    const Edges direct = direct_edges(neighborhood, edges);
    CHECK(direct.destinations == std::vector<int>{2, no_rank, no_rank, no_rank});
    CHECK(direct.sources == std::vector<int>{no_rank, 1, no_rank});
}

TEST_CASE("Lists without a combined edge are refused", "[grid]")
{
    CHECK_THROWS_AS(place(ring(), Blocks::common, Edges{0, {1}, {2}, {0}, {0}}), std::invalid_argument);
    CHECK_THROWS_AS(place(ring(), Blocks::common, Edges{0, {1, 1}, {1}, {0, 1}, {0}}), std::invalid_argument);
}
