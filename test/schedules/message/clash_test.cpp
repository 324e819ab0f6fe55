// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs of bytes that are sent and received: those in common are found, however they lie.
#include "schedules/message/stand_in.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("clash: runs that touch have nothing in common, one byte more has")
{
    CHECK_FALSE(find_clash({}).has_value());
    CHECK_FALSE(find_clash({{{10, 20}, 0, true}, {{20, 30}, 1, false}}).has_value());
    const auto found = find_clash({{{10, 21}, 4, true}, {{20, 30}, 7, false}});
    REQUIRE(found.has_value());
    CHECK(found->send == 4);
    CHECK(found->receive == 7);
}

TEST_CASE("clash: blocks that are sent may have bytes in common")
{
    CHECK_FALSE(find_clash({{{10, 20}, 0, true}, {{15, 25}, 1, true}, {{25, 30}, 0, false}}).has_value());
    CHECK_FALSE(find_clash({{{10, 20}, 0, false}, {{15, 25}, 1, false}}).has_value()); // MPI looks at those
}

TEST_CASE("clash: a long run before shorter ones is not forgotten")
{
    const auto found = find_clash({{{40, 50}, 2, false}, {{20, 30}, 1, true}, {{10, 45}, 0, true}});
    REQUIRE(found.has_value());
    CHECK(found->send == 0);
    CHECK(found->receive == 2);
}
