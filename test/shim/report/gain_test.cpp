// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The bottom line of a report, for runs that gain, may gain, lose, or do not know.
#include "shim/report/gain.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/report/report.hpp"
#include "test/catch.hpp"
#include "test/shim/report/sample_report.hpp"

using namespace hopscotch::shim;

namespace
{

constexpr const char* function = "MPI_Neighbor_alltoall";

/// 1000 calls by combining with a set-up of 1 ms, and trials of one size class for each of `native_seconds`.
Report tried(const std::vector<double>& native_seconds)
{
    GraphRecord graph = moore(1, 0);
    std::uint64_t bytes = 1;
    for (const double seconds : native_seconds) {
        graph.trials.push_back({function, bytes, "combining", 1e-5, true});
        graph.trials.push_back({function, bytes, "native", seconds, false});
        bytes *= 2;
    }
    return two_ranks({graph}, {graph});
}

} // namespace

TEST_CASE("The bottom line gives the saved time")
{
    CHECK(
        bottom_line(tried({6e-5})) ==
        "calls saved 50.1 ms; set-up cost 1.00 ms: in all about 46.1 ms to 52.0 ms saved in a run of 2.00 s; measured "
        "against native calls for 100 % of the calls.");
    CHECK(bottom_line(tried({2e-5, 6e-5})).find("in all about 8.05 ms to 52.0 ms saved in") != std::string::npos);
    CHECK(gain(tried({2e-5, 6e-5})).compared_calls == 1000);
}

TEST_CASE("Calls that were shorter than in the trial saved less")
{
    Report report = tried({6e-5});
    OperationSummary& operation = report.graphs.begin()->second.operations.at(combining);
    operation.seconds = {};
    operation.seconds += 1000 * 5e-6; // half the time
    operation.seconds += 1000 * 5e-6;
    CHECK(gain(report).most_seconds == about(26.5e-3));
    CHECK(gain(report).least_seconds == about(1000 * (6e-5 / 1.05 - 1e-5) / 2));
}

TEST_CASE("The bottom line gives the lost time")
{
    Report early = tried({1.2e-5});
    early.setup_seconds.max = 4e-3;
    CHECK(bottom_line(early) == "calls saved 2.01 ms; set-up cost 4.00 ms: in all about 1.40 ms to 2.57 ms lost in a "
                                "run of 2.00 s; measured against native calls for 100 % of the calls; it would save "
                                "time from about 1986 calls on.");
    CHECK(bottom_line(tried({1.04e-5})).find("in all about 80.0 us to 1.10 ms lost") != std::string::npos);
    CHECK(bottom_line(tried({5e-6})).find("calls lost 4.99 ms; set-up cost 1.00 ms: in all about 5.99 ms lost in") ==
          0);
    CHECK(bottom_line(tried({5e-6})).find("would save") == std::string::npos);
    CHECK(bottom_line(tried({})) == "1000 of 1000 calls carried by Hopscotch, time not measured against native calls; "
                                    "1.00 ms of set-up.");
    GraphRecord natively = ring(1);
    natively.operations[native] = {{5, 0, 80, 10, 10}, 1e-5};
    CHECK(bottom_line(two_ranks({natively}, {natively})) ==
          "nothing was saved: the MPI library carried all calls; 0 s of set-up.");
    CHECK(bottom_line(two_ranks({}, {})) == "nothing to save: no neighborhood collective was called.");
}

TEST_CASE("The bottom line gives the time of an exchange by itself")
{
    const OperationKey light{"MPI_Ineighbor_alltoall", "merged", ""};
    const OperationKey heavy{"MPI_Neighbor_alltoallv_init", "shared", ""};
    GraphRecord graph = moore(1, 0);
    graph.operations = {{light, {{9, 0, 0, 0, 0, 0, 0, 9, 80}, 1e-3}}, {heavy, {{1, 0, 0, 0, 0, 0, 0, 1, 9000}, 1e-3}}};
    graph.alone = {{light.function, "merged", 8, 50, 1e-6, 2e-6}, {heavy.function, "shared", 8, 50, 1.21e-5, 4.1e-5}};
    const std::string alone = "an exchange by itself: 12.1 us against 41.0 us by the MPI library, overlap with "
                              "computation is not in it";
    CHECK(bottom_line(two_ranks({graph}, {})) ==
          "10 of 10 calls carried by Hopscotch; " + alone + "; 1.00 ms of set-up.");
    graph.trials = {{light.function, 8, "merged", 1e-6, true}, {light.function, 8, "native", 1e-5, false}};
    const std::string both = bottom_line(two_ranks({graph}, {}));
    CHECK(both.find("measured against native calls for 90") != std::string::npos);
    CHECK(both.find(alone + ".") != std::string::npos);
}

TEST_CASE("The bottom line says that trials do not decide it")
{
    CHECK(bottom_line(tried({5e-6, 6e-5})) ==
          "calls saved 23.9 ms; set-up cost 1.00 ms: no difference that trials could tell, up to 6.24 ms lost or up to "
          "52.0 ms saved in a run of 2.00 s; measured against native calls for 100 % of the calls.");
}

