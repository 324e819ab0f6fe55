// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The sums of counts over processes.
#include "test/catch.hpp"

#include "shim/report/report.hpp"
#include "shim/report/statistics.hpp"
#include "shim/report/summary.hpp"
#include "test/shim/report/sample_report.hpp"

#include <iterator>
#include <tuple>

using namespace hopscotch::shim;

namespace
{

/// The counts of process `rank` on two graphs; only rank 0 knows the places where they were made.
std::vector<GraphRecord> process(int rank)
{
    GraphRecord grid;
    grid.key = 7;
    grid.created_by = "MPI_Cart_create";
    if (rank == 0)
        grid.call_site = {"setup (halo.c:3)", "main (halo.c:9)"};
    grid.ranks = 4;
    grid.out_degree_min = grid.out_degree_max = 4;
    grid.isomorphic = true;
    grid.dims = {2, 2};
    grid.periodic = {true, false};
    grid.found = "parent";
    grid.stencil_name = "von Neumann";
    grid.stencil_radius = 1;
    grid.stencil_neighbors = 4;
    grid.rounds = 4;
    grid.volume = 4;
    grid.trials = {{"MPI_Neighbor_alltoall", 64, "native", 2e-5, false}};
    grid.setup_seconds = 0.5;
    grid.operations[combining] = {{10, 0, 100, 20, 40, 0, 0, 10}, 1.0 + rank};
    grid.operations[combining].block_sizes = {{0, 3}, {64, 7}};
    grid.operations[combining].durations = {{96, 10u - static_cast<unsigned>(rank)}, {64u << rank, 1}};
    if (rank == 0)
        grid.operations[native] = {{1, 1, 8, 2, 2}, 0.25};

    GraphRecord other;
    other.key = 3;
    other.created_by = "MPI_Graph_create";
    other.ranks = 4;
    other.out_degree_min = other.out_degree_max = rank;
    other.declined = "not the same everywhere";
    other.stencil_radius = -2;
    return {grid, other};
}

Report report_of(int processes)
{
    Report report;
    for (int rank = 0; rank < processes; ++rank)
        add(report, process(rank));
    return report;
}

} // namespace

TEST_CASE("A spread knows sum, extremes and variation")
{
    Spread spread;
    CHECK(spread.mean == 0.0);
    CHECK(spread.variation() == 0.0);
    for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) // mean 5, standard deviation 2
        spread += value;
    CHECK(spread.count == 8);
    CHECK(spread.total() == about(40.0));
    CHECK(spread.mean == about(5.0));
    CHECK(spread.min == 2.0);
    CHECK(spread.max == 9.0);
    CHECK(spread.variation() == about(0.4));

    Spread first, second;
    for (const double value : {2.0, 4.0, 4.0})
        first += value;
    for (const double value : {4.0, 5.0, 5.0, 7.0, 9.0})
        second += value;
    first += second;
    first += Spread{};
    CHECK(first.count == 8);
    CHECK(first.variation() == about(0.4));
    CHECK(first.min == 2.0);
}

TEST_CASE("Counts of processes become counts of the job")
{
    const Report report = report_of(4);
    CHECK(report.processes == 4);
    REQUIRE(report.graphs.size() == 2);
    CHECK(report.seconds.total() == about(1 + 2 + 3 + 4 + 0.25));
    CHECK(report.seconds.max == about(4.0));
    CHECK(report.setup_seconds.total() == about(2.0));

    const GraphSummary& other = report.graphs.at(3);
    CHECK(other.out_degree_min == 0);
    CHECK(other.out_degree_max == 3);

    const GraphSummary& grid = report.graphs.at(7);
    CHECK(grid.call_site.size() == 2);
    CHECK(grid.setup_seconds.count == 4);
    const OperationSummary& operation = grid.operations.at(combining);
    CHECK(operation.calls == 10);
    CHECK(operation.process_calls == 40);
    CHECK(operation.bytes == 400);
    CHECK(operation.messages == 80);
    CHECK(operation.messages_trivial == 160);
    CHECK(operation.block_sizes == CallsBySize{{0, 3}, {64, 7}});
    CHECK(operation.durations == CallsByDuration{{64, 1}, {96, 34}, {128, 1}, {256, 1}, {512, 1}});
    CHECK(operation.seconds.total() == about(10.0));
    CHECK(operation.seconds.mean == about(2.5));
    CHECK(operation.seconds.min == about(1.0));
    CHECK(operation.seconds.max == about(4.0));
    CHECK(grid.operations.at(native).failed == 1);
    CHECK(grid.operations.at(native).seconds.count == 1); // only one process called it
}

