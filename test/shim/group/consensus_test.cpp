// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The questions that any consensus answers, for any values of the other processes.
#include "test/catch.hpp"

#include "test/shim/group/fake_consensus.hpp"

#include <cstdint>
#include <stdexcept>

TEST_CASE("The largest and the smallest value come from any process")
{
    FakeConsensus consensus;
    consensus.others_say({7});
    CHECK(consensus.maximum(3) == 7);
    consensus.others_say({2});
    CHECK(consensus.maximum(3) == 3);
    consensus.others_say_smallest(-4);
    CHECK(consensus.minimum(3) == -4);
    consensus.others_say_smallest(INT64_MIN);
    CHECK(consensus.minimum(INT64_MAX) == INT64_MIN);
    CHECK(consensus.minimum(INT64_MIN) == INT64_MIN); // alone
}

TEST_CASE("It is so on all processes unless it is not so on one")
{
    FakeConsensus consensus;
    CHECK(consensus.all(true));
    CHECK_FALSE(consensus.all(false));
    consensus.others_say_smallest(0);
    CHECK_FALSE(consensus.all(true));
}

TEST_CASE("Values are equal if the largest is the smallest")
{
    FakeConsensus consensus;
    for (const std::int64_t value : {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, std::int64_t{5}, INT64_MAX})
        CHECK(consensus.all_equal(value));
    consensus.disagree();
    CHECK_FALSE(consensus.all_equal(5));
    CHECK(consensus.all_equal(5)); // once
}

TEST_CASE("An agreement that fails returns the error to every caller")
{
    FakeConsensus consensus;
    consensus.fail();
    CHECK_THROWS_AS(consensus.all(true), std::runtime_error);
    CHECK(consensus.all(true));
}

TEST_CASE("Nobody knows the answer before the others have come")
{
    FakeConsensus consensus;
    int looks = 0;
    consensus.be_late(3, [&looks] { ++looks; });
    CHECK(consensus.all(true));
    CHECK(looks == 3);
}
