// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The report of known numbers, compared letter by letter: text, page and JSON.
#include "test/catch.hpp"

#include "shim/base/settings.hpp"
#include "shim/report/next_step.hpp"
#include "shim/report/report.hpp"
#include "shim/report/summary.hpp"
#include "test/shim/report/sample_report.hpp"

#include <limits>
#include <nlohmann/json.hpp>

using namespace hopscotch::shim;

TEST_CASE("The text report fits a screen")
{
    CHECK(text_report(example()) ==
          R"(hopscotch: report, version 0.1.0
command      ./stencil -n 100
job          27 ranks on 1 node, 2.00 s
mpi          MPICH 4.0.2, ch4:ofi
settings     HOPSCOTCH_YIELD=always
calls        1005: 1000 accelerated, 5 native
messages     12010 instead of 52010, one per neighbor (23.1 %)
time         [750 ms] <375 ms> 250 ms 500 ms, 18.8 % of the run ([total] <mean> min max over ranks)
efficiency   81.2 % parallel = 92.9 % load balance * 87.5 % communication; all time outside of these
             calls counts as useful
set-up       [2.00 ms] <1.00 ms> 1.00 ms 1.00 ms, 0.05 % of the run
bottom line  calls saved 37.6 ms; set-up cost 1.00 ms: in all about 34.1 ms to 39.0 ms saved in a
             run of 2.00 s; measured against native calls for 99.5 % of the calls.
native       5 calls: a datatype with overlapping blocks

graph 1: MPI_Dist_graph_create_adjacent, 27 ranks, 26 neighbors
  created in   setup (halo.c:3) < main (halo.c:9)
  grid         3px3px3p, inferred from the neighbors
  stencil      moore, radius 1: 26 neighbors; combining sends 54 blocks in 6 rounds
  off node     486 of 702 edges (69.2 %), at most 162 of one node; no fewer with ranks mapped to
               nodes
  ranks        ranks stay: no mapping was found that has fewer edges between nodes
  function            algorithm  calls  per call  payload     sent  messages  without    [total]     <mean>      min      max  spread
  Neighbor_alltoall   combining   1000    375 us  844 KiB  891 KiB     12000    52000   [750 ms]   <375 ms>   250 ms   500 ms    0.33
  Neighbor_alltoallw  native         5   2.00 us     80 B     80 B        10       10  [10.0 us]  <10.0 us>  10.0 us  10.0 us    0.00
  blocks       Neighbor_alltoall by combining, 900 calls up to 64 B, 100 calls up to 2.00 KiB
  native       Neighbor_alltoallw, 5 calls: a datatype with overlapping blocks
  measured     Neighbor_alltoall, blocks up to 64 B: native 50.0 us, combining 12.5 us (chosen);
               4.00 times as fast as native

graph 2: MPI_Graph_create, 27 ranks, 1 to 3 neighbors
  declined     the neighbors fit no process grid
  calls        none

columns      payload: bytes of all blocks; sent: bytes of all messages, forwarded blocks included;
             without: messages if each neighbor got one of its own; [total] <mean> min max: time in
             these calls over ranks; spread: its standard deviation over its mean

what to try next: nothing: the reasons why 5 calls ran natively are given above.
hopscotch: end of report
)");
}

TEST_CASE("The page holds text and document, and neither can become markup")
{
    Report report = example();
    report.job.command = "./a<b> & \"c\" %JSON% </pre></script><script>alert(1)</script><!--";
    const std::string page = html_report(report);
    const auto between = [&page](const std::string& begin, const std::string& end) {
        const std::size_t at = page.find(begin) + begin.size();
        return page.substr(at, page.find(end, at) - at);
    };
    const std::string document = between("<script type=\"application/json\" id=\"report\">", "</script>");
    CHECK(document.find('<') == std::string::npos);
    CHECK(json_report(read_report(document)) == json_report(report));
    const std::string text = between("<pre>", "</pre>");
    CHECK(text.find('<') == std::string::npos);
    CHECK(text.find("./a&lt;b> &amp; \"c\" %JSON% &lt;/pre>&lt;/script>&lt;script>alert(1)") != std::string::npos);
    CHECK(text.rfind("hopscotch: end of report\n") == text.size() - 25);
    for (const char* const outside : {"http:", "https:", "src=", "@import", "%TEXT%"})
        CHECK(page.find(outside) == std::string::npos); // nothing is loaded from anywhere
    CHECK(page.rfind("</html>\n") == page.size() - 8);
}

