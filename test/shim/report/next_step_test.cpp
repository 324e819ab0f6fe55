// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Each suggestion is made after the run that calls for it, and not after the same run without that.
#include "shim/report/next_step.hpp"

#include "test/catch.hpp"
#include "test/shim/report/sample_report.hpp"

using namespace hopscotch::shim;

namespace
{

constexpr const char* function = "MPI_Neighbor_alltoall";

/// 1000 calls by combining, which a trial found to be faster than native ones.
Report good_run()
{
    GraphRecord graph = moore(1, 0);
    graph.edges = {};
    graph.trials = {{function, 1, "combining", 1e-5, true, 0.0}, {function, 1, "native", 6e-5, false, 0.0}};
    return two_ranks({graph}, {graph});
}

GraphSummary& graph_of(Report& report)
{
    return report.graphs.begin()->second;
}

void add_native(Report& report, const char* reason)
{
    graph_of(report).operations[{"MPI_Neighbor_alltoallv", "native", reason}] = {{5, 0, 80, 10, 10, 0, 0, 5, 80}, {}};
}

} // namespace

TEST_CASE("A suggestion is made only after the run that calls for it")
{
    struct Row {
        const char* step;
        std::function<void(Report&)> change; // of a good run
    };
    const Row rows[] = {
        {"HOPSCOTCH=on: with off every call passed", [](Report& report) { report.job.enabled = false; }},
        {"`hopscotch doctor`: it says what is missing", [](Report& report) { report.job.stood_down = "why"; }},
        {"but each is alone.",
         [](Report& report) {
             report.job.ranks = 1;
             report.job.launched = 4;
         }},
        {"it created no Cartesian or graph communicator", [](Report& report) { report.graphs.clear(); }},
        {"no neighborhood collective (MPI_Neighbor_*", [](Report& report) { graph_of(report).operations.clear(); }},
        {"3 calls returned an error", [](Report& report) { graph_of(report).operations.begin()->second.failed = 3; }},
        {"so the times are no measurement",
         [](Report& report) {
             report.job.settings = {{"HOPSCOTCH_VERIFY", "on"}};
         }},
        {"5 calls ran natively under HOPSCOTCH_ALGORITHM=native",
         [](Report& report) {
             add_native(report, "why");
             report.job.settings = {{"HOPSCOTCH_ALGORITHM", "native"}};
         }},
        {"trivial is the yardstick",
         [](Report& report) {
             report.job.settings = {{"HOPSCOTCH_ALGORITHM", "trivial"}};
         }},
        {"no process grid was looked for",
         [](Report& report) {
             graph_of(report).isomorphic = false;
             graph_of(report).dims.clear();
             report.job.settings = {{"HOPSCOTCH_INFER", "off"}};
         }},
        {"edges between nodes instead of 10",
         [](Report& report) {
             graph_of(report).edges = {20, 10, 5, 2, 1};
             graph_of(report).reorder.clear();
         }},
        {"here ranks wait for a core", [](Report& report) { report.job.shares_cores = true; }},
        {"a longer run, which saves time from about", [](Report& report) { report.setup_seconds.max = 1.0; }},
        {"if none is, HOPSCOTCH=off: this run lost time",
         [](Report& report) { graph_of(report).trials.at(1).seconds = 1e-6; }},
        {"calls took far longer than the trials",
         [](Report& report) {
             graph_of(report).operations.begin()->second.block_sizes = {{64, 1000}};
         }},
        {"cores that nobody else uses, or `hopscotch compare`, which repeats runs: others took 20.0 %",
         [](Report& report) {
             for (TrialRecord& trial : graph_of(report).trials)
                 trial.others_share = 0.2;
         }},
        {"this run did not measure what its calls gained", [](Report& report) { graph_of(report).trials.clear(); }},
        {"HOPSCOTCH_PARALLEL_EDGES=standard", [](Report& report) { graph_of(report).nonstandard_edge_order = true; }},
        {"the reasons why 5 calls ran natively", [](Report& report) { add_native(report, "why"); }},
        {"nothing: Hopscotch carried all calls", [](Report&) {}}};
    for (const Row& row : rows) {
        Report report = good_run();
        row.change(report);
        INFO(row.step);
        INFO(next_step(report));
        CHECK(next_step(report).find(row.step) != std::string::npos);
        const bool is_last = &row + 1 == std::end(rows);
        CHECK((next_step(good_run()).find(row.step) == std::string::npos) != is_last);
    }
}
