// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Any groups and splits of dimensions: blocks arrive on every small job, in as many messages and hops as there are
// steps.
#include "schedules/plan/routing.hpp"

#include "schedules/plan/combining.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

/// Any partition of the dimensions in any order, with single dimensions split.
std::vector<Group> random_groups(int dimensions, std::mt19937& random)
{
    std::vector<int> order(static_cast<std::size_t>(dimensions));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Group> groups;
    for (const int k : order) {
        const bool joins = !groups.empty() && groups.back().phases == 1 && random() % 2 == 0;
        if (joins)
            groups.back().dimensions.push_back(k);
        else
            groups.push_back({{k}, 1 + static_cast<int>(random() % 4)});
    }
    return groups;
}

int steps_of(const Routing& routing, int b)
{
    return static_cast<int>(std::count_if(routing.begin(), routing.end(), [b](const Steps& phase) {
        return phase.of_block[static_cast<std::size_t>(b)] != phase.none;
    }));
}

/// Every way leads to its target, and on a mesh no way leads beyond it.
void check_ways(const Job& job, const Stencil& stencil, const Routing& routing)
{
    for (int b = 0; b < stencil.size(); ++b) {
        std::vector<int> sum(static_cast<std::size_t>(stencil.dimensions()), 0);
        for (const Steps& phase : routing)
            for (std::size_t j = 0; j < phase.dimensions.size(); ++j) {
                const int k = phase.dimensions[j];
                const int shift = stencil.shift(b, k);
                int& at = sum[static_cast<std::size_t>(k)];
                at += phase.shift(b, j);
                if (!job.topology.periodic(k) && (at < std::min(0, shift) || at > std::max(0, shift)))
                    FAIL_CHECK("a way leads beyond its target; " + describe(job));
            }
        for (int k = 0; k < stencil.dimensions(); ++k)
            if (job.topology.canonical_shift(k, sum[static_cast<std::size_t>(k)]) != stencil.shift(b, k))
                FAIL_CHECK("a way leads elsewhere; " + describe(job));
    }
}

void check_groups(const Job& job, const std::vector<Group>& groups)
{
    INFO(to_string(groups));
    const Stencil stencil = job.planned_stencil();
    const Routing routing = route_of(stencil, job.topology, groups);
    check_ways(job, stencil, routing);
    const auto to_each = [&routing](const Job& one, int rank) {
        return combining_alltoall(one.neighborhood(rank), routing);
    };
    const auto to_all = [&routing](const Job& one, int rank) {
        return combining_allgather(one.neighborhood(rank), routing);
    };
    const std::string found =
        fault(job, TestedOperation::alltoall, to_each) + fault(job, TestedOperation::allgather, to_all);
    if (!found.empty())
        FAIL_CHECK(found);
    int rounds = 0;
    int volume = 0;
    for (const Steps& phase : routing)
        rounds += phase.load().rounds;
    for (int b = 0; b < stencil.size(); ++b)
        volume += steps_of(routing, b);
    const bool torus = job.topology.fully_periodic();
    for (const Edges& edges : job.edges) {
        const Schedule schedule = to_each(job, edges.rank);
        CHECK(schedule.phases.size() == routing.size());
        if (torus ? schedule.messages() != rounds : schedule.messages() > rounds)
            FAIL_CHECK("not a message per round; " + describe(job));
        if (torus ? schedule.volume() != volume : schedule.volume() > volume)
            FAIL_CHECK("not a hop per step; " + describe(job));
        const int most = total(tree_loads(routing, stencil.size())).blocks;
        if (torus ? to_all(job, edges.rank).volume() != most : to_all(job, edges.rank).volume() > most)
            FAIL_CHECK("not the tree's volume; " + describe(job));
    }
}

} // namespace

TEST_CASE("Blocks arrive by any groups and splits on every small job", "[routing]")
{
    std::mt19937 random(1);
    for_every_small_job(
        [&random](const Job& job) { check_groups(job, random_groups(job.topology.dimensions(), random)); });
}

TEST_CASE("Blocks arrive by any groups and splits on random larger jobs", "[routing]")
{
    for_random_jobs(150, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        for (int i = 0; i < 3; ++i)
            check_groups(job, random_groups(job.topology.dimensions(), random));
    });
}

// Base {-1, 2} makes -1 ... 2 on a torus; on a mesh 2 would lead beyond 1.
TEST_CASE("Splits, by hand", "[routing]")
{
    const Stencil four(1, {-1, 0, 1, 2});
    const auto steps = [&four](bool periodic) {
        std::vector<int> result;
        for (const Steps& phase : route_of(four, Topology({9}, {periodic}), {{{0}, 2}}))
            for (int i = 0; i < phase.distinct.size(); ++i)
                if (i != phase.none)
                    result.push_back(phase.distinct.shift(i, 0));
        std::sort(result.begin(), result.end());
        return result;
    };
    CHECK(steps(true) == std::vector<int>{-1, 2});
    CHECK(steps(false) == std::vector<int>{-1, 1, 2});
}

TEST_CASE("Groups are written and read", "[routing]")
{
    const std::vector<Group> groups = {{{0, 3}, 1}, {{2}, 3}, {{1}, 1}};
    CHECK(to_string(groups) == "0+3/2:3/1");
    CHECK(parse_groups("0+3/2:3/1") == groups);
    CHECK(fit(groups, 4));
    for (const char* wrong : {"", "0//1", "0/1/", "/0/1", "a/1", "0/1x", "0:/1", "0/-1", "0/1:2:", "0+", "paper"})
        CHECK_THROWS_AS(parse_groups(wrong), std::invalid_argument);
    for (const char* other : {"0", "0+1+1", "0/1/2", "0:0/1", "0+1:2", "0:2+1", "1/2"})
        CHECK_FALSE(fit(parse_groups(other), 2));
}

TEST_CASE("An order that is no permutation is no route", "[routing]")
{
    CHECK_THROWS_AS(route_along(moore(2, 1), {0}), std::invalid_argument);
    CHECK_THROWS_AS(route_along(moore(2, 1), {1, 1}), std::invalid_argument);
}

TEST_CASE("A phase for each dimension is the way along the dimensions", "[routing]")
{
    for_random_jobs(40, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        std::vector<Group> groups;
        std::vector<int> order;
        for (int k = 0; k < job.topology.dimensions(); ++k) {
            groups.push_back({{k}, 1});
            order.push_back(k);
        }
        const Routing routing = route_of(job.planned_stencil(), job.topology, groups);
        const Routing along = route_along(job.planned_stencil(), order);
        REQUIRE(routing.size() == along.size());
        for (std::size_t p = 0; p < along.size(); ++p) {
            CHECK(routing[p].distinct == along[p].distinct);
            CHECK(routing[p].of_block == along[p].of_block);
        }
    });
}
