// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Facts derived from a process grid and a stencil, and from the processes that know the size of blocks.
#include "schedules/selection/selection_facts.hpp"

#include "test/catch.hpp"

#include <limits>

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

TEST_CASE("Facts that follow from a graph are added, and members are asked for if one may be chosen")
{
    const Topology ring({12}, {true});
    const Stencil wide(1, {-2, -1, 1, 2});
    std::vector<int> apart(12);
    std::iota(apart.begin(), apart.end(), 0);
    const Nodes nodes = nodes_of(apart);
    Facts given;
    given.ranks = 12;
    given.most_neighbors = 4;
    int asked = 0;
    const auto members = [&] {
        ++asked;
        return preferred_members(Blocks::individual, family(wide, ring), ring, wide, nodes, assumed_network);
    };
    GraphOfFacts graph;
    CHECK_FALSE(with_facts_of_graph(given, graph, members).one_block_size);
    graph.grid = &ring;
    graph.stencil = &wide;
    CHECK(with_facts_of_graph(given, graph, members).one_block_size);
    CHECK(asked == 0);
    graph.nodes = &nodes;
    const Facts all = with_facts_of_graph(given, graph, members);
    CHECK(asked == 1);
    CHECK(all.only_splits);
    CHECK(all.members.size() == 1);
    given.collective = Collective::alltoallv;
    CHECK(with_facts_of_graph(given, graph, members).members.empty());
    CHECK(asked == 1);
    PartialGrid part;
    graph = {};
    graph.partial = &part;
    CHECK(with_facts_of_graph(given, graph, members).partly);
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
    CHECK_FALSE(few.only_splits);
    CHECK(few.members.size() == members.size());
    Facts asked = facts;
    asked.asked_for = Algorithm::combining;
    add_members(asked, members, ring, wide, nodes, assumed_network);
    CHECK(asked.combining_pays_up_to == 0);
    CHECK(asked.members.size() == members.size());
    add_members(facts, members, ring, wide, nodes, assumed_network);
    CHECK(facts.combining_pays_up_to > 0);
    CHECK(facts.only_splits);
    REQUIRE(facts.members.size() == 1);
    CHECK(to_string(facts.members.front().groups) == "0:2");
    CHECK(facts.members.front().most_bytes == std::numeric_limits<std::size_t>::max());
    facts.shared_bytes = 1000;
    CHECK(may_choose_member(facts)); // on several nodes
    facts.one_node = true;
    CHECK_FALSE(may_choose_member(facts));
    facts.shared_bytes = 0;
    CHECK(may_choose_member(facts));
    facts.collective = Collective::allgather;
    CHECK(may_choose_member(facts));
    facts.collective = Collective::global_allgather;
    CHECK_FALSE(may_choose_member(facts));
}

TEST_CASE("The gain of combining is predicted only if the choice may use it")
{
    const std::vector<int> moore{-1, -1, -1, 0, -1, 1, 0, -1, 0, 1, 1, -1, 1, 0, 1, 1};
    CHECK(torus(Collective::alltoall, moore).combining_pays_up_to > 0);
    CHECK(torus(Collective::global_allgather, moore).combining_pays_up_to == 0);
    for (const bool one_node : {false, true})
        for (const std::size_t shared_bytes : {0, 1000}) {
            Facts placed;
            placed.most_neighbors = 8;
            placed.one_node = one_node;
            placed.shared_bytes = shared_bytes;
            add_grid(placed, Topology({3, 4}, {true, true}), Stencil(2, moore));
            CHECK((placed.combining_pays_up_to == 0) == (one_node && shared_bytes > 0)); // all goes through memory
        }
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

TEST_CASE("A grid of a part of the graph tells what no whole grid tells, and the gain only for auto")
{
    PartialGrid part;
    part.connected = true;
    part.merged_messages = part.most.merged_messages = 20;
    part.messages = part.most.messages = 10;
    part.volume = part.most.volume = 30;
    part.edges = part.most.edges = 20;
    const auto with_part = [&part](Facts facts) {
        add_partial_grid(facts, part);
        return facts;
    };
    Facts none;
    none.declined = reason::not_isomorphic;
    CHECK(with_part(none).partly);
    CHECK(with_part(none).one_block_size);
    CHECK(with_part(none).combining_pays_up_to > 0);
    Facts whole = none;
    whole.declined = {};
    CHECK_FALSE(with_part(whole).one_block_size);
    Facts idle = none;
    idle.idle_process = true;
    CHECK_FALSE(with_part(idle).one_block_size);
    Facts asked = none;
    asked.asked_for = Algorithm::combining;
    CHECK(with_part(asked).combining_pays_up_to == 0);
    Facts gathering = none;
    gathering.collective = Collective::global_allgather;
    CHECK(with_part(gathering).combining_pays_up_to == 0);
    part.connected = false;
    CHECK_FALSE(with_part(none).one_block_size);
}

TEST_CASE("auto combines blocks between nodes no further than the copies allow")
{
    const Topology grid({4, 4, 4}, {true, true, true});
    const Stencil stencil = sorted(canonical(moore(3, 1), grid));
    std::vector<int> apart(64);
    std::iota(apart.begin(), apart.end(), 0);
    const Nodes nodes = nodes_of(apart);
    Facts facts;
    facts.ranks = 64;
    facts.most_neighbors = 26;
    add_grid(facts, grid, stencil);
    const std::size_t without_copies = facts.combining_pays_up_to;
    const auto members =
        preferred_members(Blocks::individual, family(stencil, grid), grid, stencil, nodes, assumed_network);
    add_members(facts, members, grid, stencil, nodes, assumed_network);
    CHECK(facts.combining_pays_up_to > 0);
    CHECK(facts.combining_pays_up_to < without_copies / 2);
    CHECK_FALSE(facts.only_splits);

    facts.combining_pays_up_to = without_copies; // of a grid of a part, whose schedule sends fewer messages
    facts.partly = true;
    add_members(facts, members, grid, stencil, nodes, assumed_network);
    CHECK(facts.combining_pays_up_to == without_copies);
}
