// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/memory/copy_trials.hpp"

#include "test/catch.hpp"

using hopscotch::schedules::CopyTrials;

namespace
{

constexpr std::size_t megabyte = std::size_t{1} << 20;

CopyTrials fresh()
{
    return CopyTrials(std::make_shared<CopyTrials::Results>());
}

/// Calls of that many bytes until their class is decided; the number of those that copied once.
int try_class(CopyTrials& trials, std::size_t bytes, std::uint64_t once, std::uint64_t twice)
{
    int copied_once = 0;
    for (unsigned call = 1; call <= CopyTrials::calls_of_trial; ++call) {
        const bool is_once = trials.once(bytes, true);
        copied_once += is_once ? 1 : 0;
        REQUIRE(trials.measures());
        const std::uint64_t time = is_once ? once : twice;
        const std::optional<CopyTrials::Times> found = trials.note(call % 2 == 1 ? time / 2 : time);
        REQUIRE(found.has_value() == (call == CopyTrials::calls_of_trial));
        if (found)
            CHECK((found->once == once && found->twice == twice));
    }
    return copied_once;
}

} // namespace

TEST_CASE("Both ways take turns, then the faster one stays")
{
    CopyTrials trials = fresh();
    CHECK(try_class(trials, megabyte, 57, 111) == CopyTrials::calls_of_trial / 2);
    CHECK(trials.once(megabyte, false));
    CHECK_FALSE(trials.measures());
    CHECK(try_class(trials, megabyte / 4, 40, 30) == CopyTrials::calls_of_trial / 2);
    CHECK_FALSE(trials.once(megabyte / 4, true));
    CHECK(trials.once(megabyte, false));
    try_class(trials, megabyte / 2, 30, 30);
    CHECK_FALSE(trials.once(megabyte / 2, true));
}

TEST_CASE("The usual way comes first")
{
    for (const bool usual : {false, true}) {
        CopyTrials trials = fresh();
        for (const bool same : {true, true, false, false, true}) {
            CHECK((trials.once(megabyte, usual) == usual) == same);
            trials.note(1);
        }
    }
}

TEST_CASE("Exchanges with common results learn together")
{
    const auto results = std::make_shared<CopyTrials::Results>();
    std::vector<CopyTrials> exchanges(8, CopyTrials(results));
    for (unsigned call = 0; call < CopyTrials::calls_of_trial; ++call) {
        CopyTrials& trials = exchanges[call % exchanges.size()];
        CHECK(trials.once(megabyte, true) == (call / 2 % 2 == 0));
        REQUIRE(trials.measures());
        trials.note(trials.once(megabyte, true) ? 2 : 1);
    }
    for (CopyTrials& trials : exchanges) {
        CHECK_FALSE(trials.once(megabyte, true));
        CHECK_FALSE(trials.measures());
    }
}

TEST_CASE("A call that ends after the decision changes nothing")
{
    const auto results = std::make_shared<CopyTrials::Results>();
    CopyTrials late(results);
    CHECK(late.once(megabyte, true));
    CopyTrials others(results);
    try_class(others, megabyte, 57, 111);
    CHECK_FALSE(late.note(1));
    CHECK(others.once(megabyte, false));
}

TEST_CASE("Half an octave is a class of its own")
{
    CopyTrials trials = fresh();
    try_class(trials, megabyte, 1, 2);
    CHECK(trials.once(megabyte * 3 / 2 - 1, false));
    CHECK_FALSE(trials.measures());
    trials.once(megabyte * 3 / 2, false);
    CHECK(trials.measures());
    trials.once(megabyte - 1, false);
    CHECK(trials.measures());
}

TEST_CASE("A call without a noted time counts for nothing")
{
    CopyTrials trials = fresh();
    for (int i = 0; i < 100; ++i)
        CHECK(trials.once(megabyte, true));
    CHECK(trials.measures());
}

TEST_CASE("Trials begin again if the way that was chosen takes much longer")
{
    CopyTrials trials = fresh();
    try_class(trials, megabyte, 40, 30);
    // Calls of a period, the chosen way taking so long; the number whose time was wanted.
    const auto period = [&](unsigned calls, std::uint64_t time) {
        unsigned looked_at = 0;
        for (unsigned call = 0; call < calls; ++call) {
            CHECK_FALSE(trials.once(megabyte, true));
            if (!trials.measures())
                continue;
            ++looked_at;
            CHECK_FALSE(trials.note(looked_at == 1 ? time : 10 * time)); // one short call is enough to stay
        }
        return looked_at;
    };
    CHECK(period(CopyTrials::first_period, 30) == CopyTrials::calls_looked_at);
    CHECK(period(CopyTrials::first_period, 47) == CopyTrials::calls_looked_at);
    CHECK(period(CopyTrials::first_period, 48) == CopyTrials::calls_looked_at);
    CHECK(try_class(trials, megabyte, 50, 90) == CopyTrials::calls_of_trial / 2);
    for (unsigned call = 0; call < 2 * CopyTrials::first_period; ++call) { // the next period is twice as long
        CHECK(trials.once(megabyte, false));
        if (trials.measures())
            trials.note(1000);
        CHECK(trials.once(megabyte - 1, true)); // another class has trials of its own
    }
    try_class(trials, megabyte, 1, 2);
}

TEST_CASE("Sizes beyond all classes are carried as usual")
{
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{4095}, std::size_t{1} << 32, ~std::size_t{0}})
        for (const bool usual : {false, true}) {
            CopyTrials trials = fresh();
            CHECK(trials.once(bytes, usual) == usual);
            CHECK_FALSE(trials.measures());
        }
    CopyTrials trials = fresh();
    for (const std::size_t bytes : {std::size_t{4096}, std::size_t{6144}, (std::size_t{1} << 32) - 1})
        try_class(trials, bytes, 1, 2);
}