TEST_CASE("The call site is found whichever process comes first")
{
    Report report;
    for (const int rank : {2, 0, 1})
        add(report, process(rank));
    CHECK(report.graphs.at(7).call_site.size() == 2);
}

TEST_CASE("Graphs that are gone and alike become one")
{
    for (int rank = 0; rank < 2; ++rank) {
        GraphRecord first = process(rank)[0];
        first.operations[combining].sites[{"step (halo.c:7)"}] = {4, 0.25};
        GraphRecord second = first;
        second.key = 4;
        second.trials.clear();
        second.operations.erase(native);
        REQUIRE((appearance(first) == appearance(second)));
        fold(first, second);
        CHECK(first.key == 4); // whichever was freed first
        CHECK(first.graphs == 2);
        CHECK(first.setup_seconds == 1.0);
        CHECK(first.trials.size() == 1);
        CHECK(first.operations.at(combining).calls == 20);
        CHECK(first.operations.at(combining).messages_trivial == 80);
        CHECK(first.operations.at(combining).block_sizes == CallsBySize{{0, 6}, {64, 14}});
        CHECK(first.operations.at(combining).durations ==
              CallsByDuration{{64u << rank, 2}, {96, 20u - 2u * static_cast<unsigned>(rank)}});
        CHECK(first.operations.at(combining).seconds == 2.0 * (1.0 + rank));
        CHECK(first.operations.at(combining).sites.at({"step (halo.c:7)"}).calls == 8);
        CHECK(first.operations.at(combining).sites.at({"step (halo.c:7)"}).seconds == 0.5);
        CHECK(first.operations.count(native) == (rank == 0 ? 1 : 0));
        second.dims = {1, 4};
        CHECK_FALSE((appearance(first) == appearance(second)));
        second.trials = {first.trials[0], {"MPI_Neighbor_alltoallv", 0, "native", 1e-5, true}};
        fold(first, second);
        CHECK(first.trials.size() == 2); // counts of other calls
        second.alone = {{"MPI_Ineighbor_alltoallv", "shared", 8, 5, 1e-6, 2e-6}};
        fold(first, second);
        fold(first, second);
        CHECK(first.alone.size() == 1);
    }
}

