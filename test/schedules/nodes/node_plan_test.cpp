// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The messages of a node: every block that leaves the node crosses once, sent by the process assigned to it.
#include "schedules/nodes/node_plan.hpp"

#include "test/catch.hpp"
#include "test/schedules/nodes/clusters.hpp"

#include <stdexcept>
#include <tuple>

using namespace hopscotch::schedules;

namespace
{

/// Source, destination and number of the parallel edge of a block that leaves or enters a node.
using Crossed = std::tuple<int, int, int>;

/// The blocks between two different nodes, as the lists of a job say.
std::map<Crossed, int> crossing(const Job& job, const Nodes& nodes)
{
    std::map<Crossed, int> blocks;
    for (const Edges& edges : job.edges)
        for (std::size_t i = 0; i < edges.destinations.size(); ++i) {
            const int destination = edges.destinations[i];
            if (destination != no_rank && nodes.of_rank[destination] != nodes.of_rank[edges.rank])
                ++blocks[{edges.rank, destination, edges.destination_order[i]}];
        }
    return blocks;
}

} // namespace

TEST_CASE("node plan: every block between nodes is named once at its source and once at its target")
{
    for_random_jobs(20, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const Nodes nodes = random_nodes(static_cast<int>(job.edges.size()), 3, random);
        const Cluster cluster(job, nodes, Blocks::individual, Route{});
        const std::map<Crossed, int> expected = crossing(job, nodes);
        std::map<Crossed, int> left;
        std::map<Crossed, int> came;
        for (int node = 0; node < nodes.count(); ++node) {
            const NodePlan& plan = cluster.plan(node);
            for (const Crossing& block : plan.outgoing) {
                CHECK(nodes.of_rank[block.destination] == block.node);
                ++left[{block.source, block.destination, block.order}];
            }
            for (const Crossing& block : plan.incoming)
                ++came[{block.source, block.destination, block.order}];
            CHECK(plan.wanted.size() == plan.incoming.size());
            for (const NodeMessage& message : plan.out)
                CHECK(message.leader < static_cast<int>(nodes.ranks[node].size()));
        }
        CHECK(left == expected);
        CHECK(came == expected);
    });
}

TEST_CASE("node plan: a common block goes to a node once, for any number of receivers")
{
    for_random_jobs(20, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const Nodes nodes = random_nodes(static_cast<int>(job.edges.size()), 3, random);
        const Cluster cluster(job, nodes, Blocks::common, Route{});
        std::map<std::pair<int, int>, int> expected; // source and node
        for (const auto& [block, times] : crossing(job, nodes))
            expected[{std::get<0>(block), nodes.of_rank[std::get<1>(block)]}] = 1;
        std::map<std::pair<int, int>, int> left;
        for (int node = 0; node < nodes.count(); ++node)
            for (const Crossing& block : cluster.plan(node).outgoing)
                ++left[{block.source, block.node}];
        CHECK(left == expected);
    });
}

TEST_CASE("node plan: every process of a node carries as much as any other, or nearly so")
{
    const Topology grid({8, 8, 8}, {true, true, true});
    std::mt19937 random(4);
    const Job job = shuffled_job(grid, moore(3, 1), random);
    const Nodes nodes = brick_nodes(grid, {2, 4, 4});
    const Cluster whole(job, nodes, Blocks::individual, Route{});
    CHECK(whole.plan(0).out.size() == 3 * 2 * 2 - 1); // neighbors in a 4 x 2 x 2 grid of nodes
    Route route;
    route.most_blocks = balanced_part(whole.plan(0), 32);
    const Cluster cluster(job, nodes, Blocks::individual, route);
    const NodePlan& plan = cluster.plan(0);
    std::vector<int> sent(32, 0);
    std::vector<int> received(32, 0);
    std::size_t most = 0;
    for (const NodeMessage& message : plan.out) {
        ++sent[message.leader];
        most = std::max(most, message.blocks.size());
    }
    for (const NodeMessage& message : plan.in)
        ++received[message.leader];
    CHECK(plan.outgoing.size() == 464); // 32 * 26 less the 4 * 10 * 10 - 32 within the node
    CHECK(most == 20);                  // 464 / 32 is 14.5
    CHECK(*std::max_element(sent.begin(), sent.end()) == 1);
    CHECK(*std::max_element(received.begin(), received.end()) == 1);
    CHECK(balanced_part(whole.plan(0), 10) == Route::whole); // eleven messages
    NodePlan uneven;
    uneven.out = {{0, 1, 0, 0, std::vector<Slot>(4)}};
    uneven.in = {uneven.out.front(), uneven.out.front()};
    CHECK(balanced_part(uneven, 2) == 4); // one could be sent in two parts, but two are received
    CHECK(balanced_part(uneven, 4) == 2);
}

