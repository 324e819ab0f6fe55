// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Inference: candidate grids. A grid is accepted exactly if the neighbor lists are those of a stencil on it.
#include "schedules/grid/infer.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

using Grids = std::vector<std::vector<int>>;

/// The definition, without any short cut.
bool plain_explains(const Topology& topology, const Stencil& stencil, int rank, std::vector<int> destinations,
                    std::vector<int> sources)
{
    std::vector<int> forward;
    std::vector<int> backward;
    for (int i = 0; i < stencil.size(); ++i) {
        std::vector<int> offset(stencil.offset(i), stencil.offset(i) + stencil.dimensions());
        forward.push_back(plain_neighbor(topology, rank, offset));
        for (int& shift : offset)
            shift = -shift;
        backward.push_back(plain_neighbor(topology, rank, offset));
    }
    for (std::vector<int>* list : {&destinations, &sources, &forward, &backward}) {
        list->erase(std::remove(list->begin(), list->end(), no_rank), list->end());
        std::sort(list->begin(), list->end());
    }
    return destinations == forward && sources == backward;
}

/// True if all processes of the job agree that the grid explains the list of process `root`.
bool accepted(const Job& job, const Topology& topology, int root)
{
    bool all = true;
    for (const Edges& edges : job.edges)
        all =
            all && same_as(topology, root, job.edges[root].destinations, edges.rank, edges.destinations, edges.sources);
    return all;
}

bool same(const std::vector<Topology>& found, const std::vector<std::string>& expected)
{
    std::vector<std::string> texts;
    for (const Topology& topology : found)
        texts.push_back(to_string(topology));
    return texts == expected;
}

} // namespace

TEST_CASE("factorizations come by number of dimensions, then in order", "[infer]")
{
    CHECK(factorizations(12, 3, 100) == Grids{{12}, {2, 6}, {3, 4}, {4, 3}, {6, 2}, {2, 2, 3}, {2, 3, 2}, {3, 2, 2}});
    CHECK(factorizations(12, 2, 3) == Grids{{12}, {2, 6}, {3, 4}});
    CHECK(factorizations(7, 4, 100) == Grids{{7}});
    CHECK(factorizations(8, 9, 100) == Grids{{8}, {2, 4}, {4, 2}, {2, 2, 2}});
    CHECK(factorizations(1, 3, 100) == Grids{{1}});
    CHECK(factorizations(1, 0, 100).empty());
    CHECK(factorizations(1, 3, 0).empty());
    CHECK(factorizations(12, 0, 100).empty());
    CHECK(factorizations(12, 3, 0).empty());
    CHECK_THROWS_AS(factorizations(0, 3, 100), std::invalid_argument);
}

TEST_CASE("factorizations are all there are", "[infer]")
{
    for (int p = 2; p <= 64; ++p) {
        Grids expected{{p}};
        for (int a = 2; a < p; ++a)
            if (p % a == 0)
                expected.push_back({a, p / a});
        for (int a = 2; a < p; ++a)
            for (int b = 2; b < p; ++b)
                if (p % (a * b) == 0 && p / (a * b) > 1)
                    expected.push_back({a, b, p / (a * b)});
        CHECK(factorizations(p, 3, 1000) == expected);
    }
    CHECK(factorizations(1 << 20, 20, 1000000).size() == 1 << 19);
    CHECK(factorizations(2147483647, 5, 10) == Grids{{2147483647}});
}

TEST_CASE("patterns of periods begin with the torus", "[infer]")
{
    CHECK(same(with_periods({2, 3}, true), {"2px3p", "2px3", "2x3p", "2x3"}));
    CHECK(same(with_periods({2, 1}, true), {"2px1p", "2x1p"}));
    CHECK(same(with_periods({2, 3}, false), {"2px3p"}));
    CHECK(same(with_periods({1}, true), {"1p"}));
}

TEST_CASE("offsets are canonical and in list order", "[infer]")
{
    const Topology topology({2, 5}, {true, false});
    CHECK(offsets(topology, 0, {5, no_rank, 4, 0, 5}) == Stencil(2, {1, 0, 0, 4, 0, 0, 1, 0}));
    CHECK(offsets(Topology({3, 3}, {true, true}), 0, {8, 1}) == Stencil(2, {-1, -1, 0, 1}));
}

