// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The counters that calls add to their entry, and the messages that the library sends in one call.
#include "test/catch.hpp"

#include "shim/selection/entry.hpp"

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("A call adds its messages, its time, and its failure")
{
    SelectionEntry entry;
    entry.trivial_messages = 4;
    add_call(entry, {2, 100, 90, 10}, 7, MPI_SUCCESS);
    add_call(entry, {2, 50, 40, 0}, 3, MPI_ERR_TRUNCATE);
    CHECK(entry.counters.calls == 2);
    CHECK(entry.counters.failed == 1);
    CHECK(entry.counters.messages == 4);
    CHECK(entry.counters.messages_trivial == 8);
    CHECK(entry.counters.bytes == 150);
    CHECK(entry.counters.payload_bytes == 130);
    CHECK(entry.counters.bytes_saved == 10);
    CHECK(entry.counters.ticks == 10);
}

TEST_CASE("The library sends a message for each edge to another process, with the bytes of its block")
{
    SelectionEntry entry;
    entry.trivial_messages = 2;
    Graph graph;
    graph.edges.rank = 1;
    graph.edges.destinations = {0, 1, schedules::no_rank, 2}; // the process itself and nobody among them
    const std::vector<int> values(10);
    const std::vector<int> counts = {1, 2, 3, 4};
    const std::vector<int> displacements = {0, 1, 3, 6};
    const BlockLayout alike = BlockLayout::regular(values.data(), 2, MPI_INT);
    CHECK(sent_by_library(graph, entry, alike).messages == 2);
    CHECK(sent_by_library(graph, entry, alike).bytes == 2 * 2 * sizeof(int));
    const BlockLayout varying =
        BlockLayout::varying(values.data(), counts.data(), displacements.data(), MPI_INT, counts.size());
    CHECK(sent_by_library(graph, entry, varying).messages == 2);
    CHECK(sent_by_library(graph, entry, varying).bytes == (1 + 4) * sizeof(int));
    CHECK(sent_by_library(graph, entry, varying).payload_bytes == (1 + 4) * sizeof(int));
    CHECK(messages_by_library(entry).bytes == 0);
}
