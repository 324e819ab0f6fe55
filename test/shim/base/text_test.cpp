// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Texts of settings are split at the right places.
#include "test/catch.hpp"

#include "shim/base/text.hpp"

using namespace hopscotch::shim;
using Parts = std::vector<std::string>;

TEST_CASE("Blanks at the ends are left out")
{
    CHECK(trimmed(" \t a b ") == "a b");
    CHECK(trimmed(" \t").empty());
    CHECK(trimmed("a\r") == "a\r");
    CHECK(trimmed("a \r", " \r") == "a");
}

TEST_CASE("A text has one part more than separators")
{
    CHECK(split(" a, b ,", ',') == Parts{"a", "b", ""});
    CHECK(split("", ',') == Parts{""});
}