TEST_CASE("a stencil explains its own lists and no others", "[infer]")
{
    const Topology mesh({3, 3}, {false, false});
    CHECK(explains(mesh, star(2, 1), 0, {1, 3}, {3, 1}));
    CHECK(explains(mesh, star(2, 1), 0, {no_rank, 3, 1, no_rank}, {no_rank, 1, no_rank, 3}));
    CHECK_FALSE(explains(mesh, star(2, 1), 0, {1}, {3, 1}));
    CHECK_FALSE(explains(mesh, star(2, 1), 0, {1, 3, 3}, {3, 1}));
    CHECK_FALSE(explains(mesh, star(2, 1), 0, {1, 1}, {3, 1}));
    CHECK_FALSE(explains(mesh, star(2, 1), 0, {1, 3}, {1, 4}));
    CHECK_FALSE(explains(mesh, star(2, 1), 0, {1, 3}, {}));
    CHECK(explains(mesh, Stencil(2, {}), 0, {}, {no_rank}));
}

TEST_CASE("every small job is explained by its grid, and damaged lists are not", "[infer]")
{
    std::mt19937 random(11);
    for_every_small_job([&random](const Job& job) {
        bool right = true;
        const int root = static_cast<int>(random() % job.edges.size());
        const Stencil seen = offsets(job.topology, root, job.edges[root].destinations);
        for (const Edges& edges : job.edges) {
            right = right && explains(job.topology, job.stencil, edges.rank, edges.destinations, edges.sources);
            std::vector<int> sources = edges.sources;
            if (!sources.empty()) // often still right
                sources[random() % sources.size()] = static_cast<int>(random() % job.edges.size());
            for (const std::vector<int>& list : {edges.sources, sources}) {
                const bool expected = plain_explains(job.topology, seen, edges.rank, edges.destinations, list);
                right = right && explains(job.topology, seen, edges.rank, edges.destinations, list) == expected;
                right = right && same_as(job.topology, root, job.edges[root].destinations, edges.rank,
                                         edges.destinations, list) == expected;
            }
        }
        right = right && (!job.topology.fully_periodic() || accepted(job, job.topology, root));
        if (!right)
            FAIL_CHECK(describe(job));
    });
}

TEST_CASE("only grids that fit are accepted", "[infer]")
{
    std::mt19937 random(5);
    const Job job = shuffled_job(Topology({4, 6}, {true, true}), moore(2, 1), random);
    std::vector<std::string> found;
    for (const std::vector<int>& dims : factorizations(24, 2, 100))
        for (const Topology& topology : with_periods(dims, true))
            if (accepted(job, topology, 9))
                found.push_back(to_string(topology));
    CHECK(found == std::vector<std::string>{"4px6p"});
}

TEST_CASE("a mesh is recognised from a process that sees the whole stencil", "[infer]")
{
    std::mt19937 random(6);
    const Job job = shuffled_job(Topology({4, 5}, {false, true}), moore(2, 1), random);
    CHECK(accepted(job, job.topology, 7));
    CHECK_FALSE(accepted(job, job.topology, 0)); // at the border: its list lacks offsets the others have
    CHECK_FALSE(accepted(job, Topology({4, 5}, {true, true}), 7));
    CHECK_FALSE(accepted(job, Topology({4, 5}, {false, false}), 7));
    CHECK_FALSE(accepted(job, Topology({5, 4}, {false, true}), 7));
}

TEST_CASE("all processes of a mesh together see the whole stencil", "[infer]")
{
    std::mt19937 random(8);
    const Topology mesh({2, 3}, {false, false});
    const Job job = shuffled_job(mesh, moore(2, 1), random);
    std::vector<std::vector<int>> lists;
    for (const Edges& edges : job.edges)
        lists.push_back(edges.destinations);
    const std::optional<Stencil> cover = covering(mesh, lists);
    REQUIRE(cover);
    CHECK(cover->shifts() == sorted(moore(2, 1)).shifts());
    for (const Edges& edges : job.edges)
        CHECK(explains(mesh, *cover, edges.rank, edges.destinations, edges.sources));

    lists[0].push_back(5); // an offset nobody else has, but others would have to have
    lists[0].push_back(0);
    CHECK_FALSE(covering(mesh, lists));
}

TEST_CASE("the best grid has the fewest rounds, then the least volume, then comes first", "[infer]")
{
    const Stencil few = star(2, 1);    // C = 4, V = 4
    const Stencil many = star(3, 1);   // C = 6
    const Stencil heavy = moore(2, 1); // C = 4, V = 12
    CHECK(best({many, heavy, few, few}) == 2);
    CHECK(best({heavy, many}) == 0);
    CHECK(best({heavy, few}) == 1);
    CHECK(best({heavy, heavy}) == 0);
    CHECK_THROWS_AS(best({}), std::invalid_argument);
}
