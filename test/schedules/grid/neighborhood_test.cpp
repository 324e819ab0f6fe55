// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Placing a stencil at one process: the block of each neighbor slot.
#include "schedules/grid/neighborhood.hpp"

#include "test/catch.hpp"
#include "test/schedules/plan/jobs.hpp"

#include <stdexcept>

using namespace hopscotch::schedules;

namespace
{

/// The imbalance of processes with these destinations and sources.
std::uint64_t imbalance_of(const std::vector<std::vector<int>>& destinations,
                           const std::vector<std::vector<int>>& sources)
{
    std::uint64_t sum = 0;
    for (std::size_t rank = 0; rank < destinations.size(); ++rank)
        sum += imbalance({static_cast<int>(rank), destinations[rank], sources[rank], {}, {}});
    return sum;
}

} // namespace

TEST_CASE("edges named at both ends are in balance, and no others", "[neighborhood]")
{
    CHECK(imbalance_of({{1, 1, 2}, {no_rank}, {2, 0}}, {{2}, {0, 0, no_rank}, {2, 0}}) == 0);
    CHECK(imbalance_of({{1}, {0}}, {{1}, {0}}) == 0);
    CHECK(imbalance_of({{1}, {}}, {{}, {}}) != 0);     // a destination only
    CHECK(imbalance_of({{}, {}}, {{}, {0}}) != 0);     // a source only
    CHECK(imbalance_of({{1, 1}, {}}, {{}, {0}}) != 0); // not as often
    CHECK(imbalance_of({{1}, {}}, {{1}, {}}) != 0);    // the wrong way round
    CHECK(imbalance_of({{1}, {2}, {0}}, {{1}, {2}, {0}}) != 0);
}

TEST_CASE("ranks that do not exist are told from none", "[neighborhood]")
{
    CHECK(all_exist({0, {0, 3, no_rank}, {no_rank, 1}, {}, {}}, 4));
    CHECK_FALSE(all_exist({0, {4}, {}, {}, {}}, 4));
    CHECK_FALSE(all_exist({0, {}, {-77}, {}, {}}, 4));
}

TEST_CASE("occurrences are counted per rank", "[neighborhood]")
{
    CHECK(occurrence({5, 2, 5, 5}) == std::vector<int>{0, 0, 1, 2});
    CHECK(occurrence({no_rank, 1, no_rank, 1}) == std::vector<int>{0, 0, 0, 1});
    CHECK(occurrence({1000000, 0, 1000000}) == std::vector<int>{0, 0, 1});
    CHECK(occurrence({}).empty());
    CHECK(has_repeats({5, 2, 5}));
    CHECK_FALSE(has_repeats({5, 2, 4}));
    CHECK_FALSE(has_repeats({no_rank, 1, no_rank}));
    CHECK_FALSE(has_repeats({}));
    std::vector<int> many(100);
    std::iota(many.rbegin(), many.rend(), 0);
    CHECK_FALSE(has_repeats(many));
    many[7] = many[90] = no_rank;
    CHECK_FALSE(has_repeats(many));
    many[3] = many[50];
    CHECK(has_repeats(many));
}

TEST_CASE("other processes are named once, and no process not at all", "[neighborhood]")
{
    CHECK(distinct_others({5, no_rank, 2, 5, 1, 2}, 2) == std::vector<int>{1, 5});
    CHECK(distinct_others({no_rank, 0, 0}, 0).empty());
}

TEST_CASE("edges of a part keep their slots", "[neighborhood]")
{
    const Edges all{1, {0, 3, no_rank, 3}, {2, 1, no_rank}, {0, 0, 0, 1}, {0, 0, 0}};
    const Edges part = part_of(all, [](int rank) { return rank >= 2; }); // which is never asked about no_rank
    CHECK(part.rank == 1);
    CHECK(part.destinations == std::vector<int>{no_rank, 3, no_rank, 3});
    CHECK(part.sources == std::vector<int>{2, no_rank, no_rank});
    CHECK(part.destination_order == all.destination_order);
    CHECK(part.source_order == all.source_order);
    CHECK(part_of(all, [](int rank) { return rank != no_rank; }).destinations == all.destinations);
}

