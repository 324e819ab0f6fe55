// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Facts derived from a process grid and a stencil, and from the processes that know the size of blocks.
#include "schedules/selection/selection_facts.hpp"

#include "test/catch.hpp"

#include <numeric>

using namespace hopscotch::schedules;

namespace
{

/// A torus of 3 x 4 processes, each with neighbors at these offsets.
Facts torus(Collective collective, std::vector<int> shifts)
{
    Facts facts;
    facts.collective = collective;
    facts.ranks = 12;
    facts.most_neighbors = static_cast<int>(shifts.size() / 2);
    add_grid(facts, Topology({3, 4}, {true, true}), Stencil(2, std::move(shifts)));
    return facts;
}

} // namespace

TEST_CASE("All processes know the size of regular blocks if neighbors connect them")
{
    const Facts connected = torus(Collective::alltoall, {0, 1, 1, 0});
    CHECK(connected.one_block_size);
    CHECK(knows_block_size(connected));
    CHECK(shares_block_size(connected, Algorithm::combining));
    CHECK_FALSE(knows_block_size(torus(Collective::alltoallv, {0, 1, 1, 0})));
    const Facts rows = torus(Collective::alltoall, {0, 1, 0, -1}); // nobody passes a size on to another row
    CHECK_FALSE(knows_block_size(rows));
    CHECK_FALSE(shares_block_size(rows, Algorithm::combining));
    CHECK(shares_block_size(rows, Algorithm::merged));
    CHECK(knows_block_size(torus(Collective::global_allgather, {0, 1, 0, -1})));
}

TEST_CASE("A process without neighbors knows no size, so that nobody may choose by it")
{
    Facts idle = torus(Collective::alltoall, {0, 1, 1, 0});
    idle.idle_process = true;
    CHECK_FALSE(shares_block_size(idle, Algorithm::merged));
    add_grid(idle, Topology({3, 4}, {true, true}), Stencil(2, {0, 1, 1, 0}));
    CHECK_FALSE(idle.one_block_size);
}

TEST_CASE("MPI_Allgather among all sends log2 of the processes in each dimension")
{
    CHECK(torus(Collective::global_allgather, {0, 1, 1, 0}).torus_messages == 2 + 2);
    Facts facts;
    add_grid(facts, Topology({12, 12, 8, 1}, {true, false, true, true}), Stencil(4, {1, 0, 0, 0}));
    CHECK(facts.torus_messages == 4 + 4 + 3);
}

TEST_CASE("auto combines by a split if only that saves messages")
{
    const Topology ring({12}, {true});
    const Stencil wide(1, {-2, -1, 1, 2});
    std::vector<int> apart(12);
    std::iota(apart.begin(), apart.end(), 0);
    const Nodes nodes = nodes_of(apart);
    Facts facts;
    facts.ranks = 12;
    facts.most_neighbors = 4;
    add_grid(facts, ring, wide);
    CHECK(facts.combining_pays_up_to == 0);
    REQUIRE(may_choose_member(facts));
    const auto members = preferred_members(Blocks::individual, family(wide, ring), ring, wide, nodes, assumed_network);
    Facts few = facts;
    few.most_neighbors = 3;
    add_members(few, members, ring, wide, nodes, assumed_network);
    CHECK(few.combining_pays_up_to == 0);
    add_members(facts, members, ring, wide, nodes, assumed_network);
    CHECK(facts.combining_pays_up_to > 0);
    CHECK(facts.only_splits);
    REQUIRE(facts.members.size() == 1);
    CHECK(to_string(facts.members.front().groups) == "0:2");
    facts.one_node = true;
    facts.shared_bytes = 1000;
    CHECK_FALSE(may_choose_member(facts));
}

TEST_CASE("The gain of combining is predicted only if the choice may use it")
{
    const std::vector<int> moore{-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    CHECK(torus(Collective::alltoall, moore).combining_pays_up_to > 0);
    Facts few; // facts of a mesh on which no process sees the whole stencil
    few.most_neighbors = 4;
    add_grid(few, Topology({3, 4}, {true, true}), Stencil(2, moore));
    CHECK(few.combining_pays_up_to == 0); // four rounds
    Facts asked;
    asked.most_neighbors = 8;
    asked.asked_for = Algorithm::merged;
    add_grid(asked, Topology({3, 4}, {true, true}), Stencil(2, moore));
    CHECK(asked.combining_pays_up_to == 0);
}
