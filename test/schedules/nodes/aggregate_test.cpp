// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Aggregated schedules: every block arrives, on any graph and placement; one message, or a few, from node to node.
#include "schedules/nodes/aggregate.hpp"

#include "test/catch.hpp"
#include "test/schedules/nodes/clusters.hpp"

#include <algorithm>
#include <numeric>

using namespace hopscotch::schedules;

namespace
{

std::string fault(const Job& job, const Cluster& cluster, Operation operation)
{
    return fault(job, operation, [&cluster](const Job& one, int rank) { return cluster.schedule(one, rank); });
}

/// Number of blocks between each pair of nodes.
std::vector<std::vector<int>> blocks_between(const Cluster& cluster)
{
    const auto nodes = static_cast<std::size_t>(cluster.nodes().count());
    std::vector<std::vector<int>> result(nodes, std::vector<int>(nodes, 0));
    for (std::size_t node = 0; node < nodes; ++node)
        for (const Crossing& crossing : cluster.plan(static_cast<int>(node)).outgoing)
            ++result[node][crossing.node];
    return result;
}

void check_straight(const Job& job, const Nodes& nodes, Operation operation, int most_blocks)
{
    Route route;
    route.most_blocks = most_blocks;
    const Cluster cluster(job, nodes, blocks_of(operation), route);
    const std::string found = fault(job, cluster, operation);
    if (!found.empty())
        FAIL_CHECK(found);
    std::vector<std::vector<int>> expected = blocks_between(cluster);
    for (std::vector<int>& row : expected)
        for (int& messages : row)
            messages = messages == 0 ? 0 : (messages - 1) / most_blocks + 1;
    CHECK(messages_between(cluster, job) == expected);
}

} // namespace

TEST_CASE("aggregated: random graphs on random nodes")
{
    for (unsigned seed = 1; seed <= 150; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const int processes = 1 + static_cast<int>(random() % 24);
        const Job job = random_graph(processes, 5 * processes, random);
        const Nodes nodes = random_nodes(processes, 1 + static_cast<int>(random() % 6), random);
        const int most_blocks = random() % 4 == 0 ? Route::whole : 1 + static_cast<int>(random() % 4);
        check_straight(job, nodes, Operation::alltoall, most_blocks);
        check_straight(job, nodes, Operation::allgather, most_blocks);
    }
}

TEST_CASE("aggregated: random Cartesian neighborhoods on random nodes")
{
    for_random_jobs(40, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const Nodes nodes = random_nodes(job.topology.size(), 2 + static_cast<int>(random() % 9), random);
        check_straight(job, nodes, Operation::alltoall, 1 + static_cast<int>(seed % 9));
        check_straight(job, nodes, Operation::allgather, 1 + static_cast<int>(seed % 9));
    });
}

TEST_CASE("aggregated: dimension by dimension between bricks")
{
    std::mt19937 random(7);
    for (const std::vector<int>& shape : {std::vector<int>{2, 2}, {1, 3}, {3, 1}, {2, 3}})
        for (const std::vector<int>& bricks : {std::vector<int>{3, 3}, {1, 4}, {2, 2}, {4, 3}, {5, 1}, {1, 1}})
            for (const bool periodic : {true, false})
                for (const Stencil& stencil : stencils(2, random)) {
                    const Topology grid({shape[0] * bricks[0], shape[1] * bricks[1]}, {periodic, bricks[0] % 2 == 1});
                    const Job job = shuffled_job(grid, stencil, random);
                    const Nodes nodes = brick_nodes(grid, shape);
                    for (const Operation operation : {Operation::alltoall, Operation::allgather}) {
                        const Route route =
                            dimension_wise(job, nodes, operation, bricks[1] % 2 == 0 ? Route::whole : 3);
                        const Cluster cluster(job, nodes, blocks_of(operation), route);
                        const std::string found = fault(job, cluster, operation);
                        if (!found.empty())
                            FAIL_CHECK(found);
                    }
                }
}

TEST_CASE("aggregated: messages of a Moore neighborhood on bricks of 2x2x2")
{
    const Topology grid({6, 6, 6}, {true, true, true});
    std::mt19937 random(3);
    const Job job = shuffled_job(grid, moore(3, 1), random);
    const Nodes nodes = brick_nodes(grid, {2, 2, 2});
    const Cluster straight(job, nodes, Blocks::individual, Route{});
    const Cluster by_dimension(job, nodes, Blocks::individual,
                               dimension_wise(job, nodes, Operation::alltoall, Route::whole));
    const auto most_leaving = [&job](const Cluster& cluster) {
        int most = 0;
        for (const std::vector<int>& row : messages_between(cluster, job))
            most = std::max(most, std::accumulate(row.begin(), row.end(), 0));
        return most;
    };
    CHECK(most_leaving(straight) == 26);
    CHECK(most_leaving(by_dimension) == 6);
    CHECK(straight.plan(0).outgoing.size() == 8 * (26 - 7)); // seven neighbors are on the node
}

TEST_CASE("aggregated: messages leave the node before blocks that stay on it are exchanged")
{
    const Topology grid({4, 4}, {true, true});
    std::mt19937 random(8);
    const Job job = shuffled_job(grid, moore(2, 1), random);
    const Nodes nodes = brick_nodes(grid, {2, 4});
    const Cluster cluster(job, nodes, Blocks::individual, Route{});
    const auto elsewhere = [&nodes](int rank, int other) {
        return other != no_rank && nodes.of_rank[rank] != nodes.of_rank[other];
    };
    int on_node = 0;
    for (const Edges& edges : job.edges) {
        const Schedule schedule = cluster.schedule(job, edges.rank);
        for (const Round& round : schedule.phases[0].rounds)
            CHECK(round.deliveries.empty());
        const std::vector<Round>& rounds = schedule.phases[1].rounds;
        const auto stays = [&](const Round& round) {
            return !elsewhere(edges.rank, round.destination) && !elsewhere(edges.rank, round.source);
        };
        CHECK(std::is_partitioned(rounds.begin(), rounds.end(), [&](const Round& round) { return !stays(round); }));
        on_node += static_cast<int>(std::count_if(rounds.begin(), rounds.end(), stays));
    }
    CHECK(on_node == 16 * 5);
}
