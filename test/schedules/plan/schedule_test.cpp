// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The vocabulary of schedules: counting, printing, relations between rounds, and that validate sees each
// broken rule.
#include "schedules/plan/schedule.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/rules.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

Slot send(int index)
{
    return {Place::send, index};
}

Slot receive(int index)
{
    return {Place::receive, index};
}

Slot transit(int index)
{
    return {Place::transit, index};
}

/// Three send slots, four receive slots, the last of them beyond a border. Block 1 is copied; in the first phase two
/// blocks leave and two arrive. One of the two stays in transit and goes on in the second phase.
Schedule valid_schedule()
{
    Schedule schedule;
    schedule.copies = {{send(1), receive(1)}};
    schedule.phases.resize(2);
    Round first;
    first.destination = 5;
    first.source = 3;
    first.sends = {send(0), send(2)};
    first.arrivals = 2;
    first.deliveries = {{transit(0), receive(0)}};
    Round second;
    second.destination = 7;
    second.source = 1;
    second.sends = {transit(1)};
    second.first_arrival = 2;
    second.arrivals = 1;
    second.deliveries = {{transit(2), receive(2)}};
    schedule.phases[0].rounds = {first};
    schedule.phases[1].rounds = {second};
    schedule.arrivals = 3;
    return schedule;
}

using Break = std::function<void(Schedule&)>;

void check_refused(const Break& break_rule, const std::string& sentence)
{
    Schedule schedule = valid_schedule();
    break_rule(schedule);
    CHECK_THROWS_AS(validate(schedule, 3, 4, {3}), std::logic_error);
    CHECK_THROWS_WITH(validate(schedule, 3, 4, {3}), contains(sentence));
}

Round& round_of(Schedule& schedule, std::size_t phase)
{
    return schedule.phases[phase].rounds[0];
}

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

TEST_CASE("messages and volume count only blocks that leave the process", "[schedule]")
{
    CHECK(valid_schedule().messages() == 2);
    CHECK(valid_schedule().volume() == 3);
    CHECK(Schedule().messages() == 0);
    CHECK(Schedule().volume() == 0);
}

TEST_CASE("a schedule reads as text", "[schedule]")
{
    std::ostringstream text;
    text << valid_schedule();
    CHECK(text.str() == "2 messages, 3 blocks sent, 3 received\n"
                        "copy send 1 -> receive 1\n"
                        "phase 0\n"
                        "  to 5: send 0, send 2 | from 3: transit 0..1 | deliver transit 0 -> receive 0\n"
                        "phase 1\n"
                        "  to 7: transit 1 | from 1: transit 2 | deliver transit 2 -> receive 2\n");
}

TEST_CASE("a valid schedule passes", "[schedule]")
{
    CHECK_NOTHROW(validate(valid_schedule(), 3, 4, {3}));
    CHECK_NOTHROW(validate(Schedule(), 5, 0));
    CHECK_NOTHROW(validate(Schedule(), 0, 2, {0, 1}));
}

TEST_CASE("blocks in transit are sent after the phase they arrive in", "[schedule]")
{
    check_refused([](Schedule& s) { round_of(s, 0).sends[0] = transit(0); }, "phase 0, round 0: transit 0 is sent");
    check_refused([](Schedule& s) { round_of(s, 1).sends[0] = transit(2); }, "phase 1, round 0: transit 2 is sent");
    check_refused([](Schedule& s) { round_of(s, 1).sends[0] = transit(-1); }, "transit -1 is sent");
    check_refused(
        [](Schedule& s) {
            s.phases[0].rounds.push_back(s.phases[1].rounds[0]);
            s.phases.pop_back();
        },
        "phase 0, round 1: transit 1 is sent");
}

