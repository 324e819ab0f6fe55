// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Later calls contradict some choices of trials.
#include "test/catch.hpp"

#include "shim/report/lines.hpp"
#include "shim/report/next_step.hpp"
#include "shim/report/trial_times.hpp"
#include "test/shim/report/sample_report.hpp"

using namespace hopscotch::shim;

namespace
{

/// A call takes 375 us over the run; native calls take 50 us in the trial.
Report one_size_class(double chosen_seconds)
{
    GraphRecord graph = moore(20, 0);
    graph.operations[combining].block_sizes = {{64, 1000}};
    graph.trials = {{"MPI_Neighbor_alltoall", 64, "native", 5e-5, false},
                    {"MPI_Neighbor_alltoall", 64, "combining", chosen_seconds, true}};
    GraphRecord other = moore(20, 1);
    other.operations[combining].block_sizes = {{64, 1000}};
    return two_ranks({graph}, {other});
}

} // namespace

TEST_CASE("Calls that take far longer than the trial that chose their algorithm contradict it")
{
    const Report report = one_size_class(1.25e-5);
    REQUIRE(contradictions(report).size() == 1);
    const std::string sentence = contradictions(report).front();
    CHECK(sentence.find("graph 1, MPI_Neighbor_alltoall: trials chose combining, with 12.5 us per call; over the run a "
                        "call took 375 us.") == 0);
    const Lines lines = lines_of(report);
    CHECK(std::count(lines.begin(), lines.end(), Lines::value_type("doubtful", sentence)) == 1);
    CHECK(next_step(report).find("`hopscotch compare`") == 0);
}

TEST_CASE("Calls that take about as long as in the trial, or as native ones, contradict nothing")
{
    CHECK(contradictions(one_size_class(2e-4)).empty());
    Report report = one_size_class(1.25e-5);
    auto& trials = report.graphs.begin()->second.trials;
    trials.at(0).seconds = 2e-4;
    CHECK(contradictions(report).empty());
    trials.push_back({"MPI_Neighbor_alltoallv", 64, "native", 1e-6, true}); // of other calls
    CHECK(contradictions(report).empty());
}

TEST_CASE("Nothing is contradicted if several size classes share a line, or nothing was tried")
{
    CHECK(contradictions(example()).empty());
    Report report = one_size_class(1.25e-5);
    auto& trials = report.graphs.begin()->second.trials;
    trials.push_back(trials.back());
    CHECK(contradictions(report).empty());
    trials.clear();
    CHECK(contradictions(report).empty());
}
