// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The simulator itself: it must notice a wrong set of schedules.
#include "test/schedules/plan/simulator.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

/// One block to and one from each of the given processes, in one phase.
Schedule exchange(int destination, int source)
{
    Round round;
    round.destination = destination;
    round.source = source;
    if (destination != no_rank)
        round.sends = {{Place::send, 0}};
    if (source != no_rank) {
        round.arrivals = 1;
        round.deliveries = {{{Place::transit, 0}, {Place::receive, 0}}};
    }
    Schedule schedule;
    schedule.phases = {{{round}}};
    schedule.arrivals = round.arrivals;
    return schedule;
}

} // namespace

TEST_CASE("a ring passes its blocks on", "[simulator]")
{
    const auto received = simulate({exchange(1, 2), exchange(2, 0), exchange(0, 1)}, {1, 1, 1});
    CHECK(received[0][0] == Label{2, 0});
    CHECK(received[1][0] == Label{0, 0});
    CHECK(received[2][0] == Label{1, 0});
}

TEST_CASE("a message that never comes is a deadlock", "[simulator]")
{
    CHECK_THROWS_WITH(simulate({exchange(no_rank, 1), exchange(no_rank, no_rank)}, {1, 0}),
                      contains("process 0: deadlock: waits in phase 0 for a message from 1"));
}

TEST_CASE("a message nobody takes is left over", "[simulator]")
{
    CHECK_THROWS_WITH(simulate({exchange(1, no_rank), exchange(no_rank, no_rank)}, {0, 0}),
                      contains("a message from 0 is left over"));
}

TEST_CASE("a message of another length is refused", "[simulator]")
{
    Schedule too_long = exchange(1, no_rank);
    too_long.phases[0].rounds[0].sends.push_back({Place::send, 1});
    CHECK_THROWS_WITH(simulate({too_long, exchange(no_rank, 0)}, {0, 1}), contains("expects 1 blocks from 0, but 2"));
}

TEST_CASE("messages of two processes keep their order", "[simulator]")
{
    Schedule sender = exchange(1, no_rank);
    sender.phases[0].rounds.push_back(sender.phases[0].rounds[0]);
    sender.phases[0].rounds[1].sends = {{Place::send, 1}};
    Schedule receiver = exchange(no_rank, 0);
    receiver.phases[0].rounds.push_back(receiver.phases[0].rounds[0]);
    receiver.phases[0].rounds[1].first_arrival = 1;
    receiver.phases[0].rounds[1].deliveries = {{{Place::transit, 1}, {Place::receive, 1}}};
    receiver.arrivals = 2;
    const auto received = simulate({sender, receiver}, {0, 2});
    CHECK(received[1] == std::vector<Label>{{0, 0}, {0, 1}});
}

TEST_CASE("a block that has not arrived cannot be sent", "[simulator]")
{
    Schedule early = exchange(1, 1);
    early.phases[0].rounds[0].sends = {{Place::transit, 0}};
    CHECK_THROWS_WITH(simulate({early, exchange(0, 0)}, {1, 1}), contains("before a block has arrived"));
}
