// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory that stands in for other: near ranges keep their distances, far ones come together.
#include "schedules/message/stand_in.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("stand-in: near ranges keep their distances and overlaps, in any order of naming")
{
    const StandIn memory = stand_in({{10100, 10200}, {10007, 10040}, {10150, 10160}}, 512, 64);
    CHECK(memory.begins[0] - memory.begins[1] == 93);
    CHECK(memory.begins[2] - memory.begins[0] == 50);
    CHECK(memory.begins[1] >= 512);
    CHECK(memory.begins[1] % 64 == 10007 % 64);
    CHECK(memory.bytes == memory.begins[0] + 100 + 512);
}

TEST_CASE("stand-in: far ranges come nearer, with room between them")
{
    const StandIn memory = stand_in({{1000000, 1000010}, {0, 0}, {5000, 5057}}, 512, 64);
    CHECK(memory.begins == std::vector<std::size_t>{1664, 0, 520}); // 520 + 57 + 2 * 512 = 25 * 64 + 1
    CHECK(memory.bytes == 1664 + 10 + 512);
    CHECK(stand_in({{100, 110}}, 512, 64).begins[0] == 512 + 100 % 64);
    CHECK(stand_in({}, 512, 64).bytes == 512);
}