TEST_CASE("Calls that a trial left to the MPI library were compared, and those that it tried in vain cost time")
{
    GraphRecord graph = moore(1, 0);
    graph.setup_seconds = 0.0;
    graph.trials = {{function, 1, "combining", 3e-5, false}, {function, 1, "native", 1e-5, true}};
    graph.operations[{function, "native", std::string(text_of(hopscotch::schedules::reason::native_was_fastest))}] = {
        {500, 0, 0, 0, 0}, 5e-3};
    const Gain lost = gain(two_ranks({graph}, {graph}));
    CHECK(lost.compared_calls == 1500);
    CHECK(lost.most_seconds == about(1000 * (1.05e-5 - 3e-5)));
    CHECK(lost.verdict == Verdict::slower);
    CHECK(lost.calls_seconds == about(0.0));
    CHECK(lost.trials_seconds == about(-lost.saved_seconds));
    CHECK(bottom_line(two_ranks({graph}, {graph}))
              .find("calls saved nothing; set-up cost 0 s, trials 20.0 ms: in all "
                    "about 20.0 ms lost in a run of 2.00 s;") == 0);
}

TEST_CASE("The time saved by calls and the cost of trials are separate")
{
    const OperationKey merged{function, "merged", ""};
    GraphRecord graph = moore(1, 0);
    graph.trials = {{function, 64, "native", 3e-5, false},
                    {function, 64, "combining", 1e-5, true},
                    {function, 64, "merged", 2e-3, false}};
    graph.operations[merged] = {{10, 0, 0, 0, 0, 0, 0, 10}, 2e-2};
    const Report report = two_ranks({graph}, {graph});
    const Gain won = gain(report);
    CHECK(won.calls_seconds == about(1000 * ((3e-5 / 1.05 + 3e-5 * 1.05) / 2 - 1e-5)));
    CHECK(won.trials_seconds == about(10 * (2e-3 - (3e-5 / 1.05 + 3e-5 * 1.05) / 2)));
    CHECK(won.saved_seconds == about(won.calls_seconds - won.trials_seconds - 1e-3));
    CHECK(won.pays_from_calls == about(1034 + 10));
    CHECK(bottom_line(report).find("calls saved 20.0 ms; set-up cost 1.00 ms, trials 19.7 ms: ") == 0);
}

TEST_CASE("Calls by an algorithm that was only tried saved time if it was faster than the MPI library")
{
    GraphRecord graph = moore(1, 0);
    graph.trials = {{function, 64, "native", 3e-5, false},
                    {function, 64, "combining", 1e-5, true},
                    {function, 64, "merged", 1.5e-5, false}};
    const double chosen = gain(two_ranks({graph}, {graph})).calls_seconds;
    graph.operations[{function, "merged", ""}] = {{100, 0, 0, 0, 0, 0, 0, 100}, 2e-3};
    const Gain won = gain(two_ranks({graph}, {graph}));
    CHECK(won.calls_seconds == about(chosen + 100 * ((3e-5 / 1.05 + 3e-5 * 1.05) / 2 - 1.5e-5)));
    CHECK(won.trials_seconds == 0.0);
}

TEST_CASE("A run that lost time would have needed more calls than it made, those of trials among them")
{
    const OperationKey merged{function, "merged", ""};
    GraphRecord graph = moore(1, 0);
    graph.trials = {{function, 64, "native", 3e-5, false}, {function, 64, "combining", 1e-5, true}};
    graph.operations[merged] = {{500, 0, 0, 0, 0, 0, 0, 500}, 1e-2};
    Report report = two_ranks({graph}, {graph});
    report.setup_seconds.max = 0.03;
    const Gain lost = gain(report);
    CHECK(lost.verdict == Verdict::slower);
    CHECK(lost.pays_from_calls > 1500.0);
}

TEST_CASE("A number of calls pays only if trials tell that calls save time")
{
    CHECK(gain(tried({6e-5})).pays_from_calls > 0.0);
    CHECK(gain(tried({5e-6, 6e-5})).calls_seconds > 0.0);
    CHECK(gain(tried({5e-6, 6e-5})).pays_from_calls == 0.0); // the number of calls per size is unknown
    CHECK(gain(tried({})).pays_from_calls == 0.0);
    Report crowded = tried({6e-5});
    crowded.job.shares_cores = true;
    CHECK(gain(crowded).pays_from_calls == 0.0);
}

TEST_CASE("The verdict agrees with the bottom line")
{
    const auto verdict = [](const std::vector<double>& native_seconds) {
        return std::string(name(gain(tried(native_seconds)).verdict));
    };
    CHECK(verdict({6e-5}) == "faster");
    CHECK(verdict({1.1e-5}) == "no difference");     // a few calls do not tell a tenth from the set-up
    CHECK(verdict({5e-6, 6e-5}) == "no difference"); // the number of calls per size is unknown
    CHECK(verdict({5e-6}) == "slower");
    CHECK(verdict({}) == "not compared");
    const Gain won = gain(tried({2e-5, 6e-5}));
    CHECK(won.saved_seconds == about(30.0238e-3));
    CHECK(won.compared_share == about(1.0));
}

