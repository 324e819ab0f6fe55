// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The combining allgather: the paper's trees, the best dimension order, and every small job.
#include "schedules/plan/allgather.hpp"

#include "schedules/plan/combining.hpp"
#include "schedules/plan/cost.hpp"
#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"
#include "test/schedules/plan/rules.hpp"
#include "test/schedules/plan/simulator.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

const Stencil figure_2(3, {-2, 1, 1, -1, 1, 1, 1, 1, 1, 2, 1, 1});

std::vector<int> increasing(int dimensions)
{
    std::vector<int> order(static_cast<std::size_t>(dimensions));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

/// Edges of the tree by writing down every node but the root that is reached by a step: its path, level by level.
int plain_volume(const Stencil& stencil, const std::vector<int>& order)
{
    std::set<std::vector<int>> nodes;
    for (int i = 0; i < stencil.size(); ++i) {
        std::vector<int> path;
        for (const int k : order) {
            path.push_back(stencil.shift(i, k));
            if (path.back() != 0)
                nodes.insert(path);
        }
    }
    return static_cast<int>(nodes.size());
}

Schedule allgather_along(const Neighborhood& neighborhood, const std::vector<int>& order)
{
    return combining_allgather(neighborhood, route_along(neighborhood.stencil, order));
}

void check_order(const Job& job, const std::vector<int>& order)
{
    const auto plan = [&order](const Job& one, int rank) { return allgather_along(one.neighborhood(rank), order); };
    const std::string found = fault(job, TestedOperation::allgather, plan);
    if (!found.empty())
        FAIL_CHECK(found);
    const Stencil stencil = job.planned_stencil();
    for (const Edges& edges : job.edges) {
        const Schedule schedule = plan(job, edges.rank);
        const int most = tree_volume(stencil, order);
        const bool torus = job.topology.fully_periodic();
        if (torus ? schedule.volume() != most : schedule.volume() > most)
            FAIL_CHECK("not the tree's volume; " + describe(job));
        if (torus ? schedule.messages() != rounds(stencil) : schedule.messages() > rounds(stencil))
            FAIL_CHECK("not C messages; " + describe(job));
    }
}

void check(const Job& job)
{
    const std::vector<int> best = best_dimension_order(job.planned_stencil());
    check_order(job, best);
    std::vector<int> decreasing = increasing(job.topology.dimensions());
    std::reverse(decreasing.begin(), decreasing.end());
    if (decreasing != best)
        check_order(job, decreasing);
}

} // namespace

// Left tree: four steps along the first dimension, each followed by one along the second and the third: 12. Right tree,
// decreasing order: one step along the third, one along the second, four along the first: 6 edges, 7 nodes. The paper's
// volumes are 12 and 7; by its definition (edges of the tree) the second is 6, so 7 counts the nodes, the root
// included.
TEST_CASE("Figure 2 of the paper", "[allgather]")
{
    CHECK(tree_volume(figure_2, {0, 1, 2}) == 12);
    CHECK(tree_volume(figure_2, {2, 1, 0}) == 6);
    CHECK(tree_volume(figure_2, {1, 0, 2}) == 9);
    CHECK(best_dimension_order(figure_2) == std::vector<int>{1, 2, 0});
    const Topology torus({5, 3, 3}, {true, true, true});
    const Neighborhood placed = place(torus, figure_2, edges_of(torus, figure_2, 0));
    CHECK(allgather_along(placed, {0, 1, 2}).volume() == 12);
    CHECK(allgather_along(placed, {2, 1, 0}).volume() == 6);
    CHECK(allgather_along(placed, {2, 1, 0}).messages() == 6);
    const int root = 1;
    CHECK(root + allgather_along(placed, {2, 1, 0}).volume() == 7);
}

TEST_CASE("allgather of the nine-point stencil on a 3x3 torus, by hand", "[allgather]")
{
    const Topology torus({3, 3}, {true, true});
    const Stencil stencil = moore(2, 1);
    std::ostringstream text;
    text << allgather_along(place(torus, stencil, edges_of(torus, stencil, 4)), {0, 1});
    CHECK(text.str() == "4 messages, 8 blocks sent, 8 received\n"
                        "phase 0\n"
                        "  to 1: send 0 | from 7: transit 0 | deliver transit 0 -> receive 1\n"
                        "  to 7: send 0 | from 1: transit 1 | deliver transit 1 -> receive 6\n"
                        "phase 1\n"
                        "  to 3: transit 0, send 0, transit 1 | from 5: transit 2..4 | deliver transit 2 -> receive 0, "
                        "transit 3 -> receive 3, transit 4 -> receive 5\n"
                        "  to 5: transit 0, send 0, transit 1 | from 3: transit 5..7 | deliver transit 5 -> receive 2, "
                        "transit 6 -> receive 4, transit 7 -> receive 7\n");
}

