// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Results of trials survive in a file, for the library and the machine of the trials.
#include "test/catch.hpp"

#include "shim/selection/tuning.hpp"

#include <ctime>
#include <stdexcept>

using namespace hopscotch::schedules;
using namespace hopscotch::shim;

namespace
{

constexpr std::uint64_t shape = 0xfedcba9876543210;
const TuningGround here{"0.1, some library", "a machine"};
const TuningGround elsewhere{"0.1, some library", "another machine"};
const TuningGround other_library{"0.1, another library", "a machine"};

/// A trial of alltoall up to so many bytes; the second of two candidates wins.
TrialKey learn(LearnedTrials& learned, std::size_t high, std::int64_t second_nanoseconds)
{
    const TrialKey key{Collective::alltoall, Completion::blocking, high};
    TrialOfCall made{"MPI_Neighbor_alltoall", Trial({{Algorithm::merged, {}}, {Algorithm::native, {}}})};
    made.trial.conclude({100000, second_nanoseconds}, {});
    made.others_share = 0.25;
    learned.learn(shape, key, made);
    return key;
}

double seconds_of_second(const LearnedTrials& learned, const TrialKey& key)
{
    return learned.all().at({shape, key}).trial.candidates()[1].seconds;
}

} // namespace

TEST_CASE("Trials are recalled from a file, with their times and the chosen algorithm")
{
    LearnedTrials learned;
    const TrialKey key = learn(learned, 63, 5000);
    const TrialKey unlimited = learn(learned, SIZE_MAX, 6000);
    const std::string file = with_trials("", learned, here);
    learn(learned, 63, 200000); // another run chooses the first
    learn(learned, SIZE_MAX, 200000);
    recall_trials(fitting_trials(file, here), learned);
    CHECK(learned.all().at({shape, key}).trial.best().algorithm == Algorithm::native);
    CHECK(learned.all().at({shape, key}).trial.best().reason == reason::native_was_fastest);
    CHECK(learned.all().at({shape, key}).function == "MPI_Neighbor_alltoall");
    CHECK(learned.all().at({shape, key}).trial.decided());
    CHECK(learned.all().at({shape, key}).others_share == about(0.25));
    CHECK(seconds_of_second(learned, key) == about(5e-6));
    CHECK(seconds_of_second(learned, unlimited) == about(6e-6));
    CHECK(with_trials(file, learned, here) == file);
}

TEST_CASE("Ways to combine are recalled with their groups")
{
    LearnedTrials learned;
    const TrialKey key{Collective::alltoall, Completion::blocking, 63};
    Choice split{Algorithm::combining, {}};
    split.groups = parse_groups("0:2/1");
    const auto tried = [&](const Choice& first) {
        return TrialOfCall{"MPI_Neighbor_alltoall", Trial({first, {Algorithm::combining, {}}})};
    };
    TrialOfCall made = tried(split);
    made.trial.conclude({5000, 100000}, {});
    learned.learn(shape, key, made);
    LearnedTrials recalled;
    recall_trials(fitting_trials(with_trials("", learned, here), here), recalled);
    REQUIRE(recalled.find(shape, key, tried(split).trial));
    CHECK(recalled.find(shape, key, tried(split).trial)->trial.best().groups == split.groups);
    split.groups = parse_groups("0/1:2");
    CHECK_FALSE(recalled.find(shape, key, tried(split).trial));
}

TEST_CASE("A file keeps the results of other machines and MPI libraries, and this one does not use them")
{
    for (const TuningGround& other : {elsewhere, other_library}) {
        LearnedTrials learned;
        learn(learned, 127, 5000);
        const std::string theirs = with_trials("", learned, other);
        CHECK(fitting_trials(theirs, here).empty());
        learn(learned, 127, 7000);
        const std::string both = with_trials(theirs, learned, here);
        CHECK(fitting_trials(both, other) == fitting_trials(theirs, other));
        CHECK_FALSE(fitting_trials(both, here).empty());
    }
}

TEST_CASE("Only tuning files are accepted")
{
    LearnedTrials learned;
    for (const char* const text : {"no JSON", "[]", "{}", R"({"hopscotch_tuning": 2, "trials": []})",
                                   R"({"hopscotch_tuning": 1, "trials": 3})"}) {
        CHECK_THROWS_AS(fitting_trials(text, here), std::invalid_argument);
        CHECK_THROWS_AS(with_trials(text, learned, here), std::invalid_argument);
    }
    CHECK(fitting_trials("", here).empty());
    for (const char* const list :
         {"[3]", "[{}]",
          R"([{"shape": 1, "collective": "alltoall", "function": "MPI_Neighbor_alltoall", "block_bytes_most": 3,
               "candidates": [], "chosen": 0}])",
          R"([{"shape": 1, "collective": "alltoall", "function": 3, "block_bytes_most": 3,
               "candidates": [{"algorithm": "merged", "cutoff_bytes": null, "time_s": 1}], "chosen": 0}])"})
        CHECK_THROWS_AS(recall_trials(list, learned), std::invalid_argument);
}

TEST_CASE("Thousands of trials are kept in less than a moment")
{
    LearnedTrials learned;
    for (std::size_t high = 1; high <= 4000; ++high)
        learn(learned, high, 5000);
    const std::clock_t begin = std::clock(); // time on a processor: others may use the machine, too
    const std::string file = with_trials("", learned, here);
    CHECK(with_trials(file, learned, here) == file);
    CHECK(std::clock() - begin < 5 * CLOCKS_PER_SEC); // comparing all with all took 24 s
}

TEST_CASE("Deep nesting is refused before anything follows it")
{
    const std::string deep(1'000'000, '[');
    const std::string closed = R"({"hopscotch_tuning": 1, "trials": [)" + deep + std::string(deep.size(), ']') + "]}";
    for (const std::string& text : {deep, closed}) {
        CHECK_THROWS_AS(fitting_trials(text, here), std::invalid_argument);
        CHECK_THROWS_AS(with_trials(text, {}, here), std::invalid_argument);
    }
}
