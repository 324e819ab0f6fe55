// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Efforts: by hand, on a few processes of two nodes.
#include "schedules/nodes/effort.hpp"

#include "schedules/plan/direct.hpp"
#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("effort: efforts of processes and nodes")
{
    // Ranks 0 and 1 on one node, 2 on another; 0 sends two blocks to 1 and one to 2, 1 sends one to 2.
    const Nodes nodes = nodes_of({0, 0, 2});
    const std::vector<Edges> edges = {
        {0, {1, 1, 2}, {}, {0, 1, 0}, {}}, {1, {2}, {0, 0}, {0}, {0, 1}}, {2, {}, {0, 1}, {}, {0, 0}}};
    std::vector<std::vector<Effort>> all;
    for (const Edges& own : edges)
        all.push_back(efforts(merged(own), own.rank, nodes, Copying::packed));
    CHECK(all[0][0].sent == 1);
    CHECK(all[0][0].received == 0);
    CHECK(all[0][0].handovers == 1);
    CHECK(all[0][0].copied_blocks == 2); // the single block is a message as it lies
    CHECK(all[0][0].leaving_blocks == 1);
    CHECK(all[1][0].handovers == 1);
    CHECK(all[1][0].copied_blocks == 2);
    CHECK(all[2][0].received == 2);
    const std::vector<Effort> most = busiest(all, nodes);
    REQUIRE(most.size() == 1);
    CHECK(most[0].received == 2);
    CHECK(most[0].leaving_blocks == 2);

    const Network network{1.0, 10.0, 20.0, 0.5, 2.0, 3.0, 0.25};
    // 10 for the message out, 2 * 20 for those in, 3 for the handover, 2 * 4 bytes copied; the interface needs 4.
    CHECK(predicted_seconds(most, 4, network) == about(1 + 10 + 40 + 3 + 2));
    CHECK(predicted_seconds(most, 4000, network) == about(1 + 10 + 20 + 2 * 4000 * 0.5));
}

TEST_CASE("effort: efforts through grids")
{
    // One process tells another through its grid, which sends on.
    const Nodes nodes = nodes_of({0, 0, 2});
    Schedule first;
    first.phases = {{{{1, no_rank, {{Place::send, 0}}, 0, 0, {}}}}, {}, {}};
    Schedule leader;
    leader.arrivals = 1;
    leader.phases = {{{{no_rank, 0, {}, 0, 1, {}}}}, {{{2, no_rank, {{Place::transit, 0}}, 1, 0, {}}}}, {}};
    const std::vector<Effort> writes = efforts(first, 0, nodes, Copying::staging);
    const std::vector<Effort> carries = efforts(leader, 1, nodes, Copying::staging);
    CHECK(writes[0].handovers == 0); // one look at its turn is the reader's
    CHECK(writes[0].copied_blocks == 1);
    CHECK(carries[0].handovers == 1);
    CHECK(carries[0].copied_blocks == 1);
    CHECK(carries[1].copied_blocks == 0);
    CHECK(carries[1].sent == 1);
}

TEST_CASE("effort: a block goes into a grid once, whoever wants it, and into a message from there")
{
    const Nodes nodes = nodes_of({0, 0, 0, 3});
    Schedule common;
    common.phases = {{{{1, no_rank, {{Place::send, 0}}, 0, 0, {}}, {2, no_rank, {{Place::send, 0}}, 0, 0, {}}}}};
    CHECK(efforts(common, 0, nodes, Copying::staging)[0].copied_blocks == 1);
    CHECK(efforts(common, 0, nodes, Copying::packed)[0].copied_blocks == 2);
    Schedule leaving;
    leaving.phases = {{{{3, no_rank, {{Place::send, 0}, {Place::send, 1}}, 0, 0, {}}}}};
    CHECK(efforts(leaving, 0, nodes, Copying::staging)[0].copied_blocks == 4);
    CHECK(efforts(leaving, 0, nodes, Copying::packed)[0].copied_blocks == 2);
}
