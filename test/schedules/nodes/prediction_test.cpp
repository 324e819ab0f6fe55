// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Aggregating pays if many small messages leave a node, and not if one does.
#include "schedules/nodes/effort.hpp"

#include "schedules/grid/stencil.hpp"
#include "test/catch.hpp"
#include "test/schedules/nodes/clusters.hpp"

using namespace hopscotch::schedules;

namespace
{

/// The largest efforts over all processes of a job, phase by phase; without a grid, so without combining.
std::vector<Efforts> busiest(const Job& job, const Cluster& cluster)
{
    std::vector<Efforts> most;
    for (const Edges& edges : job.edges) {
        const std::vector<Efforts> own = compared_efforts(cluster.aggregation_part(job, edges.rank), edges,
                                                          Blocks::individual, cluster.nodes(), nullptr, nullptr);
        if (most.empty())
            most = own;
        for (std::size_t algorithm = 0; algorithm < own.size(); ++algorithm)
            for (std::size_t phase = 0; phase < own[algorithm].size(); ++phase) {
                Effort& largest = most[algorithm][phase];
                const Effort& effort = own[algorithm][phase];
                largest.sent = std::max(largest.sent, effort.sent);
                largest.received = std::max(largest.received, effort.received);
                largest.handovers = std::max(largest.handovers, effort.handovers);
                largest.copied_blocks = std::max(largest.copied_blocks, effort.copied_blocks);
                largest.leaving_blocks = std::max(largest.leaving_blocks, effort.leaving_blocks);
            }
    }
    return most;
}

} // namespace

TEST_CASE("prediction: many neighbors on other nodes make aggregating pay, for small blocks only")
{
    const Topology grid({4, 4, 4}, {true, true, true});
    std::mt19937 random(1);
    const Job job = shuffled_job(grid, moore(3, 1), random);
    const Cluster cluster(job, brick_nodes(grid, {2, 2, 4}), Blocks::individual, Route{});
    const std::vector<Efforts> efforts = busiest(job, cluster);
    REQUIRE(efforts.size() == 2);
    const std::size_t bytes = aggregating_pays_up_to(efforts, assumed_network);
    CHECK(bytes >= 1);
    CHECK(bytes < std::size_t{1} << 20);
}

TEST_CASE("prediction: one neighbor on another node is not worth the detour")
{
    const Topology grid({4}, {false});
    std::mt19937 random(1);
    const Job job = shuffled_job(grid, Stencil(1, {1}), random);
    const Cluster cluster(job, nodes_of({0, 0, 2, 2}), Blocks::individual, Route{});
    CHECK(aggregating_pays_up_to(busiest(job, cluster), assumed_network) == 0);
}

TEST_CASE("prediction: a message of an allgather holds the block once, not for each edge")
{
    const Topology grid({4, 2}, {false, true}); // the edges to a neighbor in the second dimension are parallel
    std::mt19937 random(1);
    const Job job = shuffled_job(grid, Stencil(2, {0, 1, 0, -1}), random);
    const Cluster cluster(job, brick_nodes(grid, {4, 1}), Blocks::common, Route{});
    for (const Blocks blocks : {Blocks::common, Blocks::individual}) {
        const std::vector<Efforts> own =
            compared_efforts(cluster.aggregation_part(job, 0), job.edges[0], blocks, cluster.nodes(), nullptr, nullptr);
        REQUIRE(own.size() == 2);
        REQUIRE(own[1].size() == 1);
        CHECK(own[1][0].sent == 1);
        CHECK(own[1][0].leaving_blocks == (blocks == Blocks::common ? 1 : 2));
    }
}

TEST_CASE("prediction: with a process grid combining is compared, too")
{
    const Topology grid({4, 4}, {true, true});
    std::mt19937 random(1);
    const Job job = shuffled_job(grid, moore(2, 1), random);
    const Stencil stencil = job.planned_stencil();
    const Cluster cluster(job, brick_nodes(grid, {2, 4}), Blocks::individual, Route{});
    const std::vector<Efforts> own = compared_efforts(cluster.aggregation_part(job, 0), job.edges[0],
                                                      Blocks::individual, cluster.nodes(), &grid, &stencil);
    CHECK(own.size() == 3);
    CHECK(own[1].size() == 1);
    CHECK(own[2].size() == 2);
}
