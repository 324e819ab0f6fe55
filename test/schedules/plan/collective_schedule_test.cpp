// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm and collective gets a schedule of its own: told apart by their messages on one small job.
#include "schedules/plan/collective_schedule.hpp"

#include "schedules/plan/cost.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

using namespace hopscotch::schedules;

namespace
{

/// On a torus of three times three processes, with three neighbors on two other processes.
struct SmallJob {
    std::mt19937 random{1};
    Job job = shuffled_job(Topology({3, 3}, {true, true}), Stencil(2, {1, 0, 1, 0, 1, 1}), random);

    std::size_t messages(Algorithm algorithm, Collective collective) const
    {
        std::size_t sum = 0;
        const Schedule schedule =
            schedule_for(algorithm, collective, job.edges[0], job.topology, job.planned_stencil());
        for (const Phase& phase : schedule.phases)
            for (const Round& round : phase.rounds)
                sum += round.destination != no_rank ? 1 : 0;
        return sum;
    }
};

} // namespace

TEST_CASE("Common blocks take the order with the fewest of them, others that of the dimensions")
{
    const Topology torus({5, 5}, {true, true});
    const Stencil stencil(2, {0, 1, 1, 1, 2, 1});
    CHECK(combining_routing(Blocks::common, torus, stencil, {}).front().dimensions == std::vector<int>{1});
    CHECK(combining_routing(Blocks::individual, torus, stencil, {}).front().dimensions == std::vector<int>{0});
}

TEST_CASE("Trivial schedules have a message for each edge, merged ones for each neighbor")
{
    const SmallJob small;
    for (const Collective collective : {Collective::alltoallv, Collective::allgather}) {
        CHECK(small.messages(Algorithm::trivial, collective) == 3);
        CHECK(small.messages(Algorithm::merged, collective) == 2);
    }
}

TEST_CASE("Combining schedules have a message for each step along a dimension, among all processes for each extent")
{
    const SmallJob small;
    const auto steps = static_cast<std::size_t>(rounds(small.job.planned_stencil()));
    CHECK(small.messages(Algorithm::combining, Collective::alltoall) == steps);
    CHECK(small.messages(Algorithm::combining, Collective::allgatherv) == steps);
    CHECK(small.messages(Algorithm::combining, Collective::global_allgather) == 2 + 2);
}
