// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carrying through memory of the node: all processes of a job together, their buffers filled with labels.
#include "schedules/nodes/aggregation_part.hpp"

#include "test/catch.hpp"
#include "test/schedules/nodes/clusters.hpp"
#include "test/schedules/nodes/staged_memory.hpp"

using namespace hopscotch::schedules;

namespace
{

void check(const Job& job, const Nodes& nodes, TestedOperation operation, const Route& route)
{
    const Cluster cluster(job, nodes, blocks_of(operation), route);
    std::vector<AggregationPart> parts;
    for (const Edges& edges : job.edges)
        parts.push_back(cluster.aggregation_part(job, edges.rank));
    StagedMemory memory(cluster.nodes(), std::move(parts));
    memory.run();
    for (const Edges& edges : job.edges) {
        const std::string found = memory.fault(job, operation, edges.rank);
        if (!found.empty())
            FAIL_CHECK(found << "; " << describe(job));
    }
    memory.check_readers();
}

} // namespace

TEST_CASE("carrying: random graphs on random nodes")
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const int processes = 1 + static_cast<int>(random() % 24);
        const Job job = random_graph(processes, 5 * processes, random);
        const Nodes nodes = random_nodes(processes, 1 + static_cast<int>(random() % 6), random);
        Route route;
        route.most_blocks = random() % 4 == 0 ? Route::whole : 1 + static_cast<int>(random() % 4);
        check(job, nodes, TestedOperation::alltoall, route);
        check(job, nodes, TestedOperation::allgather, route);
    }
}

TEST_CASE("carrying: dimension by dimension between bricks")
{
    std::mt19937 random(11);
    for (const bool periodic : {true, false})
        for (const Stencil& stencil : stencils(3, random)) {
            const Topology grid({4, 6, 3}, {periodic, true, periodic});
            const Job job = shuffled_job(grid, stencil, random);
            const Nodes nodes = brick_nodes(grid, {2, 2, 1});
            for (const TestedOperation operation : {TestedOperation::alltoall, TestedOperation::allgather})
                check(job, nodes, operation,
                      dimension_wise(job, nodes, operation, 1 + static_cast<int>(random() % 20)));
        }
}

TEST_CASE("carrying: blocks for one node lie side by side")
{
    const Topology grid({2, 8}, {false, true});
    const Job job{grid, Stencil(2, {1, -1, 1, 0, 1, 1}), {}};
    Job listed = job;
    for (int rank = 0; rank < grid.size(); ++rank)
        listed.edges.push_back(edges_of(grid, job.stencil, rank));
    const Cluster cluster(listed, brick_nodes(grid, {1, 8}), Blocks::individual, Route{});
    const AggregationPart part = cluster.aggregation_part(listed, 0);
    REQUIRE(part.out.size() == 1);            // the first process carries the message to the other row
    CHECK(part.out.front().runs.size() == 8); // three blocks of each process
    CHECK(part.out.front().blocks == 24);
    CHECK(part.cell_slots == std::vector<int>{1, 2, 0}); // to 8, 9, 15
}