TEST_CASE("Graphs that differ in any value that a report shows once are not alike")
{
    using Change = void (*)(GraphRecord&);
    const Change changes[] = {
        [](GraphRecord& graph) { graph.created_by = "MPI_Cart_sub"; },
        [](GraphRecord& graph) { graph.call_site.push_back("another (halo.c:1)"); },
        [](GraphRecord& graph) { ++graph.ranks; },
        [](GraphRecord& graph) { --graph.out_degree_min; },
        [](GraphRecord& graph) { ++graph.out_degree_max; },
        [](GraphRecord& graph) { graph.isomorphic = false; },
        [](GraphRecord& graph) { graph.declined = "no grid"; },
        [](GraphRecord& graph) {
            graph.dims = {1, 4};
        },
        [](GraphRecord& graph) {
            graph.periodic = {true, true};
        },
        [](GraphRecord& graph) {
            graph.wraps = {true, true};
        },
        [](GraphRecord& graph) { graph.found = "hint"; },
        [](GraphRecord& graph) { graph.stencil_name = "star"; },
        [](GraphRecord& graph) { ++graph.stencil_radius; },
        [](GraphRecord& graph) { ++graph.stencil_neighbors; },
        [](GraphRecord& graph) {
            graph.offsets = {0, 1};
        },
        [](GraphRecord& graph) { ++graph.rounds; },
        [](GraphRecord& graph) { ++graph.volume; },
        [](GraphRecord& graph) { graph.schedule_groups = "0,1"; },
        [](GraphRecord& graph) {
            graph.partial.cells = {2, 3};
        },
        [](GraphRecord& graph) { ++graph.partial.messages; },
        [](GraphRecord& graph) { graph.reorder = "ranks stay"; },
    };
    const GraphRecord graph = process(0)[0];
    static_assert(std::tuple_size_v<decltype(appearance(graph))> == std::size(changes), "each value is changed");
    for (std::size_t i = 0; i < std::size(changes); ++i) {
        INFO("value " << i);
        GraphRecord other = graph;
        other.key = 8;
        CHECK((appearance(graph) == appearance(other)));
        changes[i](other);
        CHECK_FALSE((appearance(graph) == appearance(other)));
        Report report;
        add(report, {graph, other});
        CHECK(grouped(report).size() == 2);
    }
}

TEST_CASE("Graphs with calls of other kinds are shown apart, with the hosts and reasons of all")
{
    GraphRecord one = process(0)[0];
    GraphRecord other = one;
    other.key = 8;
    Report report;
    add(report, {one, other});
    CHECK(grouped(report).size() == 1);
    other.key = 9;
    other.operations.erase(combining);
    other.operations[native].calls = 4;
    Report more;
    add(more, {other});
    more.hosts = {"node1"};
    report.hosts = {"node0"};
    add(report, more);
    CHECK(grouped(report).size() == 2);
    CHECK(report.hosts == std::set<std::string>{"node0", "node1"});
    REQUIRE(reasons(report).size() == 1);
    CHECK(reasons(report).front().calls == 1 + 1 + 4);
}

TEST_CASE("Adding up along a tree gives the same as one after the other")
{
    Report left, right;
    add(left, process(0));
    add(left, process(1));
    add(right, process(2));
    add(right, process(3));
    left.slowest = {0, "", 1.0};
    right.slowest = {2, "", 2.0};
    right.job.shares_cores = true;
    right.job.copied_twice = "it is refused";
    add(left, parse_report(serialize(right)));
    CHECK((left.slowest.rank == 0 && left.job.shares_cores && left.job.copied_twice == "it is refused"));
    const Report whole = report_of(4);
    CHECK(left.processes == 4);
    CHECK(left.seconds.total() == about(whole.seconds.total()));
    const OperationSummary& operation = left.graphs.at(7).operations.at(combining);
    CHECK(operation.calls == 10);
    CHECK(operation.messages == 80);
    CHECK(operation.seconds.variation() == about(whole.graphs.at(7).operations.at(combining).seconds.variation()));
    CHECK(left.graphs.at(3).out_degree_max == 3);
}

TEST_CASE("A call that failed on one process has failed")
{
    std::vector<GraphRecord> failing = process(3);
    failing[0].operations[combining].failed = 2;
    Report left, right;
    add(left, process(0));
    add(right, failing);
    add(left, parse_report(serialize(right)));
    CHECK(left.graphs.at(7).operations.at(combining).failed == 2);
}

TEST_CASE("Many processes with many graphs add up quickly")
{
    std::vector<GraphRecord> records;
    for (std::uint64_t key = 1; key <= 1000; ++key) {
        GraphRecord graph = process(1)[0];
        graph.key = key;
        records.push_back(graph);
    }
    Report report;
    for (int rank = 0; rank < 100; ++rank) // 10,000 processes take a hundred times as long
        add(report, records);
    CHECK(report.graphs.size() == 1000);
    CHECK(report.graphs.at(1000).operations.at(combining).messages == 2000);
    CHECK(serialize(report).size() < 800 * 1000);
}
