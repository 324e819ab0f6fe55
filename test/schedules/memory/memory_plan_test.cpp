// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Plans of all processes together: the blocks at the neighbors' positions are those that the lists promise.
#include "schedules/memory/memory_plan.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

using namespace hopscotch::schedules;

namespace
{

/// Two nodes take turns.
bool same_node(int one, int other)
{
    return one % 2 == other % 2;
}

MemoryPlan plan_of(const Job& job, TestedOperation operation, int rank)
{
    const Edges& edges = job.edges[static_cast<std::size_t>(rank)];
    std::vector<int> remote;
    for (std::size_t j = 0; j < edges.sources.size(); ++j) {
        const Label label = promised(job, TestedOperation::alltoall, rank, j);
        remote.push_back(label.origin == no_rank ? 0
                                                 : positions(job.edges[static_cast<std::size_t>(label.origin)]
                                                                 .destinations)[static_cast<std::size_t>(label.slot)]);
    }
    return memory_plan(
        edges, operation == TestedOperation::allgather ? Blocks::common : Blocks::individual,
        [rank](int other) { return same_node(rank, other); }, remote);
}

/// The labels that a process shows, by position.
std::map<int, Label> shown(const MemoryPlan& plan)
{
    std::map<int, Label> labels;
    for (const SlotRun& run : plan.sending)
        for (int i = 0; i < run.count; ++i)
            labels[run.position + i] = {plan.on_node.rank, run.slot + i};
    return labels;
}

void check_job(const Job& job, TestedOperation operation)
{
    INFO(describe(job));
    const int processes = static_cast<int>(job.edges.size());
    for (int rank = 0; rank < processes; ++rank) {
        const MemoryPlan plan = plan_of(job, operation, rank);
        std::map<int, Label> found; // by receive slot
        for (const MemoryPlan::Source& source : plan.sources) {
            const MemoryPlan theirs = plan_of(job, operation, source.rank);
            const std::map<int, Label> there = shown(theirs);
            const bool sends_there = source.destination >= 0;
            CHECK(sends_there == (count_of(plan.on_node.destinations, source.rank) > 0));
            if (sends_there)
                CHECK(plan.destinations[static_cast<std::size_t>(source.destination)] == source.rank);
            int end = 0;
            for (int r = source.first_run; r < source.first_run + source.runs; ++r) {
                const SlotRun& run = plan.receiving[static_cast<std::size_t>(r)];
                end = std::max(end, run.position + run.count);
                for (int i = 0; i < run.count; ++i) {
                    CHECK(run.position + i < theirs.positions);
                    REQUIRE(there.count(run.position + i) == 1);
                    CHECK(found.count(run.slot + i) == 0);
                    found[run.slot + i] = there.at(run.position + i);
                }
            }
            CHECK(source.end_position == end);
        }
        for (const SlotRun& run : plan.own)
            for (int i = 0; i < run.count; ++i)
                found[run.slot + i] = {rank, run.position + i};
        const Edges& edges = job.edges[static_cast<std::size_t>(rank)];
        for (std::size_t j = 0; j < edges.sources.size(); ++j) {
            const Label label = promised(job, operation, rank, j);
            const bool comes = label.origin != no_rank && same_node(label.origin, rank);
            const auto at = found.find(static_cast<int>(j));
            REQUIRE((at != found.end()) == comes);
            if (comes)
                CHECK(at->second == label);
        }
    }
}

} // namespace

TEST_CASE("memory_plan: every block of a random graph is found at its sender's position")
{
    for (unsigned seed = 1; seed <= 100; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const Job job = random_graph(2 + static_cast<int>(random() % 6), 6, random);
        check_job(job, TestedOperation::alltoall);
        check_job(job, TestedOperation::allgather);
    }
}

TEST_CASE("memory_plan: blocks that follow one another make one run, a common one is counted for each that gets it")
{
    const Edges edges{0, {2, 2, no_rank, 4, 1, 0}, {4, 4, 2, 0}, {0, 1, 0, 0, 0, 0}, {0, 1, 0, 0}};
    const auto even = [](int rank) { return rank % 2 == 0; };
    const MemoryPlan plan = memory_plan(edges, Blocks::individual, even, {7, 8, 3, 0});
    REQUIRE(plan.sending.size() == 2); // no_rank has no position
    CHECK(plan.sending[0].count == 2);
    CHECK(plan.sending[1].slot == 3);
    CHECK(plan.sending[1].position == 2);
    CHECK(plan.positions == 5);
    CHECK(plan.destinations == std::vector<int>{2, 4});
    REQUIRE(plan.receiving.size() == 2);
    CHECK(plan.receiving[1].count == 2);
    CHECK(plan.receiving[1].position == 7);
    REQUIRE(plan.own.size() == 1);
    CHECK(plan.own[0].position == 5);

    const MemoryPlan common = memory_plan(edges, Blocks::common, even, {7, 8, 3, 0});
    REQUIRE(common.sending.size() == 1);
    CHECK(common.sending[0].count == 1);
    CHECK(common.positions == 1);
    CHECK(common.destinations_per_block == 3);
}
