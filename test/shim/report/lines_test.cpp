// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The lines of a report that it has only at times.
#include "test/catch.hpp"

#include "shim/report/report.hpp"
#include "test/shim/report/sample_report.hpp"

using namespace hopscotch::shim;

namespace
{

/// A report's text with lines that go on below joined.
std::string in_one_line(std::string text)
{
    for (std::size_t end = text.find("\n "); end != std::string::npos; end = text.find("\n "))
        text.erase(end, text.find_first_not_of("\n ", end) - end - 1).replace(end, 1, " ");
    return text;
}

} // namespace

TEST_CASE("Facts about the machine are reported if there are any")
{
    Report report = example();
    report.job.copied_twice = "no process may read another";
    report.job.network = hopscotch::schedules::assumed_network;
    report.job.network->latency = 2e-6;
    report.job.network->gap_per_byte = 2e-10;
    CHECK(text_report(report).find(
              "network      2.00 us latency, 0.40 us to send, 0.60 us to receive, 5.00 GB/s, measured\n"
              "             (assumed: 0.50 us latency, 0.40 us to send, 0.60 us to receive, 10.0 GB/s)\n"
              "large blocks copied twice: no process may read another\n") != std::string::npos);
    report.job.copied_twice.clear();
    report.job.one_copy = {16384, 2097152};
    CHECK(text_report(report).find(
              "large blocks of 16.0 KiB and more go from process to process in one copy, in calls of 2.00 MiB and\n"
              "             more (beyond a core's cache)\n") != std::string::npos);
    report.job.one_copy->tried = true;
    CHECK(text_report(report).find(
              "large blocks of 16.0 KiB and more go from process to process in one copy where trials "
              "found that\n             faster\n") != std::string::npos);
    report.job.date = "2026-11-27";
    report.job.id = "12";
    report.job.step = "0";
    report.job.array_task = "7";
    report.hosts = {"a", "b", "c", "d"};
    CHECK(text_report(report).find("date         2026-11-27, job 12, step 0, task of the array 7, on a, b, c, d\n") !=
          std::string::npos);
    report.hosts.insert({"e", "f"});
    CHECK(text_report(report).find("on a, b, c, d and 2 more\n") != std::string::npos);
    report.job.one_copy = {16384, 0};
    CHECK(text_report(report).find("large blocks of 16.0 KiB and more go from process to process in one copy "
                                   "(HOPSCOTCH_ONE_COPY)\n") != std::string::npos);
}

TEST_CASE("A graph's lines give the origin of its grid, and the numbers of its parts")
{
    GraphRecord graph = moore(1, 0);
    const auto shows = [&graph](const std::string& line) {
        return in_one_line(text_report(two_ranks({graph}, {}))).find(line) != std::string::npos;
    };
    for (const auto& [found, way] : {std::pair{"parent", "3px3px3p, of the Cartesian communicator"},
                                     {"hint", "3px3px3p, as given"},
                                     {"recorded", "3px3px3p, of a grid that the program made or asked for"}}) {
        graph.found = found;
        CHECK(shows("grid         " + std::string(way)));
    }
    graph.edges = {702, 486, 162, 380, 100};
    CHECK(shows("486 of 702 edges (69.2 %), at most 162 of one node; 380, at most 100 with ranks mapped to nodes"));
    graph.partial = {{3, 4}, "list order", 100, 80, 40, 90};
    CHECK(shows("partly       3px4p, inferred from the order of the lists: 80 of 100 edges combined, 40 messages "
                "instead of 90"));
    graph.operations[combining].staged_calls = 7;
    graph.operations[combining].staged_bytes = 4096;
    graph.operations[combining].staged_ns = 3000;
    CHECK(shows("staged       Neighbor_alltoall by combining, 7 calls of processes with a buffer in the memory of a "
                "device: 4.00 KiB copied in 3.00 us"));
    graph.operations[combining].failed = 2;
    CHECK(shows("failed       Neighbor_alltoall, 2 calls by combining"));
    graph.operations[combining].messages = 0;
    CHECK(shows("0 instead of "));
    graph.operations[combining].messages_trivial = 0;
    CHECK(shows("none: no block goes to another process"));
}

TEST_CASE("Bytes that need not be sent are reported if there are any")
{
    GraphRecord graph = moore(1, 0);
    CHECK(text_report(two_ranks({graph}, {graph})).find("saved") == std::string::npos);
    graph.operations[combining].bytes_saved = 48000; // on each of two ranks, with a payload of 432000
    const Report report = two_ranks({graph}, {graph});
    const std::string saved = "93.8 KiB (10.0 %) that blocks of one message have in common";
    CHECK(text_report(report).find("  saved        Neighbor_alltoall by combining, " + saved.substr(0, 30)) !=
          std::string::npos);
    CHECK(json_report(report).find("          \"bytes_saved\": 96000,") != std::string::npos);
    CHECK(json_report(report).find("\n    \"bytes_saved\": 96000,") != std::string::npos);
}

TEST_CASE("The report names the process that the others wait for")
{
    Report whole = example();
    const auto process = [&whole](int rank, double seconds) {
        Report report;
        report.earliest = report.slowest = {rank, "node" + std::to_string(rank / 2), seconds};
        add(whole, report);
    };
    CHECK(text_report(whole).find("slowest") == std::string::npos);
    process(1, 0.25);
    CHECK(text_report(whole).find("slowest") == std::string::npos); // one alone
    add(whole, Report{});
    process(3, 0.5);
    process(2, 0.5);
    const std::string lines = "earliest     rank 3 on node1, 500 ms in these calls: it waits longest\n"
                              "slowest      rank 1 on node0, 250 ms in these calls: it waits least, the others wait "
                              "for it\n";
    CHECK(text_report(whole).find(lines) != std::string::npos);
    CHECK(text_report(read_report(json_report(whole))).find(lines) != std::string::npos);
}

TEST_CASE("Under HOPSCOTCH_VERIFY the text counts the compared calls, and those that differ")
{
    GraphRecord graph = moore(1, 0);
    graph.operations[combining].compared = 1000;
    Report report = two_ranks({graph}, {graph});
    CHECK(text_report(report).find("verified") == std::string::npos);
    report.job.settings = {{"HOPSCOTCH_VERIFY", "on"}};
    CHECK(text_report(report).find("verified     1000 calls compared, 0 differences\n") != std::string::npos);
    report.graphs.at(1).operations.at(combining).compared = 999;
    report.graphs.at(1).operations.at(combining).differences = 1;
    CHECK(text_report(report).find("verified     999 calls compared, 1 difference; 1 more carried by Hopscotch, not "
                                   "compared\n") != std::string::npos);
}

TEST_CASE("The text gives the reason if the chosen algorithm was not the fastest in its trial")
{
    GraphRecord graph = moore(1, 0);
    graph.trials = {{"MPI_Neighbor_alltoall", 64, "shared", 8.68e-3, true},
                    {"MPI_Neighbor_alltoall", 64, "merged", 8.13e-3, false}};
    const std::string because = "the others were not clearly faster";
    CHECK(in_one_line(text_report(two_ranks({graph}, {graph}))).find(because) != std::string::npos);
    graph.trials.back().seconds = 4e-3; // no chance: an earlier run chose, or an earlier measurement
    CHECK(in_one_line(text_report(two_ranks({graph}, {graph}))).find(because) == std::string::npos);
    graph.trials.back().seconds = 9e-3;
    CHECK(in_one_line(text_report(two_ranks({graph}, {graph}))).find(because) == std::string::npos);
}
