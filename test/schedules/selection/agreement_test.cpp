// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Equality of the values of all processes, the choice of the root, and graphs without messages.
#include "test/catch.hpp"

#include "schedules/selection/agreement.hpp"

using namespace hopscotch::schedules;

TEST_CASE("A range of one value is equal, the maximum and minimum of two values are not")
{
    Agreement agreed;
    agreed.set_range(Field::out_degree_max, Field::out_degree_min, 2);
    CHECK(agreed.equal(Field::out_degree_max, Field::out_degree_min));
    agreed[Field::out_degree_max] = 5; // from another process
    CHECK_FALSE(agreed.equal(Field::out_degree_max, Field::out_degree_min));
}

TEST_CASE("The root is the first process with most destinations")
{
    CHECK(decode_root(encode_root(26, 5)) == 5);
    CHECK(encode_root(26, 5) > encode_root(26, 6));
    CHECK(encode_root(27, 6) > encode_root(26, 5));
    CHECK(encode_root(0, 0) >> 32 == 0);
}

TEST_CASE("Messages of ours need the same version and settings, a neighbor, and lists and memory that we can use")
{
    Agreement sound;
    sound.set_range(Field::out_degree_max, Field::out_degree_min, 2);
    Algorithms algorithms;
    algorithms.fill(Algorithm::automatic);
    CHECK(unusable_reason(sound, algorithms).empty());
    for (const Field field : {Field::version_max, Field::settings_max, Field::device_buffers, Field::missing_ranks,
                              Field::passed_original}) {
        Agreement agreed = sound;
        agreed[field] = 2;
        CHECK_FALSE(unusable_reason(agreed, algorithms).empty());
    }
    CHECK(unusable_reason({}, algorithms) == reason::no_neighbor);
    algorithms.fill(Algorithm::native);
    CHECK(unusable_reason(sound, algorithms) == reason::native_asked_for);
    CHECK(unusable_reason(sound, algorithms, true) == reason::native_by_key);
    algorithms[3] = Algorithm::merged;
    CHECK(unusable_reason(sound, algorithms).empty());
}
