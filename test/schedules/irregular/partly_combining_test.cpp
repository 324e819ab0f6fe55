// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// On graphs that are almost a stencil on a grid every block arrives, with as many messages as were predicted.
#include "schedules/irregular/partly_combining.hpp"

#include "schedules/irregular/relief.hpp"
#include "schedules/plan/direct.hpp"
#include "test/catch.hpp"
#include "test/schedules/irregular/irregular_jobs.hpp"

using namespace hopscotch::schedules;

namespace
{

Lists lists_of(const Job& job)
{
    Lists lists;
    for (const Edges& edges : job.edges)
        lists.push_back(edges.destinations);
    return lists;
}

std::int64_t merged_messages(const Job& job)
{
    std::int64_t messages = 0;
    for (const Edges& edges : job.edges)
        messages += merged(edges).messages();
    return messages;
}

void check(const Job& job, const std::shared_ptr<const PartialGrid>& grid)
{
    const auto plan = [&grid](Blocks blocks) {
        return [&grid, blocks](const Job& all, int rank) { return partly_combining(grid, blocks, all.edges[rank]); };
    };
    CHECK(fault(job, TestedOperation::alltoall, plan(Blocks::individual)) == "");
    CHECK(fault(job, TestedOperation::allgather, plan(Blocks::common)) == "");
    std::int64_t messages = 0;
    std::int64_t volume = 0;
    for (const Edges& edges : job.edges) {
        const Schedule schedule = plan(Blocks::individual)(job, edges.rank);
        messages += schedule.messages();
        volume += schedule.volume();
    }
    CHECK(messages == grid->messages);
    CHECK(volume == grid->volume);
}

} // namespace

TEST_CASE("Graphs that are almost a grid are combined as far as that goes", "[plan][long]")
{
    int found = 0;
    for (unsigned seed = 1; seed <= 60; ++seed)
        for (const Irregularity& irregularity : irregularities()) {
            INFO(irregularity.name << ", seed " << seed);
            std::mt19937 random(seed);
            const IrregularJob irregular = irregularity.make(random);
            const std::optional<PartialGrid> grid = best_grid_of(irregular.job);
            if (!grid)
                continue;
            ++found;
            CHECK(grid->messages < grid->merged_messages);
            check(irregular.job, std::make_shared<PartialGrid>(*grid));
        }
    CHECK(found > 100);
}

namespace
{

/// The fewest messages that a known embedding gives, and no more than without a grid.
std::int64_t messages_with(const Embedding& known, const Lists& destinations, std::int64_t merged)
{
    SearchBudget enough(1 << 22);
    std::optional<PartialGrid> grid = best_partial_grid({known}, destinations, enough);
    return grid && relieve(*grid, destinations, enough) ? grid->messages : merged;
}

} // namespace

TEST_CASE("Graphs of all kinds are understood nearly as well as with known places", "[plan][long]")
{
    for (const Irregularity& irregularity : irregularities()) {
        constexpr unsigned graphs = 60;
        std::int64_t messages = 0;
        std::int64_t known = 0;
        std::int64_t merged = 0;
        int not_understood = 0;
        for (unsigned seed = 1; seed <= graphs; ++seed) {
            std::mt19937 random(seed);
            const IrregularJob irregular = irregularity.make(random);
            const Lists destinations = lists_of(irregular.job);
            const std::int64_t directly = merged_messages(irregular.job);
            const std::int64_t model = messages_with(irregular.truth, destinations, directly);
            const std::optional<PartialGrid> found = best_grid_of(irregular.job);
            const std::int64_t here = found ? found->messages : directly;
            not_understood += here * 5 > model * 6 ? 1 : 0;
            messages += here;
            known += model;
            merged += directly;
        }
        INFO(irregularity.name << ": " << messages << " messages, " << known << " if one knew, " << merged
                               << " merged; " << not_understood << " graphs need more than 1.2 times as many");
        CHECK(messages * 10 <= known * 11);
        CHECK(not_understood * 8 <= static_cast<int>(graphs)); // the search ends after some milliseconds
    }
}

TEST_CASE("No process with many neighbors sends more messages with a part of a grid than without", "[plan][long]")
{
    int all = 0;
    int fewer = 0;
    for (unsigned seed = 1; seed <= 40; ++seed)
        for (const Irregularity& irregularity : irregularities()) {
            INFO(irregularity.name << ", seed " << seed);
            std::mt19937 random(seed);
            const Job job = irregularity.make(random).job;
            const std::optional<PartialGrid> found = best_grid_of(job);
            if (!found)
                continue;
            const auto grid = std::make_shared<const PartialGrid>(*found);
            int most = 0;
            for (const Edges& edges : job.edges) {
                const int directly = merged(edges).messages();
                const int here = partly_combining(grid, Blocks::individual, edges).messages();
                most = std::max(most, here);
                if (directly <= 3)
                    continue;
                CHECK(here <= directly);
                CHECK(partly_combining(grid, Blocks::common, edges).messages() <= directly);
                if (irregularity.name != "land and north fold")
                    continue;
                ++all;
                fewer += here < directly ? 1 : 0;
            }
            CHECK(most == grid->most.messages);
        }
    INFO(fewer << " of " << all << " processes of ocean models with more than three neighbors send fewer messages");
    CHECK(fewer * 1000 >= all * 998);
}

TEST_CASE("In nearly all ocean models every process with many neighbors sends fewer messages", "[plan]")
{
    int gaining = 0;
    for (unsigned seed = 1; seed <= 50; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const std::optional<PartialGrid> grid = best_grid_of(ocean_of_8_x_8(random).job);
        REQUIRE(grid);
        gaining += grid->without_gain == 0 ? 1 : 0;
    }
    CHECK(gaining >= 49); // in one model a process has neighbors that are no neighbors of each other
}

TEST_CASE("Graphs without structure need not be understood", "[plan]")
{
    for (unsigned seed = 1; seed <= 40; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const Job job = random_graph(1 + static_cast<int>(seed % 13), 60, random);
        if (const std::optional<PartialGrid> grid = best_grid_of(job))
            check(job, std::make_shared<PartialGrid>(*grid));
    }
}

TEST_CASE("One edge too many costs one message", "[plan]")
{
    std::mt19937 random(1);
    const Topology mesh({4, 4, 4}, {false, false, false});
    std::vector<std::pair<int, int>> edges = edges_of_grid(mesh, moore(3, 1));
    const std::optional<PartialGrid> whole = best_grid_of(job_of(64, edges, random));
    edges.push_back({0, 42});
    const std::optional<PartialGrid> more = best_grid_of(job_of(64, edges, random));
    REQUIRE(whole);
    REQUIRE(more);
    CHECK(whole->messages == 2 * 3 * 3 * 16); // along each dimension to the processes beside
    CHECK(more->messages == whole->messages + 1);
    CHECK(more->merged_messages == 936 + 1);
    CHECK(more->combined_edges == more->edges - 1);
}
