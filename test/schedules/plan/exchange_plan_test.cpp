// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The round that brings a block, and messages of one block for one slot.
#include "schedules/plan/exchange_plan.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

Move delivery(int transit, int slot)
{
    return {{Place::transit, transit}, {Place::receive, slot}};
}

Round arriving(int first, int arrivals, std::vector<Move> deliveries)
{
    Round round;
    round.source = 1;
    round.first_arrival = first;
    round.arrivals = arrivals;
    round.deliveries = std::move(deliveries);
    return round;
}

/// Five messages in two phases: of two blocks; of one; of one sent on; of one for two slots; none.
Schedule example()
{
    Schedule schedule;
    schedule.phases.resize(2);
    schedule.phases[0].rounds = {arriving(0, 2, {delivery(0, 5), delivery(1, 6)}), arriving(2, 1, {delivery(2, 3)}),
                                 arriving(3, 1, {delivery(3, 4)})};
    schedule.phases[1].rounds = {arriving(4, 1, {delivery(4, 0), delivery(4, 1)}), Round()};
    schedule.phases[1].rounds[1].sends = {{Place::transit, 3}, {Place::send, 2}};
    schedule.arrivals = 5;
    return schedule;
}

} // namespace

TEST_CASE("exchange_plan: rounds are counted through all phases")
{
    const Schedule schedule = example();
    const std::vector<const Round*> rounds = rounds_of(schedule);
    REQUIRE(rounds.size() == 5);
    CHECK(rounds[3] == &schedule.phases[1].rounds[0]);
    CHECK(bringing_rounds(schedule) == std::vector<std::size_t>{0, 0, 1, 2, 3});
}

TEST_CASE("exchange_plan: a message of one block that is needed once may be received in place")
{
    CHECK(whole_message_slots(example()) == std::vector<int>{-1, 3, -1, -1, -1});
    Schedule of_two; // blocks, one of which is sent on
    of_two.phases.resize(2);
    of_two.phases[0].rounds = {arriving(0, 2, {delivery(0, 5)})};
    of_two.phases[1].rounds = {Round()};
    of_two.phases[1].rounds[0].sends = {{Place::transit, 1}};
    of_two.arrivals = 2;
    CHECK(whole_message_slots(of_two) == std::vector<int>{-1, -1});
}