TEST_CASE("Times of trials that others disturbed are not compared with native calls")
{
    const std::string others = "not compared: others took 45.0 % of the time of a process's core during the trials";
    for (const double share : {-1.0, 0.0, 0.1, 0.45}) {
        Report report = tried({6e-5});
        for (TrialRecord& trial : report.graphs.begin()->second.trials)
            trial.others_share = share;
        const bool disturbed = share > 0.1;
        const Gain won = gain(report);
        INFO(share);
        CHECK(won.verdict == (disturbed ? Verdict::not_compared : Verdict::faster));
        CHECK(won.compared_calls == (disturbed ? 0U : 1000U));
        CHECK((won.most_seconds > 0.0) != disturbed);
        CHECK((gain_text(report) == others) == disturbed);
        CHECK((bottom_line(report).find("saved") == std::string::npos) == disturbed);
        CHECK((bottom_line(report) == "1000 of 1000 calls carried by Hopscotch; " + others + "; 1.00 ms of set-up.") ==
              disturbed);
        CHECK((text_report(report).find("times as fast as native") == std::string::npos) == disturbed);
        CHECK((carried_text(report) == "accelerated") != disturbed);
    }
}

TEST_CASE("Trials that nobody disturbed count beside those that were disturbed")
{
    Report report = tried({6e-5, 9.0});
    for (TrialRecord& trial : report.graphs.begin()->second.trials)
        trial.others_share = trial.block_bytes_most == 2 ? 0.5 : 0.01;
    CHECK(gain(report).most_seconds == about(gain(tried({6e-5})).most_seconds));
    CHECK(gain(report).verdict == Verdict::faster);

    GraphRecord graph = moore(1, 0); // a function whose calls the disturbed trial left to the MPI library
    const OperationKey left{"MPI_Neighbor_alltoallv", "native",
                            std::string(text_of(hopscotch::schedules::reason::native_was_fastest))};
    graph.trials = {{function, 1, "combining", 1e-5, true, 0.0},
                    {function, 1, "native", 6e-5, false, 0.0},
                    {left.function, 1, "combining", 3e-5, false, 0.3},
                    {left.function, 1, "native", 1e-5, true, 0.3}};
    graph.operations[left] = {{500, 0, 0, 0, 0}, 5e-3};
    report = two_ranks({graph}, {graph});
    CHECK(gain(report).compared_calls == 1000);
    CHECK(gain(report).others_share == about(0.3));
    CHECK(bottom_line(report).find("66.7 % of the calls, other calls not compared: others took 30.0 %") !=
          std::string::npos);
    for (TrialRecord& trial : report.graphs.begin()->second.trials) // it was tried again later, with another result
        trial.chosen = trial.algorithm == "combining";
    CHECK(gain(report).compared_calls == 1000);
    for (TrialRecord& trial : report.graphs.begin()->second.trials)
        trial.others_share = 0.0;
    CHECK(gain(report).compared_calls == 1500);
    CHECK(bottom_line(report).find("others") == std::string::npos);
}

TEST_CASE("A doubtful run gains nothing for certain")
{
    for (const bool shares_cores : {false, true})
        for (const double native_seconds : {6e-5, 1e-6}) {
            Report report = tried({native_seconds});
            report.job.shares_cores = shares_cores;
            CHECK((gain(report).verdict == Verdict::no_difference) == shares_cores);
            for (const std::string& text : {bottom_line(report), gain_text(report)}) {
                CHECK((text.find("; doubtful: ranks share cores") != std::string::npos) == shares_cores);
                CHECK((text.find("no difference that trials could tell") != std::string::npos) == shares_cores);
            }
        }
    Report report = tried({6e-5});
    report.graphs.begin()->second.operations.at(combining).block_sizes = {{64, 1000}};
    CHECK(gain(report).doubt == "calls took far longer than in the trials"); // 375 us
    CHECK(gain(report).verdict == Verdict::no_difference);
    report.graphs.begin()->second.trials.at(1).seconds = 2e-4;
    CHECK(gain(report).doubt.empty());
    CHECK(gain(report).verdict == Verdict::faster);
}

TEST_CASE("No call saves more than the shortest time that a native one may take")
{
    Report report = tried({1.0});
    for (TrialRecord& trial : report.graphs.begin()->second.trials)
        if (trial.algorithm == "combining")
            trial.seconds = 1e-9;
    CHECK(gain(report).most_seconds <= 1000 / 1.05);
    CHECK(gain(report).saved_seconds < 1000 / 1.05);
}

TEST_CASE("An exchange by itself is not shown if others disturbed it")
{
    const OperationKey started{"MPI_Ineighbor_alltoall", "merged", ""};
    for (const double share : {-1.0, 0.1, 0.2}) {
        GraphRecord graph = moore(1, 0);
        graph.operations = {{started, {{9, 0, 0, 0, 0, 0, 0, 9, 80}, 1e-3}}};
        graph.alone = {{started.function, "merged", 8, 50, 1e-6, 2e-6, share}};
        CHECK(gain_text(two_ranks({graph}, {})).empty() == (share > 0.1));
    }
}
