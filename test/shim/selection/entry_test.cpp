// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The counters that calls add to their entry, and the messages that the library sends in one call.
#include "test/catch.hpp"

#include "shim/mpi/runtime.hpp"
#include "shim/selection/entry.hpp"

#include <thread>

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

TEST_CASE("Threads that wait for requests of one entry count the places of their calls")
{
    constexpr std::uint64_t rounds = 20000;
    SelectionEntry entry;
    const std::vector<void*> places[3] = {{}, {&entry}, {&entry.counters}};
    const auto count_both = [&](std::size_t own) {
        for (std::uint64_t i = 0; i < rounds; ++i) {
            count_site(entry, places[0], 1, 2);
            count_site(entry, places[own], 3, 4);
        }
    };
    std::thread other(count_both, 1);
    count_both(2);
    other.join();
    REQUIRE(entry.sites.size() == 3);
    CHECK(entry.sites[&places[0]].calls == 2 * rounds);
    CHECK(entry.sites[&places[0]].ticks == 4 * rounds);
    for (const std::size_t own : {1, 2}) {
        CHECK(entry.sites[&places[own]].calls == 3 * rounds);
        CHECK(entry.sites[&places[own]].ticks == 4 * rounds);
    }
}

TEST_CASE("A call counts while counting is on")
{
    SelectionEntry entry;
    const bool before = counting();
    set_counting(false);
    count(entry, {1, 2, 3, 4}, 7, MPI_SUCCESS);
    CHECK(entry.counters.calls == 0);
    set_counting(true);
    count(entry, {1, 2, 3, 4}, 7, MPI_ERR_TRUNCATE);
    CHECK(entry.counters.calls == 1);
    CHECK(entry.counters.failed == 1);
    CHECK(entry.counters.ticks == 7);
    CHECK(entry.sites.empty());
    mutable_runtime().settings.callsites = Callsites::call;
    count(entry, {1, 2, 3, 4}, 7, MPI_SUCCESS);
    mutable_runtime().settings.callsites = Settings().callsites;
    REQUIRE(entry.sites.size() == 1);
    CHECK(entry.sites.begin()->second.calls == 1);
    CHECK(entry.sites.begin()->second.ticks == 7);
    set_counting(before);
}

TEST_CASE("The sizes of a request are kept if its number is a power of two, and if exchanges are to be measured")
{
    Settings& settings = mutable_runtime().settings;
    const Settings before = settings;
    settings.baseline = true;
    settings.verify = false;
    settings.report = "a file";
    schedules::Edges edges;
    edges.destinations = {0, 2};
    edges.sources = {0};
    const std::vector<int> values(100);
    const auto request = [&](SelectionEntry& entry, Collective collective, int ints) {
        const BlockLayout block = BlockLayout::regular(values.data(), ints, MPI_INT);
        note_request(entry, collective, Completion::persistent, edges, block, block);
    };
    SelectionEntry entry;
    int last_kept = 1;
    for (int number = 1; number <= 9; ++number) {
        request(entry, Collective::alltoall, number);
        if (number == 2 * last_kept)
            last_kept = number;
        CHECK(entry.sample.requests == static_cast<std::uint64_t>(number));
        CHECK(entry.sample.sends == std::vector<int>(2, last_kept * static_cast<int>(sizeof(int))));
        CHECK(entry.sample.receives == std::vector<int>(1, last_kept * static_cast<int>(sizeof(int))));
        CHECK(entry.sample.completion == Completion::persistent);
    }
    SelectionEntry gathering;
    request(gathering, Collective::allgather, 3);
    CHECK(gathering.sample.collective == Collective::allgather);
    CHECK(gathering.sample.sends == std::vector<int>(1, 3 * static_cast<int>(sizeof(int))));
    SelectionEntry none;
    request(none, Collective::global_allgather, 1);
    settings.verify = true;
    request(none, Collective::alltoall, 1);
    settings.verify = false;
    settings.baseline = false;
    request(none, Collective::alltoall, 1);
    settings.baseline = true;
    settings.report = "off";
    request(none, Collective::alltoall, 1);
    CHECK(none.sample.requests == 0);
    settings = before;
}
