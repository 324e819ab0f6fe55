// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Up to which size aggregating pays is predicted from what all processes send, so all predict the same.
#include "test/catch.hpp"

#include "shim/graph/node_neighborhood.hpp"
#include "shim/graph/prediction.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

void predict(const Job& job, std::array<std::size_t, 2>& up_to)
{
    const JobCommunicator comm(job);
    const Detected detected = detect(comm.get());
    REQUIRE(detected.group != nullptr);
    const Ground ground{*detected.group, comm.get(), detected.tags.set_up()};
    detected.graph->node_neighborhood = learn_node_neighborhood(ground, *detected.graph);
    predict_aggregation(ground, *detected.graph);
    up_to = detected.graph->aggregated_up_to;
    CollectiveConsensus consensus(comm.get());
    for (const std::size_t bytes : up_to)
        CHECK(consensus.all_equal(static_cast<std::int64_t>(bytes)));
}

} // namespace

TEST_CASE("All processes predict the same, and that many messages to another node are better sent as one")
{
    std::mt19937 random(seed());
    std::vector<int> everyone; // of a ring, on either side
    for (int shift = 1; shift < world().size; ++shift)
        everyone.push_back(shift);
    if (everyone.empty())
        return;
    const schedules::Topology ring({world().size}, {true});
    std::array<std::size_t, 2> up_to{};
    predict(shuffled_job(ring, schedules::Stencil(1, everyone), random), up_to);
    if (test_group().group->nodes() > 1 && world().size >= 6)
        CHECK(up_to[0] + up_to[1] > 0);
}