TEST_CASE("repeated offsets are one arrival with several deliveries", "[allgather]")
{
    const Topology ring({2}, {true});
    const Stencil stencil = star(1, 1);
    const Stencil planned = sorted(canonical(stencil, ring));
    std::ostringstream text;
    text << allgather_along(place(ring, planned, edges_of(ring, stencil, 0)), {0});
    CHECK(text.str() ==
          "1 messages, 1 blocks sent, 1 received\n"
          "phase 0\n"
          "  to 1: send 0 | from 1: transit 0 | deliver transit 0 -> receive 0, transit 0 -> receive 1\n");
}

// {(1,0,0), (1,0,1)}: the node after the first step is a target and has a child behind a zero shift.
TEST_CASE("a target inside the tree is delivered and forwarded", "[allgather]")
{
    std::mt19937 random(1);
    check(shuffled_job(Topology({3, 3, 3}, {true, true, true}), Stencil(3, {1, 0, 0, 1, 0, 1}), random));
    CHECK(tree_volume(Stencil(3, {1, 0, 0, 1, 0, 1}), {0, 1, 2}) == 2);
}

TEST_CASE("the tree volume is the number of its edges", "[allgather]")
{
    for (unsigned seed = 1; seed <= 200; ++seed) {
        std::mt19937 random(seed);
        const int d = 1 + static_cast<int>(seed % 5);
        const Stencil stencil = random_stencil(d, static_cast<int>(seed % 30), 1 + static_cast<int>(seed % 3), random);
        std::vector<int> order = increasing(d);
        INFO("seed " << seed);
        std::vector<int> first_best = order;
        int least = plain_volume(stencil, order);
        do {
            const int volume = plain_volume(stencil, order);
            CHECK(tree_volume(stencil, order) == volume);
            if (volume < least) {
                least = volume;
                first_best = order;
            }
        } while (std::next_permutation(order.begin(), order.end()));
        CHECK(best_dimension_order(stencil) == first_best);
    }
}

TEST_CASE("beyond six dimensions the order is by increasing number of shifts", "[allgather]")
{
    Stencil stencil(7, {});
    for (const int last : {-2, -1, 1, 2}) {
        const int offset[] = {last, 1, 1, last > 0 ? 1 : 2, 0, 1, 1};
        stencil.append(offset);
    }
    CHECK(best_dimension_order(stencil) == std::vector<int>{4, 1, 2, 5, 6, 3, 0});
    CHECK(best_dimension_order(Stencil()).empty());
}

TEST_CASE("an order that is no permutation is refused", "[allgather]")
{
    const Topology torus({3, 3}, {true, true});
    const Neighborhood placed = place(torus, moore(2, 1), edges_of(torus, moore(2, 1), 0));
    CHECK_THROWS_AS(allgather_along(placed, {0}), std::invalid_argument);
    CHECK_THROWS_AS(allgather_along(placed, {1, 1}), std::invalid_argument);
    CHECK_THROWS_AS(tree_volume(moore(2, 1), {0, 2}), std::invalid_argument);
}

TEST_CASE("combining allgather delivers on every small job", "[allgather][long]")
{
    for_every_small_job(check);
}

TEST_CASE("combining allgather delivers on random larger jobs", "[allgather]")
{
    for_random_jobs(150, [](const Job& job, unsigned seed) {
        INFO("seed " << seed);
        check(job);
    });
}

TEST_CASE("everyone's block to everyone, over any grid as a torus", "[allgather]")
{
    std::vector<Topology> tried = {Topology(),
                                   Topology({7}, {false}),
                                   Topology({6, 5}, {true, false}),
                                   Topology({4, 3, 3}, {false, false, false}),
                                   Topology({12, 8}, {true, true}),
                                   Topology({33}, {true}),
                                   Topology({9, 5, 2}, {false, true, true}),
                                   Topology({2, 2, 2, 2, 2}, {true, true, true, true, true})};
    for (int dimensions = 1; dimensions <= 4; ++dimensions) {
        const std::vector<Topology> small = grids(dimensions, dimensions < 4 ? 3 : 2);
        tried.insert(tried.end(), small.begin(), small.end());
    }
    for (const Topology& grid : tried) {
        int rounds = 0;
        for (const int extent : grid.dims())
            for (int reached = 1; reached < extent; reached *= 2)
                ++rounds;
        std::vector<Schedule> schedules;
        for (int rank = 0; rank < grid.size(); ++rank) {
            schedules.push_back(global_allgather(grid, rank));
            validate(schedules.back(), 1, grid.size());
            CHECK(schedules.back().messages() == rounds);
            CHECK(schedules.back().volume() == grid.size() - 1);
            CHECK(static_cast<int>(schedules.back().phases.size()) == rounds);
        }
        const auto received = simulate(schedules, std::vector<int>(static_cast<std::size_t>(grid.size()), grid.size()));
        for (const std::vector<Label>& slots : received)
            for (int origin = 0; origin < grid.size(); ++origin)
                CHECK(slots[static_cast<std::size_t>(origin)] == Label{origin, 0});
    }
}