TEST_CASE("Graphs that are alike are one block")
{
    const Report report =
        two_ranks({moore(1, 0), ring(2), moore(3, 0), moore(4, 0)}, {moore(1, 1), ring(2), moore(3, 1), moore(4, 1)});
    const std::string text = text_report(report);
    CHECK(
        text.find("graphs 1, 3, 4: MPI_Dist_graph_create_adjacent, 27 ranks, 26 neighbors (3 graphs like this, numbers "
                  "are sums)\n") != std::string::npos);
    CHECK(text.find("combining   3000    375 us") != std::string::npos);
    const std::vector<GraphGroup> groups = grouped(report);
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].ids == std::vector<std::uint64_t>{1, 3, 4});
    CHECK(groups[0].seconds() == about(2.25));
    CHECK(totals(report).calls == 3000);

    const auto of_many = [](std::uint64_t number) {
        std::vector<GraphRecord> graphs;
        for (std::uint64_t key = 1; key <= number; ++key)
            graphs.push_back(moore(key, 0));
        return text_report(two_ranks(graphs, {}));
    };
    CHECK(of_many(6).find("\ngraphs 1, 2, 3, 4, 5, 6: MPI_Dist") != std::string::npos);
    CHECK(of_many(7).find("\ngraphs 1, 2, 3, 4, 5 ... 7: MPI_Dist") != std::string::npos);
}

TEST_CASE("Processes that are alone though the launcher started several are named")
{
    Report report = example();
    report.job.launched = 54; // by a launcher that started other programs, too
    CHECK(next_step(report).find("alone") == std::string::npos);
    report.job.ranks = 1;
    CHECK(next_step(report).find("54 processes were started, but each is alone.") != std::string::npos);
    report.job.launched = 1;
    CHECK(next_step(report).find("alone") == std::string::npos);
}

TEST_CASE("A step to take is named if many fewer edges would lead to other nodes")
{
    Report report = example();
    report.graphs.begin()->second.operations.erase(native);
    GraphSummary& graph = report.graphs.begin()->second;
    CHECK(next_step(report) == "nothing: Hopscotch carried all calls.");
    graph.edges.mapped = 380;
    CHECK(next_step(report) == "nothing: Hopscotch carried all calls."); // its ranks had to stay
    graph.reorder = reordering_not_asked_for;
    CHECK(next_step(report) ==
          "HOPSCOTCH_REORDER=all, if the program keeps no data by the ranks of another communicator: graph 1 would "
          "have 380 edges between nodes instead of 486.");
    graph.reorder.clear();
    CHECK(next_step(report) == "`hopscotch map REPORT.json`, which orders the ranks of the job: graph 1 would have 380 "
                               "edges between nodes instead of 486.");
    graph.edges.mapped = 400; // not many
    CHECK(next_step(report) == "nothing: Hopscotch carried all calls.");
}

TEST_CASE("Long lines break between words")
{
    Report report = example();
    report.job.command = "./a b " + std::string(90, 'c') + " d";
    CHECK(text_report(report).find("command      ./a b\n             " + std::string(90, 'c') + "\n             d\n") !=
          std::string::npos);
    report.job.command = std::string(110, 'c');
    CHECK(text_report(report).find("command      " + report.job.command + "\n") != std::string::npos);
    report.job.command = std::string(401, 'c');
    CHECK(text_report(report).find("command      " + std::string(400, 'c') + "\n             ...\n") !=
          std::string::npos);
    report.graphs.begin()->second.call_site = {"f", "e", "d", "c", "b"};
    CHECK(text_report(report).find("created in   f < e < d < c < ...\n") != std::string::npos);
}

TEST_CASE("Text in parentheses stays on one line")
{
    Report report = example();
    report.seconds += 1e6; // a long line of times
    CHECK(text_report(report).find("\n             ([total] <mean> min max over ranks)\n") != std::string::npos);
    report.job.command = "./a ( b " + std::string(90, 'c') + " )";
    CHECK(text_report(report).find("command      ./a ( b\n") != std::string::npos);
}