TEST_CASE("numbers follow parallel edges into their slots", "[neighborhood]")
{
    const Edges known{0, {}, {4, 7, 4, no_rank, 4}, {}, {0, 0, 1, 0, 2}};
    const std::vector<int> numbers{10, 20, 11, 0, 12};
    CHECK(matched_numbers(known, numbers, known) == numbers);
    Edges other = known;
    other.source_order = {2, 0, 0, 0, 1};
    CHECK(matched_numbers(known, numbers, other) == std::vector<int>{12, 20, 10, 0, 11});
    CHECK(matched_numbers({}, {}, known) == std::vector<int>(5, 0));
}

TEST_CASE("edges in stencil order end in stencil order", "[neighborhood]")
{
    const Topology mesh({2, 3}, {false, false});
    const Edges edges = edges_of(mesh, star(2, 1), 0);
    CHECK(edges.destinations == std::vector<int>{no_rank, 3, no_rank, 1});
    CHECK(edges.sources == std::vector<int>{3, no_rank, 1, no_rank});
    const Edges ring = edges_of(Topology({2}, {true}), star(1, 1), 0);
    CHECK(ring.destinations == std::vector<int>{1, 1});
    CHECK(ring.destination_order == std::vector<int>{0, 1});
    CHECK(ring.source_order == std::vector<int>{0, 1});
}

TEST_CASE("parallel edges follow the orders given", "[neighborhood]")
{
    const Topology ring({2}, {true});
    Edges edges = edges_of(ring, star(1, 1), 0);
    edges.source_order = {1, 0};
    const Neighborhood placed = place(ring, sorted(canonical(star(1, 1), ring)), edges);
    CHECK(placed.send_slot == std::vector<int>{0, 1});
    CHECK(placed.receive_slot == std::vector<int>{1, 0});
}

TEST_CASE("edges of another stencil are refused", "[neighborhood]")
{
    const Topology torus({3, 3}, {true, true});
    const Stencil stencil = sorted(star(2, 1));
    const Edges right = edges_of(torus, stencil, 4);
    CHECK_NOTHROW(place(torus, stencil, right));

    Edges wrong = right;
    wrong.destinations[2] = 8;
    CHECK_THROWS_AS(place(torus, stencil, wrong), std::invalid_argument);
    wrong = right;
    wrong.sources[0] = no_rank;
    CHECK_THROWS_AS(place(torus, stencil, wrong), std::invalid_argument);
    wrong = right;
    wrong.source_order[1] = 1;
    CHECK_THROWS_AS(place(torus, stencil, wrong), std::invalid_argument);
    wrong = right;
    wrong.source_order.pop_back();
    CHECK_THROWS_AS(place(torus, stencil, wrong), std::invalid_argument);
    wrong = right;
    wrong.rank = 9;
    CHECK_THROWS_AS(place(torus, stencil, wrong), std::invalid_argument);
    CHECK_THROWS_AS(place(torus, star(3, 1), right), std::invalid_argument);
}

TEST_CASE("every block of every small job has its slots", "[neighborhood]")
{
    for_every_small_job([](const Job& job) {
        bool right = true;
        for (const Edges& edges : job.edges) {
            const Neighborhood placed = job.neighborhood(edges.rank);
            std::vector<int> used;
            for (int b = 0; b < placed.stencil.size(); ++b) {
                const std::vector<int> offset(placed.stencil.offset(b), placed.stencil.offset(b + 1));
                const int peer = plain_neighbor(job.topology, edges.rank, offset);
                const int slot = placed.send_slot[b];
                right = right && (slot == Neighborhood::no_slot) == (peer == no_rank);
                if (slot == Neighborhood::no_slot)
                    continue;
                right = right && edges.destinations[slot] == peer;
                used.push_back(slot);
            }
            std::sort(used.begin(), used.end());
            right = right && std::unique(used.begin(), used.end()) == used.end();
        }
        if (!right)
            FAIL_CHECK(describe(job));
    });
}

TEST_CASE(
    "By the standard parallel edges match in the order of the lists, both ways of a Cartesian dimension crosswise")
{
    Edges edges;
    edges.sources = {3, 1, 3, 3};
    CHECK(standard_order(edges, false) == std::vector<int>{0, 0, 1, 2});
    edges.sources = {1, 1, 2, 3, no_rank, no_rank};
    CHECK(standard_order(edges, true) == std::vector<int>{1, 0, 0, 0, 0, 0});
}
