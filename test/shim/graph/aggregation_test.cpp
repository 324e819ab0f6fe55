// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The processes of a node learn the same of each other, and so predict the same.
#include "test/catch.hpp"

#include "shim/graph/aggregation.hpp"
#include "shim/group/collective_consensus.hpp"
#include "test/processes.hpp"
#include "test/shim/graph/detected.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

std::vector<int> numbers_of(const schedules::Efforts& efforts)
{
    std::vector<int> numbers;
    for (const schedules::Effort& effort : efforts)
        for (const double number :
             {effort.sent, effort.received, effort.handovers, effort.copied_blocks, effort.leaving_blocks})
            numbers.push_back(static_cast<int>(number));
    return numbers;
}

/// Compares the busiest process and node with the work that all processes tell; returns the prediction that follows.
std::size_t predicted(const Ground& ground, const Graph& graph, schedules::Blocks blocks)
{
    const schedules::Nodes& nodes = ground.group.node_map();
    std::vector<schedules::Efforts> algorithms =
        schedules::compared_efforts(graph.node_neighborhood->part(nodes, graph.edges, blocks), graph.edges, blocks,
                                    nodes, graph.isomorphic() ? &graph.topology : nullptr, &graph.stencil);
    std::vector<schedules::Efforts> agreed = algorithms;
    agree_on_busiest(ground, agreed);
    CollectiveConsensus consensus(ground.comm);
    for (std::size_t i = 0; i < algorithms.size(); ++i) {
        std::vector<schedules::Efforts> all;
        for (const std::vector<int>& told : consensus.lists(numbers_of(algorithms[i]))) {
            all.emplace_back();
            for (auto next = told.begin(); next != told.end(); next += 5)
                all.back().push_back({1.0 * next[0], 1.0 * next[1], 1.0 * next[2], 1.0 * next[3], 1.0 * next[4]});
        }
        algorithms[i] = schedules::busiest(all, nodes);
        CHECK(numbers_of(agreed[i]) == numbers_of(algorithms[i]));
    }
    return schedules::aggregating_pays_up_to(algorithms, ground.group.network());
}

void predict(const Job& job, std::array<std::size_t, 2>& up_to)
{
    const JobCommunicator comm(job);
    const Detected detected = detect(comm.get());
    if (detected.group == nullptr)
        return;
    const Ground ground{*detected.group, comm.get(), detected.tags.set_up()};
    const std::array<std::size_t, 2> of_detection = detected.graph->aggregated_up_to;
    Graph graph = *detected.graph;
    graph.node_neighborhood = learn_node_neighborhood(ground, graph);
    predict_aggregation(ground, graph);
    up_to = graph.aggregated_up_to;
    CHECK(up_to[0] == predicted(ground, graph, schedules::Blocks::individual));
    CHECK(up_to[1] == predicted(ground, graph, schedules::Blocks::common));
    if (detected.staging != nullptr)
        CHECK(of_detection == up_to);
    CollectiveConsensus consensus(comm.get());
    for (const std::size_t bytes : up_to)
        CHECK(consensus.all_equal(static_cast<std::int64_t>(bytes)));
}

} // namespace

TEST_CASE("The processes of a node get the values of all, in their order")
{
    const TestGroup test = test_group();
    const Ground ground{*test.group, MPI_COMM_WORLD, test.tags.set_up()};
    const std::vector<int> own(static_cast<std::size_t>(world().rank + 1), world().rank);
    const std::vector<std::vector<int>> all = gather_on_node(ground, own);
    REQUIRE(all.size() == test.group->node_ranks().size());
    for (std::size_t position = 0; position < all.size(); ++position) {
        const int rank = test.group->node_ranks()[position];
        CHECK(all[position] == std::vector<int>(static_cast<std::size_t>(rank + 1), rank));
    }
}

TEST_CASE("Nodes, lists and room for staging are known to all")
{
    for (unsigned number = 0; number < 4; ++number) {
        std::mt19937 random(seed() + number);
        const Job job = random_job(random);
        INFO("seed " << seed() + number << ": " << describe(job));
        const JobCommunicator comm(job);
        const Detected detected = detect(comm.get());
        if (detected.group == nullptr)
            continue;
        const Ground ground{*detected.group, comm.get(), detected.tags.set_up()};
        const auto known = learn_node_neighborhood(ground, *detected.graph);
        REQUIRE(known->lists.destinations.size() == detected.group->node_ranks().size());
        for (std::size_t position = 0; position < known->lists.destinations.size(); ++position) {
            const auto rank = static_cast<std::size_t>(detected.group->node_ranks()[position]);
            CHECK(known->lists.destinations[position] == job.edges[rank].destinations);
            CHECK(known->lists.sources[position] == job.edges[rank].sources);
        }
        CollectiveConsensus consensus(comm.get());
        const auto largest_part = [&](schedules::Blocks blocks) {
            const auto plan = schedules::plan_node(detected.group->node_map(), known->lists, blocks, {});
            return consensus.maximum(
                schedules::balanced_part(plan, static_cast<int>(detected.group->node_ranks().size())));
        };
        CHECK(known->individual.route.most_blocks == largest_part(schedules::Blocks::individual));
        CHECK(known->common.route.most_blocks == largest_part(schedules::Blocks::common));
        for (const schedules::Blocks blocks : {schedules::Blocks::individual, schedules::Blocks::common})
            for (const auto& buffer : known->part(detected.group->node_map(), detected.graph->edges, blocks).buffers) {
                CHECK(buffer.blocks() <= known->most_blocks);
                CHECK(static_cast<int>(buffer.message_blocks.size()) <= known->most_messages);
            }
        CHECK(consensus.all_equal(known->most_blocks));
        CHECK(consensus.all_equal(known->most_messages));
    }
}

TEST_CASE("All processes predict the same, and that many messages to another node are better sent as one")
{
    std::mt19937 random(seed());
    std::vector<int> everyone; // on a ring, on either side
    for (int shift = 1; shift < world().size; ++shift)
        everyone.push_back(shift);
    if (everyone.empty())
        return;
    const schedules::Topology ring({world().size}, {true});
    std::array<std::size_t, 2> up_to{};
    predict(shuffled_job(ring, schedules::Stencil(1, everyone), random), up_to);
    if (test_group().group->nodes() > 1 && world().size >= 6)
        CHECK(up_to[0] + up_to[1] > 0);
    for (unsigned number = 0; number < 4; ++number)
        predict(random_graph(world().size, 20, random), up_to);
}