TEST_CASE("Rows that differ in their reasons only are told apart by a number")
{
    GraphRecord graph = moore(1, 0);
    graph.operations[native] = {{5, 0, 80, 10, 10}, 1e-5};
    graph.operations[{native.function, "native", "the arguments are wrong"}] = {{7, 0, 80, 10, 10}, 1e-5};
    const std::string text = text_report(two_ranks({graph}, {graph}));
    CHECK(text.find("\n  Neighbor_alltoallw  native (1)      5 ") != std::string::npos);
    CHECK(text.find("\n  Neighbor_alltoallw  native (2)      7 ") != std::string::npos);
    CHECK(text.find("\n  native (1)   Neighbor_alltoallw, 5 calls: a datatype") != std::string::npos);
    CHECK(text.find("\n  native (2)   Neighbor_alltoallw, 7 calls: the arguments") != std::string::npos);
    CHECK(text.find("combining (") == std::string::npos);
}

TEST_CASE("Graphs on different numbers of processes are not alike")
{
    GraphRecord smaller = moore(3, 0);
    smaller.ranks = 8;
    CHECK(grouped(two_ranks({moore(1, 0), smaller}, {moore(1, 1), smaller})).size() == 2);
}

TEST_CASE("Places of calls and offsets of the stencil are reported if they are known")
{
    GraphRecord graph = moore(1, 0);
    graph.dims = {3, 3};
    graph.offsets = {0, 1, -1, 0};
    graph.operations[combining].sites[{"step (a.c:7)", "main (a.c:9)"}] = {600, 0.1};
    graph.operations[combining].sites[{}] = {400, 0.15};
    GraphRecord other = graph;
    other.offsets.clear();
    const Report report = two_ranks({graph}, {other});
    const std::string text = text_report(report);
    CHECK(text.find("  called in    Neighbor_alltoall by combining, 600 calls, [200 ms] <100 ms> 100 ms 100 ms: step\n"
                    "               (a.c:7) < main (a.c:9)\n") != std::string::npos);
    CHECK(text.find("400 calls, [300 ms] <150 ms>") < text.find("600 calls, [200 ms]"));
    for (const char* const place : {"a", "b", "c", "d", "e"})
        graph.operations[combining].sites[{place}] = {1, 0.01};
    CHECK(text_report(two_ranks({graph}, {graph})).find("  called in    Neighbor_alltoall: 2 other places\n") !=
          std::string::npos);
    const auto json = nlohmann::json::parse(json_report(report));
    CHECK(json["graphs"][0]["stencil"]["offsets"] == std::vector<std::vector<int>>{{0, 1}, {-1, 0}});
    CHECK(json["graphs"][0]["operations"][0]["call_sites"][1]["call_site"] ==
          std::vector<std::string>{"step (a.c:7)", "main (a.c:9)"});
}

TEST_CASE("Of many kinds of graphs those with most time are shown")
{
    std::vector<GraphRecord> graphs;
    for (std::uint64_t key = 1; key <= 20; ++key) {
        GraphRecord graph = moore(key, 0);
        graph.call_site[0] = "setup (halo.c:" + std::to_string(key) + ")";
        graph.operations[combining].seconds = static_cast<double>(key);
        graphs.push_back(graph);
    }
    graphs.push_back(graphs.front()); // like the one with least time
    graphs.back().key = 21;
    const std::string text = text_report(two_ranks(graphs, graphs));
    CHECK(text.find("\ngraph 20:") < text.find("\ngraph 19:"));
    CHECK(text.find("\ngraph 15:") != std::string::npos);
    CHECK(text.find("\ngraph 14:") == std::string::npos);
    CHECK(text.find("\n15 graphs with less time left out, [212 s] in all; HOPSCOTCH_REPORT=FILE.json has them.\n") !=
          std::string::npos);
}

TEST_CASE("Calls on unknown communicators have a block of their own")
{
    GraphRecord unknown;
    unknown.created_by = "unknown";
    unknown.operations[{"MPI_Neighbor_allgather", "native", "the communicator is not known"}] = {{3, 2, 0, 0, 0}, 0.1};
    const Report report = two_ranks({unknown, ring(5)}, {unknown, ring(5)});
    CHECK(first_id(report) == 0);
    const std::string text = text_report(report);
    CHECK(text.find("other communicators: calls on communicators Hopscotch does not know\n") != std::string::npos);
    CHECK(text.find("calls        3: 0 accelerated, 3 native, 2 failed\n") != std::string::npos);
    CHECK(json_report(report).find("\"id\": 0,\n      \"created_by\": \"unknown\"") != std::string::npos);
}