TEST_CASE("node plan: one message from node to node, or as many as its blocks need")
{
    for_random_jobs(20, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const Nodes nodes = random_nodes(static_cast<int>(job.edges.size()), 4, random);
        Route route;
        route.most_blocks = 1 + static_cast<int>(seed % 9);
        for (const Blocks blocks : {Blocks::individual, Blocks::common}) {
            const Cluster cluster(job, nodes, blocks, route);
            for (int node = 0; node < nodes.count(); ++node) {
                std::map<int, int> crossed, messages; // by the other node
                for (const Crossing& crossing : cluster.plan(node).outgoing)
                    ++crossed[crossing.node];
                for (const NodeMessage& message : cluster.plan(node).out)
                    ++messages[message.node];
                for (auto& [other, count] : crossed)
                    count = (count - 1) / route.most_blocks + 1;
                CHECK(messages == crossed);
            }
        }
    });
}

TEST_CASE("node plan: messages of a Moore neighborhood on bricks of 2x2x2")
{
    const Topology grid({6, 6, 6}, {true, true, true});
    std::mt19937 random(3);
    const Job job = shuffled_job(grid, moore(3, 1), random);
    const Nodes nodes = brick_nodes(grid, {2, 2, 2});
    const Cluster straight(job, nodes, Blocks::individual, Route{});
    const Cluster by_dimension(job, nodes, Blocks::individual,
                               dimension_wise(job, nodes, TestedOperation::alltoall, Route::whole));
    for (int node = 0; node < nodes.count(); ++node) {
        CHECK(straight.plan(node).out.size() == 26);
        CHECK(by_dimension.plan(node).out.size() == 6);
    }
    CHECK(straight.plan(0).outgoing.size() == 8 * (26 - 7)); // seven neighbors are on the node
}

TEST_CASE("node plan: lists that do not fit the grid are refused")
{
    const Topology grid({4, 4}, {true, true});
    std::mt19937 random(5);
    const Job job = shuffled_job(grid, moore(2, 1), random);
    const Nodes nodes = brick_nodes(grid, {2, 2});
    Route route = dimension_wise(job, nodes, TestedOperation::alltoall, Route::whole);
    route.stencil = star(2, 1);
    CHECK_THROWS_AS(plan_node(nodes, lists_of(job, nodes, 0), Blocks::individual, route), std::invalid_argument);
}

TEST_CASE("leaders come back as they were sent")
{
    Leaders leaders;
    leaders.senders = {{1, {4, 5}}, {3, {}}, {7, {6}}};
    leaders.receivers = {{1, {}}, {3, {4}}, {7, {5, 6}}};
    const Leaders back = leaders_from(as_numbers(leaders));
    CHECK(back.senders == leaders.senders);
    CHECK(back.receivers == leaders.receivers);
    CHECK(leaders_from({}).senders.empty());
}

TEST_CASE("lists come back as they were sent")
{
    Edges one;
    one.destinations = {1, 2};
    one.sources = {3};
    const NodeLists lists = node_lists_from(4, {as_numbers(one), as_numbers(Edges())});
    CHECK(lists.node == 4);
    CHECK(lists.destinations == std::vector<std::vector<int>>{{1, 2}, {}});
    CHECK(lists.sources == std::vector<std::vector<int>>{{3}, {}});
}
