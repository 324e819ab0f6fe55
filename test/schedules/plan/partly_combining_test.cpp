// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// On graphs that are almost a stencil on a grid every block arrives, with as many messages as were predicted.
#include "schedules/plan/partly_combining.hpp"

#include "schedules/plan/collective_schedule.hpp"
#include "schedules/plan/embeddings.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/irregular_jobs.hpp"

using namespace hopscotch::schedules;

namespace
{

void check(const Job& job, const std::shared_ptr<const PartialGrid>& grid)
{
    const auto plan = [&grid](Collective collective) {
        return [&grid, collective](const Job& all, int rank) {
            return schedule_for(Algorithm::combining, collective, all.edges[rank], {}, {}, grid);
        };
    };
    CHECK(fault(job, Operation::alltoall, plan(Collective::alltoallv)) == "");
    CHECK(fault(job, Operation::allgather, plan(Collective::allgather)) == "");
    std::int64_t messages = 0;
    std::int64_t volume = 0;
    for (const Edges& edges : job.edges) {
        const Schedule schedule = plan(Collective::alltoall)(job, edges.rank);
        messages += schedule.messages();
        volume += schedule.volume();
    }
    CHECK(messages == grid->messages);
    CHECK(volume == grid->volume);
}

} // namespace

TEST_CASE("Graphs that are almost a grid are combined as far as that goes", "[plan]")
{
    int found = 0;
    for (unsigned seed = 1; seed <= 60; ++seed)
        for (const Irregularity& irregularity : irregularities()) {
            INFO(irregularity.name << ", seed " << seed);
            std::mt19937 random(seed);
            const IrregularJob irregular = irregularity.make(random);
            const std::optional<PartialGrid> grid = irregular.best_grid();
            if (!grid)
                continue;
            ++found;
            CHECK(grid->messages < grid->merged_messages);
            check(irregular.job, std::make_shared<PartialGrid>(*grid));
        }
    CHECK(found > 100);
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