TEST_CASE("The next step")
{
    const auto native_run = [] {
        GraphRecord graph = moore(1, 0);
        graph.operations.clear();
        graph.operations[{"MPI_Neighbor_alltoall", "native", "as HOPSCOTCH_ALGORITHM asks"}] = {{10, 0, 0, 0, 0}, 0.5};
        return two_ranks({graph}, {graph});
    };
    const std::string measure = "`hopscotch compare`: this run did not measure what its calls gained.";
    SECTION("nothing was measured")
    {
        CHECK(next_step(two_ranks({moore(1, 0)}, {moore(1, 0)})) == measure);
    }
    SECTION("ranks wait for cores")
    {
        Report report = two_ranks({moore(1, 0)}, {moore(1, 0)});
        report.job.shares_cores = true;
        CHECK(next_step(report).find("at most one rank per core") == 0);
        const std::string text = text_report(report);
        CHECK(text.find(", more than there are cores, ") != std::string::npos);
        CHECK(text.find("doubtful     all times: ranks outnumber the cores of their node") != std::string::npos);
    }
    SECTION("nothing was seen")
    {
        CHECK(next_step(two_ranks({}, {})).find("created no Cartesian or graph communicator") != std::string::npos);
        CHECK(next_step(two_ranks({ring(1)}, {ring(1)})).find("no neighborhood collective") != std::string::npos);
    }
    SECTION("native was asked for")
    {
        Report report = native_run();
        report.job.settings = {{"HOPSCOTCH_ALGORITHM", "native"}};
        CHECK(next_step(report) == "HOPSCOTCH_ALGORITHM=auto: 10 calls ran natively under HOPSCOTCH_ALGORITHM=native.");
    }
    SECTION("native for other reasons")
    {
        CHECK(next_step(native_run()) == "nothing: the reasons why 10 calls ran natively are given above.");
    }
    SECTION("no grid was looked for")
    {
        GraphRecord graph = ring(1);
        graph.operations[{"MPI_Neighbor_alltoall", "merged", ""}] = {{10, 0, 0, 0, 0}, 0.5};
        Report report = two_ranks({graph}, {graph});
        CHECK(next_step(report) == measure);
        report.job.settings = {{"HOPSCOTCH_INFER", "off"}};
        CHECK(next_step(report).find("HOPSCOTCH_INFER=on") == 0);
    }
    SECTION("edges that the MPI library matches otherwise than the standard, on some process, in some graph")
    {
        GraphRecord other = moore(1, 1);
        other.nonstandard_edge_order = true;
        Report report = two_ranks({moore(1, 0), moore(2, 0)}, {moore(2, 1), other});
        CHECK(next_step(report) == measure);
        const auto measured = [&report] {
            report.graphs.begin()->second.trials = {{"MPI_Neighbor_alltoall", 0, "combining", 1e-6, true},
                                                    {"MPI_Neighbor_alltoall", 0, "native", 1.0, false}};
            return next_step(report);
        };
        CHECK(measured() == "HOPSCOTCH_PARALLEL_EDGES=standard, if the program expects the order of MPI 4.1, section "
                            "8.6: graph 1 has several edges with the same ends, whose blocks the MPI library delivers "
                            "in another order.");
        report.job.settings = {{"HOPSCOTCH_PARALLEL_EDGES", "standard"}};
        CHECK(measured() == "nothing: Hopscotch carried all calls.");
        GraphRecord unused = other;
        unused.operations.clear();
        report = two_ranks({moore(2, 0), unused}, {moore(2, 1), unused});
        report.graphs.at(2).trials = {{"MPI_Neighbor_alltoall", 0, "combining", 1e-6, true},
                                      {"MPI_Neighbor_alltoall", 0, "native", 1.0, false}};
        CHECK(next_step(report) == "nothing: Hopscotch carried all calls."); // no blocks travel on the other graph
    }
    SECTION("time was lost")
    {
        Report report = example();
        report.setup_seconds.max = 10.0;
        const std::string from = "a longer run, which saves time from about ";
        CHECK(next_step(report).find(from) == 0);
        CHECK(next_step(report).find("HOPSCOTCH_TUNING=FILE") != std::string::npos);
        report.job.settings = {{"HOPSCOTCH_TUNING", "learned"}};
        CHECK(next_step(report).find(from) == 0);
        CHECK(next_step(report).find("HOPSCOTCH_TUNING") == std::string::npos);
        report.graphs.begin()->second.trials.at(1).seconds = 1e-4; // the choice is slower than native calls
        CHECK(next_step(report).find("`hopscotch compare`, which says") == 0);
    }
    SECTION("switched off, stood down, failed")
    {
        Report report = native_run();
        report.graphs.at(1).operations.begin()->second.failed = 1;
        CHECK(next_step(report).find("HOPSCOTCH=off: 1 call returned an error") == 0);
        report.job.stood_down = "this is Open MPI";
        CHECK(next_step(report).find("`hopscotch doctor`") == 0);
        report.job.enabled = false;
        CHECK(next_step(report).find("HOPSCOTCH=on") == 0);
    }
}

