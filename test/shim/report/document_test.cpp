// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The JSON report of known numbers. A report stays the same if it is sent, or written and read.
#include "shim/report/report.hpp"
#include "shim/report/summary.hpp"

#include "test/catch.hpp"
#include "test/shim/report/sample_report.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace hopscotch::shim;
using nlohmann::json;

namespace
{

/// Something of everything a report has.
Report full_report()
{
    GraphRecord graph = moore(7, 0);
    graph.dims = {9, 3};
    graph.periodic = {true, false};
    graph.wraps = {true, true};
    graph.offsets = {0, 1, -1, 0};
    graph.stencil_radius = -2;
    graph.nonstandard_edge_order = true;
    graph.operations[combining].compared = 3;
    graph.operations[combining].differences = 2;
    graph.operations[combining].bytes_saved = std::numeric_limits<std::uint64_t>::max() / 4;
    graph.operations[combining].staged_calls = 7;
    graph.operations[combining].staged_bytes = 4096;
    graph.operations[combining].staged_ns = 3000;
    graph.operations[combining].sites[{"step (a.c:7)", "main (a.c:9)"}] = {600, 0.1};
    graph.operations[combining].sites[{}] = {400, 0.15};
    graph.operations[native] = {{5, 1, 80, 10, 10}, 0.0};
    graph.trials = {{"MPI_Neighbor_alltoall", 64, "native", 5e-5, false}};
    graph.alone = {{"MPI_Ineighbor_alltoall", "shared", 64, 500, 1e-5, 4e-5}};
    GraphRecord unknown;
    unknown.created_by = "unknown";
    unknown.operations[native] = {{3, 2, 0, 0, 0}, 0.1};
    Report report = two_ranks({graph, ring(30), unknown}, {moore(7, 1), ring(30)});
    report.job.settings = {{"HOPSCOTCH_YIELD", "always"}, {"HOPSCOTCH_DIMS", "9px3"}};
    report.job.partial = "one process only";
    report.job.launcher = "srun";
    report.job.launched = 4;
    report.job.enabled = false;
    report.earliest = {1, "node2", 0.5};
    report.slowest = {0, "node1", 0.25};
    report.job.copied_twice = "Yama";
    report.job.devices = "CUDA";
    report.job.one_copy = {16384, 2097152};
    report.job.network = {1e-6, 2e-7, 3e-7, 2e-10, 0.0, 0.0, 0.0};
    return report;
}

/// Adds the counters that are zero to the operations, totals and groups of a report.
json with_zeros(json report)
{
    const auto complete = [](json& counters) {
        for (const char* const name :
             {"failed", "compared", "differences", "bytes_saved", "staged_calls", "staged_bytes", "staged_ns"})
            counters.emplace(name, 0); // unless it is there
    };
    complete(report["totals"]);
    for (json& group : report["groups"])
        complete(group);
    for (json& graph : report["graphs"])
        for (json& operation : graph["operations"])
            complete(operation);
    return report;
}

} // namespace

