// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The bottom line of a report, for runs that gain, may gain, lose, or do not know.
#include "shim/report/summary.hpp"

#include "test/catch.hpp"
#include "test/shim/report/sample_report.hpp"

using namespace hopscotch::shim;

namespace
{

constexpr const char* function = "MPI_Neighbor_alltoall";

/// 1000 calls by combining, whose set-up took 1 ms, with trials of one size class for each of `native_seconds`.
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

TEST_CASE("The bottom line says what was saved")
{
    CHECK(bottom_line(tried({6e-5})) == "saved about 49.0 ms in a run of 2.00 s, set-up taken off; measured against "
                                        "native calls for 100 % of the calls.");
    CHECK(bottom_line(tried({2e-5, 6e-5})).find("saved about 9.00 ms to 49.0 ms in") == 0);
    CHECK(bottom_line(tried({5e-6, 6e-5})).find("saved up to 49.0 ms in") == 0);
    CHECK(gain(tried({2e-5, 6e-5})).compared_calls == 1000);
}

TEST_CASE("The bottom line says what was not saved")
{
    CHECK(bottom_line(tried({1.06e-5})) == "cost more than it saved: 1.00 ms of set-up for 600 us in 1000 calls; pays "
                                           "from about 1667 calls on.");
    CHECK(bottom_line(tried({5e-6})).find("nothing was saved: native calls were as fast") == 0);
    CHECK(bottom_line(tried({})) == "1000 of 1000 calls carried by Hopscotch, not compared with the MPI library; 1.00 "
                                    "ms of set-up.");
    GraphRecord natively = ring(1);
    natively.operations[native] = {{5, 0, 80, 10, 10}, 1e-5};
    CHECK(bottom_line(two_ranks({natively}, {natively})) ==
          "nothing was saved: the MPI library carried all calls; 0 s of set-up.");
    CHECK(bottom_line(two_ranks({}, {})) == "nothing to save: no neighborhood collective was called.");
}

TEST_CASE("The verdict agrees with the bottom line")
{
    const auto verdict = [](const std::vector<double>& native_seconds) {
        return std::string(name(gain(tried(native_seconds)).verdict));
    };
    CHECK(verdict({6e-5}) == "faster");
    CHECK(verdict({5e-6, 6e-5}) == "no difference"); // which of the sizes took how many calls is not known
    CHECK(verdict({1.06e-5}) == "slower");
    CHECK(verdict({}) == "not compared");
    const Gain won = gain(tried({2e-5, 6e-5}));
    CHECK(won.saved_seconds == Approx(29e-3));
    CHECK(won.compared_share == Approx(1.0));
}
