// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// How the values of two processes become one, and which process is the root.
#include "test/catch.hpp"

#include "shim/graph/agreement.hpp"

using namespace hopscotch::shim;

TEST_CASE("Of all numbers the maximum holds, but the edges are added up")
{
    Agreement one;
    Agreement other;
    one.set_range(Field::out_degree_max, Field::out_degree_min, 2);
    other.set_range(Field::out_degree_max, Field::out_degree_min, 5);
    one[Field::imbalance] = INT64_MIN; // modulo 2^64
    other[Field::imbalance] = INT64_MIN;
    join(one, other);
    CHECK(one[Field::out_degree_max] == 5);
    CHECK(-one[Field::out_degree_min] == 2);
    CHECK(one[Field::imbalance] == 0);
    other[Field::imbalance] = -3;
    join(one, other);
    CHECK(one[Field::imbalance] == -3);
}

TEST_CASE("The root is the first process with most destinations")
{
    CHECK(decode_root(encode_root(26, 5)) == 5);
    CHECK(encode_root(26, 5) > encode_root(26, 6));
    CHECK(encode_root(27, 6) > encode_root(26, 5));
    CHECK(encode_root(0, 0) >> 32 == 0);
}