TEST_CASE("blocks are delivered by the round that brings them", "[schedule]")
{
    check_refused([](Schedule& s) { round_of(s, 0).deliveries[0].from = transit(2); }, "phase 0, round 0: transit 2");
    check_refused([](Schedule& s) { round_of(s, 1).deliveries[0].from = transit(1); }, "does not arrive in this round");
    check_refused([](Schedule& s) { round_of(s, 1).deliveries[0].from = send(1); }, "send 1 is delivered");
}

TEST_CASE("indices stay in range", "[schedule]")
{
    check_refused([](Schedule& s) { s.copies[0].from = send(3); }, "copies: send 3 is out of range");
    check_refused([](Schedule& s) { s.copies[0].from = send(-1); }, "send -1 is out of range");
    check_refused([](Schedule& s) { round_of(s, 0).sends[1] = send(3); }, "send 3 is out of range");
    check_refused([](Schedule& s) { round_of(s, 0).deliveries[0].to = receive(4); }, "receive 4 is out of range");
    check_refused([](Schedule& s) { s.copies[0].to = receive(-1); }, "receive -1 is out of range");
    CHECK_THROWS_WITH(validate(valid_schedule(), 3, 4, {4}), contains("unused receive 4"));
}

TEST_CASE("places keep their roles", "[schedule]")
{
    check_refused([](Schedule& s) { s.copies[0].from = transit(0); }, "transit 0 is copied");
    check_refused([](Schedule& s) { s.copies[0].to = send(0); }, "send 0 is written");
    check_refused([](Schedule& s) { round_of(s, 0).deliveries[0].to = transit(0); }, "transit 0 is written");
    check_refused([](Schedule& s) { round_of(s, 1).sends[0] = receive(0); }, "receive 0 is sent");
}

TEST_CASE("messages have blocks, and blocks have a process", "[schedule]")
{
    check_refused([](Schedule& s) { round_of(s, 0).destination = -1; }, "blocks are sent to no process");
    check_refused([](Schedule& s) { round_of(s, 0).source = -1; }, "blocks arrive from no process");
    check_refused([](Schedule& s) { round_of(s, 1).sends.clear(); }, "a message without blocks to process 7");
    check_refused([](Schedule& s) { round_of(s, 1).destination = -2; }, "destination -2 is no process");
    check_refused([](Schedule& s) { round_of(s, 1).source = -2; }, "source -2 is no process");
    check_refused([](Schedule& s) { round_of(s, 1).arrivals = -1; }, "-1 arrivals");
    check_refused(
        [](Schedule& s) {
            round_of(s, 1).arrivals = 0;
            round_of(s, 1).deliveries.clear();
        },
        "a message without blocks from process 1");
}

TEST_CASE("arrivals are counted through all rounds", "[schedule]")
{
    check_refused([](Schedule& s) { round_of(s, 1).first_arrival = 1; }, "first arrival is 1, but 2");
    check_refused([](Schedule& s) { s.arrivals = 4; }, "4 arrivals announced, 3");
}

TEST_CASE("every receive slot is written once", "[schedule]")
{
    check_refused([](Schedule& s) { round_of(s, 1).deliveries[0].to = receive(1); }, "receive 1 is written twice");
    check_refused([](Schedule& s) { round_of(s, 1).deliveries[0].to = receive(3); }, "receive 3 is written but has no");
    check_refused([](Schedule& s) { s.copies.clear(); }, "receive 1 is never written");
    CHECK_THROWS_WITH(validate(valid_schedule(), 3, 4), contains("receive 3 is never written"));
}

TEST_CASE("schedule: rounds are counted through all phases")
{
    const Schedule schedule = example();
    const std::vector<const Round*> rounds = rounds_of(schedule);
    REQUIRE(rounds.size() == 5);
    CHECK(rounds[3] == &schedule.phases[1].rounds[0]);
    CHECK(bringing_rounds(schedule) == std::vector<std::size_t>{0, 0, 1, 2, 3});
}

TEST_CASE("schedule: a message of one block that is needed once may be received in place")
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
