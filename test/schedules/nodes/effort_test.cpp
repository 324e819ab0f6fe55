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
        all.push_back(efforts(merged(own), own.rank, nodes));
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
    CHECK(predicted_seconds({Effort(), {0, 0, 1, 0, 0}}, 4, network) == about(2 + 3)); // nothing, then a handover
}

TEST_CASE("effort: aggregated blocks, those within the node beside them")
{
    // Ranks 0 to 2 on one node, 3 on another; 1 sends a message for 0, 1 and 2, and receives one for 0 and 1.
    const Nodes nodes = nodes_of({0, 0, 0, 3});
    const Edges edges{1, {0, 3, 3}, {0, 2, 2, 3}, {0, 0, 1}, {0, 0, 1, 0}};
    AggregationPart part;
    part.phases = 1;
    part.own_position = 1;
    part.cell_slots = {1, 2};
    part.out = {
        {0, 3, 5, {{0, Run::cells, 0, 1}, {1, Run::cells, 0, 2}, {2, Run::cells, 0, 1}, {2, Run::cells, 1, 1}}}};
    part.in = {{0, 3, 2, {}}};
    part.deliveries = {{1, 0, 0, 3}};
    part.batches = {{1, 0, 0, 0, 1}};
    const std::vector<Effort> phases = efforts(part, edges, Blocks::individual, nodes);
    REQUIRE(phases.size() == 3);
    CHECK(phases[0].copied_blocks == 2); // into the cells
    CHECK(phases[0].handovers == 2);     // looks at the cells of 0 and 2
    CHECK(phases[1].sent == 1);
    CHECK(phases[1].received == 1);
    CHECK(phases[1].leaving_blocks == 5);
    CHECK(phases[1].copied_blocks == 5 + 1 + 3); // into the message; to 0; from 0 and 2
    CHECK(phases[1].handovers == 2);             // from 0 and 2
    CHECK(phases[2].copied_blocks == 1);         // from the received message to the user
    CHECK(phases[2].handovers == 0);
    // Two blocks, one of them for three slots.
    part.deliveries = {{1, 0, 0, 3}, {1, 0, 0, 4}, {1, 0, 0, 6}, {1, 0, 1, 5}};
    part.batches.front().last = 4;
    CHECK(efforts(part, edges, Blocks::common, nodes)[2].copied_blocks == 2);
    part.batches.front().owner = 0;
    CHECK(efforts(part, edges, Blocks::individual, nodes)[2].handovers == 1);
}

TEST_CASE("effort: a common block goes to the processes of the node once, for any receivers")
{
    AggregationPart part;
    part.phases = 1;
    const Edges edges{0, {1, 2}, {}, {0, 0}, {}};
    CHECK(efforts(part, edges, Blocks::common, nodes_of({0, 0, 0}))[1].copied_blocks == 1);
    CHECK(efforts(part, edges, Blocks::individual, nodes_of({0, 0, 0}))[1].copied_blocks == 2);
}

TEST_CASE("effort: a process without neighbors has as many numbers as others")
{
    AggregationPart part;
    part.phases = 1;
    for (const Edges& edges : {Edges{0, {}, {}, {}, {}}, Edges{0, {1}, {}, {0}, {}}})
        CHECK(compared_efforts(part, edges, Blocks::common, nodes_of({0, 1}), nullptr, nullptr)[1].size() == 1);
}