TEST_CASE("Efficiency is known if all processes are, and some time is")
{
    Report report = example(); // a run of 2 s
    report.seconds = {};
    CHECK_FALSE(efficiency(report));
    for (const double seconds : {0.5, 1.0})
        report.seconds += seconds;
    REQUIRE(efficiency(report));
    CHECK(efficiency(report)->load_balance == about(1.25 / 1.5));
    CHECK(efficiency(report)->communication == about(0.75));
    CHECK(efficiency(report)->parallel == about(0.625));
    report.job.elapsed_seconds = 0.5; // threads may be in several calls at once
    CHECK_FALSE(efficiency(report));
    report.job.elapsed_seconds = 2.0;
    report.job.partial = "one process only";
    CHECK_FALSE(efficiency(report));
}

TEST_CASE("Of the MPI library the report has name, version and device")
{
    CHECK(short_library("MPICH Version:\t4.0.2\nMPICH ABI:\t14:2:2\nMPICH Device:\tch4:ucx\nMPICH configure:\t-x\n") ==
          "MPICH 4.0.2, ch4:ucx");
    CHECK(short_library("MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Device       :\tch3:mrail\n") ==
          "MVAPICH2 2.3.7, ch3:mrail");
    CHECK(short_library("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, May 26, 2022") == "Open MPI v4.1.4");
    CHECK(short_library("Intel(R) MPI Library 2021.5 for Linux* OS\n") == "Intel(R) MPI Library 2021.5 for Linux* OS");
    CHECK(read_report(R"({"schema": 1, "mpi_library": "MPICH Version: 4.0.2"})").job.mpi_library ==
          "MPICH Version: 4.0.2"); // written by a version that wrote no more
    CHECK(short_library("").empty());
}

TEST_CASE("Numbers have three digits and a unit")
{
    CHECK(duration_text(0.0) == "0 s");
    CHECK(duration_text(std::numeric_limits<double>::quiet_NaN()) == "0 s");
    CHECK(duration_text(1.234e-6) == "1.23 us");
    CHECK(duration_text(0.9994e-3) == "999 us");
    CHECK(duration_text(0.9996e-3) == "1.00 ms");
    CHECK(duration_text(0.0123) == "12.3 ms");
    CHECK(duration_text(99.96) == "100 s");
    CHECK(duration_text(86400.0) == "86400 s");
    CHECK(bytes_text(1023) == "1023 B");
    CHECK(bytes_text(1536) == "1.50 KiB");
    CHECK(bytes_text(std::uint64_t{5} << 40) == "5.00 TiB");
    CHECK(three_digits(9.996) == "10.0");
}

TEST_CASE("Calls are called accelerated only if they were compared with the MPI library's")
{
    CHECK(text_report(example()).find("1000 accelerated, 5 native") != std::string::npos);
    const std::string text = text_report(two_ranks({moore(1, 0)}, {moore(1, 0)}));
    CHECK(text.find("1000 carried by Hopscotch, 0 native") != std::string::npos);
    CHECK(text.find("accelerated") == std::string::npos);
}
