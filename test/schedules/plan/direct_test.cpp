// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Trivial and merged schedules: by hand, on every small job, and on graphs without structure.
#include "schedules/plan/direct.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"
#include "test/schedules/plan/rules.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

Schedule plan_trivial(const Job& job, int rank)
{
    return trivial(job.edges[rank]);
}

Schedule plan_merged(const Job& job, int rank)
{
    return merged(job.edges[rank]);
}

Schedule plan_trivial_allgather(const Job& job, int rank)
{
    return trivial_allgather(job.edges[rank]);
}

Schedule plan_merged_allgather(const Job& job, int rank)
{
    return merged_allgather(job.edges[rank]);
}

void check_all(const Job& job)
{
    for (const std::string& found :
         {fault(job, TestedOperation::alltoall, plan_trivial), fault(job, TestedOperation::alltoall, plan_merged),
          fault(job, TestedOperation::allgather, plan_trivial_allgather),
          fault(job, TestedOperation::allgather, plan_merged_allgather)})
        if (!found.empty())
            FAIL_CHECK(found);
}

std::string text(const Schedule& schedule)
{
    std::ostringstream stream;
    stream << schedule;
    return stream.str();
}

/// Process 2 with two edges to 0, one to 3, one to itself, one to nobody; two from 0 (crossed), one from itself, one
/// from 1.
Edges example()
{
    Edges edges;
    edges.rank = 2;
    edges.destinations = {0, 2, 3, no_rank, 0};
    edges.destination_order = {0, 0, 0, 0, 1};
    edges.sources = {0, 1, 0, 2};
    edges.source_order = {1, 0, 0, 0};
    return edges;
}

} // namespace

TEST_CASE("trivial by hand", "[direct]")
{
    CHECK(text(trivial(example())) == "3 messages, 3 blocks sent, 3 received\n"
                                      "copy send 1 -> receive 3\n"
                                      "phase 0\n"
                                      "  to 0: send 0 | from 0: transit 0 | deliver transit 0 -> receive 2\n"
                                      "  to 3: send 2 | from 1: transit 1 | deliver transit 1 -> receive 1\n"
                                      "  to 0: send 4 | from 0: transit 2 | deliver transit 2 -> receive 0\n");
}

TEST_CASE("merged by hand: peers above come first", "[direct]")
{
    CHECK(text(merged(example())) ==
          "2 messages, 3 blocks sent, 3 received\n"
          "copy send 1 -> receive 3\n"
          "phase 0\n"
          "  to 3: send 2\n"
          "  to 0: send 0, send 4 | from 0: transit 0..1 | deliver transit 0 -> receive 2, transit 1 -> receive 0\n"
          "  from 1: transit 2 | deliver transit 2 -> receive 1\n");
}

TEST_CASE("allgather by hand", "[direct]")
{
    CHECK(text(trivial_allgather(example())) ==
          "3 messages, 3 blocks sent, 3 received\n"
          "copy send 0 -> receive 3\n"
          "phase 0\n"
          "  to 0: send 0 | from 0: transit 0 | deliver transit 0 -> receive 2\n"
          "  to 3: send 0 | from 1: transit 1 | deliver transit 1 -> receive 1\n"
          "  to 0: send 0 | from 0: transit 2 | deliver transit 2 -> receive 0\n");
    CHECK(text(merged_allgather(example())) ==
          "2 messages, 2 blocks sent, 2 received\n"
          "copy send 0 -> receive 3\n"
          "phase 0\n"
          "  to 3: send 0\n"
          "  to 0: send 0 | from 0: transit 0 | deliver transit 0 -> receive 2, transit 0 -> receive 0\n"
          "  from 1: transit 1 | deliver transit 1 -> receive 1\n");
}

TEST_CASE("a process without neighbors has nothing to do", "[direct]")
{
    CHECK(trivial(Edges()).phases.empty());
    CHECK(merged(Edges()).phases.empty());
}

TEST_CASE("edges that contradict themselves are refused", "[direct]")
{
    Edges edges = example();
    edges.sources[3] = 1;
    edges.source_order[3] = 1;
    CHECK_THROWS_AS(merged(edges), std::invalid_argument);
    edges = example();
    edges.destination_order.pop_back();
    CHECK_THROWS_WITH(trivial(edges), "edges: 5 neighbors, but 4 orders");
    edges = {0, {0}, {}, {}, {}};
    CHECK_THROWS_WITH(copies_to_self(edges, Blocks::individual), "edges: 1 neighbors, but 0 orders");
}

TEST_CASE("trivial sends one message per edge, merged one per peer", "[direct]")
{
    std::mt19937 random(3);
    const Job job = shuffled_job(Topology({2, 3}, {true, true}), grid(2, 4, -1), random);
    for (const Edges& edges : job.edges) {
        const std::set<int> peers(edges.destinations.begin(), edges.destinations.end());
        int others = 0;
        for (const int rank : edges.destinations)
            others += rank != edges.rank ? 1 : 0;
        CHECK(trivial(edges).messages() == others);
        CHECK(merged(edges).messages() == static_cast<int>(peers.size()) - 1);
        CHECK(merged(edges).volume() == others);
        CHECK(merged_allgather(edges).volume() == static_cast<int>(peers.size()) - 1);
    }
}

TEST_CASE("direct schedules deliver on every small job", "[direct]")
{
    for_every_small_job(check_all);
}

TEST_CASE("direct schedules deliver on any graph", "[direct]")
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const int processes = 1 + static_cast<int>(seed % 13);
        check_all(random_graph(processes, 8 * processes, random));
    }
}
