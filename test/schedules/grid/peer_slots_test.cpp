// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The slots of edges to and from a process, in the order in which parallel edges match.
#include "schedules/grid/peer_slots.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("Slots are found by the process at the other end and the number of the edge")
{
    const Edges edges{0, {5, 2, 5, no_rank}, {7, 5, 5, 7}, {0, 0, 1, 0}, {0, 1, 0, 1}};
    const PeerSlots each(edges, Blocks::individual);
    CHECK(each.to(5) == std::vector<int>{0, 2});
    CHECK(each.from(5) == std::vector<int>{2, 1}); // slot 2 is the first of the parallel edges
    CHECK(each.to(9).empty());
    CHECK(each.from(2).empty());
    CHECK(each.send(5, 1) == 2);
    CHECK(each.receive(5, 1) == std::vector<int>{1});
    CHECK(each.receive(7, 0) == std::vector<int>{0});
}

TEST_CASE("A common block is sent from the one slot there is, and received in all slots of its source")
{
    const Edges edges{0, {5, 2, 5}, {7, 5, 5}, {0, 0, 1}, {0, 1, 0}};
    const PeerSlots common(edges, Blocks::common);
    CHECK(common.send(5, 1) == 0);
    std::vector<int> slots = common.receive(5, 0);
    std::sort(slots.begin(), slots.end());
    CHECK(slots == std::vector<int>{1, 2});
}