TEST_CASE("The JSON report follows the schema")
{
    CHECK(json::parse(json_report(example())) == with_zeros(json::parse(R"json({
  "schema": 1,
  "version": "0.1.0",
  "mpi_library": "MPICH 4.0.2, ch4:ofi",
  "mpi_library_text": "MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\nMPICH Device:\tch4:ofi\n",
  "ranks": 27,
  "nodes": 1,
  "elapsed_s": 2,
  "date": null,
  "job_id": null,
  "step_id": null,
  "array_task": null,
  "launcher": null,
  "launched": null,
  "settings": {
    "HOPSCOTCH_YIELD": "always"
  },
  "graphs": [
    {
      "id": 1,
      "created_by": "MPI_Dist_graph_create_adjacent",
      "call_site": [
        "setup (halo.c:3)",
        "main (halo.c:9)"
      ],
      "ranks": 27,
      "neighbors": {"min": 26, "max": 26},
      "isomorphic": true,
      "declined": null,
      "grid": {"dims": [3, 3, 3], "periodic": [true, true, true], "wraps": [true, true, true], "found": "inferred"},
      "stencil": {"name": "moore", "radius": 1, "neighbors": 26, "offsets": null},
      "rounds": 6,
      "volume": 54,
      "phases": 3,
      "groups": "0/1/2",
      "partial": null,
      "edges_between_nodes": {"all": 702, "now": 486, "now_most": 162, "mapped": 486, "mapped_most": 162},
      "reorder": "ranks stay: no mapping was found that has fewer edges between nodes",
      "nonstandard_edge_order": false,
      "operations": [
        {
          "function": "MPI_Neighbor_alltoall",
          "algorithm": "combining",
          "groups": null,
          "calls": 1000,
          "bytes": 912000,
          "payload_bytes": 864000,
          "messages": 12000,
          "messages_trivial": 52000,
          "time_s": {"total": 0.75, "mean": 0.375, "max": 0.5, "min": 0.25, "variation": 0.3333333333333333, "text": "[750 ms] <375 ms> 250 ms 500 ms"},
          "reason": null,
          "ranks": 2,
          "process_calls": 2000,
          "block_sizes": [{"block_bytes_most": 64, "calls": 900}, {"block_bytes_most": 2047, "calls": 100}],
          "durations": [{"time_s_most": 0, "calls": 2, "time_s_most_text": "any time"},
                        {"time_s_most": 0.000196608, "calls": 1198, "time_s_most_text": "197 us"},
                        {"time_s_most": 0.000393216, "calls": 800, "time_s_most_text": "393 us"}],
          "per_call_text": "375 us",
          "bytes_text": "891 KiB",
          "payload_bytes_text": "844 KiB",
          "lines": [["blocks", "900 calls up to 64 B, 100 calls up to 2.00 KiB"]],
          "call_sites": []
        },
        {
          "function": "MPI_Neighbor_alltoallw",
          "algorithm": "native",
          "groups": null,
          "calls": 5,
          "bytes": 80,
          "payload_bytes": 80,
          "messages": 10,
          "messages_trivial": 10,
          "time_s": {"total": 1e-05, "mean": 1e-05, "max": 1e-05, "min": 1e-05, "variation": 0, "text": "[10.0 us] <10.0 us> 10.0 us 10.0 us"},
          "reason": "a datatype with overlapping blocks",
          "ranks": 1,
          "process_calls": 5,
          "block_sizes": [],
          "durations": [],
          "per_call_text": "2.00 us",
          "bytes_text": "80 B",
          "payload_bytes_text": "80 B",
          "lines": [],
          "call_sites": []
        }
      ],
      "graphs": 1,
      "setup_s": {"total": 0.002, "mean": 0.001, "max": 0.001, "min": 0.001, "variation": 0, "text": "[2.00 ms] <1.00 ms> 1.00 ms 1.00 ms"},
      "trials": [
        {"function": "MPI_Neighbor_alltoall", "block_bytes_most": 64, "algorithm": "native", "groups": null, "time_s": 5e-05, "chosen": false, "others_share": null,
         "block_bytes_most_text": "64 B", "time_s_text": "50.0 us"},
        {"function": "MPI_Neighbor_alltoall", "block_bytes_most": 64, "algorithm": "combining", "groups": null, "time_s": 1.25e-05, "chosen": true, "others_share": null,
         "block_bytes_most_text": "64 B", "time_s_text": "12.5 us"}
      ],
      "alone": []
    },
    {
      "id": 2,
      "created_by": "MPI_Graph_create",
      "call_site": [],
      "ranks": 27,
      "neighbors": {"min": 1, "max": 3},
      "isomorphic": false,
      "declined": "the neighbors fit no process grid",
      "grid": null,
      "stencil": null,
      "rounds": null,
      "volume": null,
      "phases": null,
      "groups": null,
      "partial": null,
      "edges_between_nodes": null,
      "reorder": null,
      "nonstandard_edge_order": false,
      "operations": [],
      "graphs": 1,
      "setup_s": {"total": 0, "mean": 0, "max": 0, "min": 0, "variation": 0, "text": "[0 s] <0 s> 0 s 0 s"},
      "trials": [],
      "alone": []
    }
  ],
  "totals": {
    "calls": 1005,
    "accelerated": 1000,
    "native": 5,
    "messages": 12010,
    "messages_trivial": 52010,
    "time_s": 0.7500100000000001,
    "setup_s": 0.002,
    "bytes": 912080,
    "payload_bytes": 864080,
    "process_calls": 2005,
    "bytes_text": "891 KiB",
    "payload_bytes_text": "844 KiB",
    "bytes_saved_text": "",
    "time_share_text": "18.8 %",
    "time_by_rank_s": {"total": 0.7500100000000001, "mean": 0.37500500000000003, "max": 0.5, "min": 0.25001, "variation": 0.33331555579258937, "text": "[750 ms] <375 ms> 250 ms 500 ms"},
    "setup_by_rank_s": {"total": 0.002, "mean": 0.001, "max": 0.001, "min": 0.001, "variation": 0, "text": "[2.00 ms] <1.00 ms> 1.00 ms 1.00 ms"}
  },
  "command": "./stencil -n 100",
  "enabled": true,
  "processes": 2,
  "hosts": [],
  "partial": null,
  "stood_down": null,
  "shares_cores": false,
  "copied_twice": null,
  "devices": null,
  "one_copy": null,
  "network": null,
  "earliest": null,
  "slowest": null,
  "efficiency": {"parallel": 0.8124975, "load_balance": 0.92857387756501468, "communication": 0.874995},
  "next_step": "nothing: the reasons why 5 calls ran natively are given above.",
  "bottom_line": "calls saved 37.6 ms; set-up cost 1.00 ms: in all about 34.1 ms to 39.0 ms saved in a run of 2.00 s; measured against native calls for 99.5 % of the calls.",
  "gain": {
    "verdict": "faster",
    "saved_s": 0.03655952380952381,
    "calls_s": 0.037559523809523813,
    "trials_s": 0.0,
    "setup_s": 0.001,
    "pays_from_calls": 32,
    "least_s": 0.03511904761904762,
    "most_s": 0.04,
    "compared_calls": 1000,
    "compared_share": 0.9950248756218906,
    "others_share": null,
    "doubt": null,
    "text": "in all about 34.1 ms to 39.0 ms saved"
  },
  "lines": [
    ["job", "27 ranks on 1 node, 2.00 s"],
    ["mpi", "MPICH 4.0.2, ch4:ofi"],
    ["settings", "HOPSCOTCH_YIELD=always"],
    ["calls", "1005: 1000 accelerated, 5 native"],
    ["messages", "12010 instead of 52010, one per neighbor (23.1 %)"],
    ["time", "[750 ms] <375 ms> 250 ms 500 ms, 18.8 % of the run ([total] <mean> min max over ranks)"],
    ["efficiency", "81.2 % parallel = 92.9 % load balance * 87.5 % communication; all time outside of these calls counts as useful"],
    ["set-up", "[2.00 ms] <1.00 ms> 1.00 ms 1.00 ms, 0.05 % of the run"],
    ["native", "5 calls: a datatype with overlapping blocks"]
  ],
  "groups": [
    {
      "ids": [1],
      "title": "graph 1: MPI_Dist_graph_create_adjacent, 27 ranks, 26 neighbors",
      "lines": [
        ["grid", "3px3px3p, inferred from the neighbors"],
        ["stencil", "moore, radius 1: 26 neighbors; combining sends 54 blocks in 6 rounds"],
        ["off node", "486 of 702 edges (69.2 %), at most 162 of one node; no fewer with ranks mapped to nodes"],
        ["ranks", "ranks stay: no mapping was found that has fewer edges between nodes"]
      ],
      "calls": 1005,
      "bytes": 912080,
      "payload_bytes": 864080,
      "messages": 12010,
      "messages_trivial": 52010,
      "process_calls": 2005,
      "time_s": 0.75001,
      "native_time_s": 1e-05,
      "bytes_text": "891 KiB",
      "payload_bytes_text": "844 KiB",
      "time_s_text": "750 ms",
      "native_time_s_text": "10.0 us",
      "sum": null
    },
    {
      "ids": [2],
      "title": "graph 2: MPI_Graph_create, 27 ranks, 1 to 3 neighbors",
      "lines": [["declined", "the neighbors fit no process grid"]],
      "calls": 0,
      "bytes": 0,
      "payload_bytes": 0,
      "messages": 0,
      "messages_trivial": 0,
      "process_calls": 0,
      "time_s": 0.0,
      "native_time_s": 0.0,
      "bytes_text": "0 B",
      "payload_bytes_text": "0 B",
      "time_s_text": "0 s",
      "native_time_s_text": "0 s",
      "sum": null
    }
  ]
}
)json")));
}

TEST_CASE("A JSON report is valid with any content, and no terminal obeys it")
{
    Report report = two_ranks({moore(1, 0)}, {moore(1, 1)});
    report.job.command =
        "quoted \"\\\n\x01 tab\tlatin \xe9 cut \xe2\x82 fine \xe2\x82\xac overlong \xc0\xaf csi \xc2\x9b";
    report.job.elapsed_seconds = std::numeric_limits<double>::infinity();
    report.graphs.at(1).operations.begin()->second.bytes = std::numeric_limits<std::uint64_t>::max();
    const std::string text = json_report(report);
    const json document = json::parse(text);
    CHECK(document["command"] == "quoted \"\\\n\x01 tab\tlatin \xef\xbf\xbd cut \xef\xbf\xbd fine "
                                 "\xe2\x82\xac overlong \xef\xbf\xbd\xef\xbf\xbd csi \xc2\x9b");
    CHECK(document["elapsed_s"].is_null());
    CHECK(document["totals"]["bytes"] == std::numeric_limits<std::uint64_t>::max());
    CHECK(text.find_first_not_of("\n !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`"
                                 "abcdefghijklmnopqrstuvwxyz{|}~") == std::string::npos);
    CHECK(text_report(read_report(text)).find("\nfailed") == std::string::npos);
}

TEST_CASE("Reports of versions with fewer members are read")
{
    json document = json::parse(json_report(example()));
    for (json& operation : document["graphs"][0]["operations"])
        operation.erase("payload_bytes");
    CHECK(totals(read_report(document.dump())).payload_bytes == totals(example()).bytes);
    document["graphs"][0]["grid"]["periodic"] = {true, false, true};
    document["graphs"][0]["grid"].erase("wraps");
    CHECK(read_report(document.dump()).graphs.at(1).wraps == std::vector<bool>{true, false, true});
    CHECK(read_report(R"({"schema": 1, "one_copy": {}})").job.one_copy->block_bytes == 0);
}

TEST_CASE("Groups hold the sum of graphs that are alike, and none for others")
{
    const json document =
        json::parse(json_report(two_ranks({moore(1, 0), ring(2), moore(3, 0)}, {moore(1, 1), ring(2), moore(3, 1)})));
    const json& groups = document["groups"];
    REQUIRE(groups.size() == 2);
    CHECK(groups[0]["ids"] == std::vector<int>{1, 3});
    CHECK(groups[0]["sum"]["id"] == 1);
    CHECK(groups[0]["sum"]["operations"][0]["calls"] == 2000);
    CHECK(groups[0]["calls"] == 2000);
    CHECK(groups[1]["ids"] == std::vector<int>{2});
    CHECK(groups[1]["sum"].is_null());
}

TEST_CASE("A JSON report that was read is the report")
{
    for (const Report& report : {example(), full_report(), two_ranks({}, {})}) {
        const Report back = read_report(json_report(report));
        CHECK(text_report(back) == text_report(report));
        CHECK(json_report(back) == json_report(report));
        CHECK(back.job.enabled == report.job.enabled);
    }
}

TEST_CASE("Only reports are read, with the members they have")
{
    CHECK(read_report(R"({"schema": 1, "graphs": [{"grid": {"dims": [-1, 4]}}, {"id": 4}]})").graphs.at(0).dims ==
          std::vector<int>{1, 4});
    for (const char* const text : {"", "{", "{}", "[]", "7", R"({"schema": 2})", R"({"schema": 1, "ranks": "x"})",
                                   R"({"schema": 1, "graphs": [7, {"operations": [{"calls": []}]}]})"})
        CHECK_THROWS_AS(read_report(text), std::invalid_argument);
}

TEST_CASE("A report survives being sent")
{
    for (const Report& report : {example(), full_report(), Report{}}) {
        Report back = parse_report(serialize(report));
        CHECK(serialize(back) == serialize(report));
        back.job = report.job;
        CHECK(json_report(back) == json_report(report)); // to the last bit
    }
}

TEST_CASE("Damaged bytes are refused", "[long]")
{
    const std::string bytes = serialize(full_report());
    for (std::size_t size = 0; size < bytes.size(); ++size)
        CHECK_THROWS_AS(parse_report(bytes.substr(0, size)), std::invalid_argument);
    CHECK_THROWS_AS(parse_report(bytes + "x"), std::invalid_argument);
    CHECK_THROWS_AS(parse_report(json_report(full_report())), std::invalid_argument);
    std::string newer = bytes;
    newer[6] = static_cast<char>(newer[6] + 1);
    CHECK_THROWS_AS(parse_report(newer), std::invalid_argument);
    std::string longer = bytes;
    longer[7] = static_cast<char>(longer[7] + 1); // members of the report
    CHECK_THROWS_AS(parse_report(longer + '\0'), std::invalid_argument);

    // Any byte may be wrong: the outcome is another report or an exception, never a crash.
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        for (const char value : {'\x00', '\x7f', '\x9f', '\xff'}) {
            std::string damaged = bytes;
            damaged[i] = value;
            try {
                parse_report(damaged);
            } catch (const std::invalid_argument&) {
            }
        }
    }
}

TEST_CASE("The load of others during trials comes with report and message")
{
    Report report = example();
    GraphSummary& graph = report.graphs.at(20);
    for (TrialRecord& trial : graph.trials)
        trial.others_share = 0.25;
    graph.alone = {{"MPI_Ineighbor_alltoall", "merged", 8, 50, 1e-6, 2e-6, 0.5}};
    const std::string document = json_report(report);
    CHECK(json_report(read_report(document)) == document);
    CHECK(serialize(parse_report(serialize(report))) == serialize(report));
    CHECK(read_report(document).graphs.at(1).trials.at(0).others_share == about(0.25));
    CHECK(parse_report(serialize(report)).graphs.at(20).alone.at(0).others_share == about(0.5));
    CHECK(document.find("\"others_share\": 0.25") != std::string::npos);
}
