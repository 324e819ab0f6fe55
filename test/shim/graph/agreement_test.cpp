// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// When the values of all processes are equal, and which process is the root.
#include "test/catch.hpp"

#include "shim/graph/agreement.hpp"

using namespace hopscotch::shim;

TEST_CASE("A range of one value is equal, the maximum and minimum of two values are not")
{
    Agreement agreed;
    agreed.set_range(Field::out_degree_max, Field::out_degree_min, 2);
    CHECK(agreed.equal(Field::out_degree_max, Field::out_degree_min));
    agreed[Field::out_degree_max] = 5; // of another process
    CHECK_FALSE(agreed.equal(Field::out_degree_max, Field::out_degree_min));
}

TEST_CASE("The root is the first process with most destinations")
{
    CHECK(decode_root(encode_root(26, 5)) == 5);
    CHECK(encode_root(26, 5) > encode_root(26, 6));
    CHECK(encode_root(27, 6) > encode_root(26, 5));
    CHECK(encode_root(0, 0) >> 32 == 0);
}
