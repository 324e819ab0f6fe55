// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments are the same if their form and each of their arrays are.
#include "test/catch.hpp"

#include "schedules/message/kept_arguments.hpp"

using namespace hopscotch::schedules;

namespace
{

ArgumentArrays arguments(int form, const std::string& first, const std::string& second, const std::string& third)
{
    return {form, {{{first.data(), first.size()}, {second.data(), second.size()}, {third.data(), third.size()}}}};
}

} // namespace

TEST_CASE("kept arguments: compared by form, by the bytes of each array and by their numbers")
{
    KeptArguments kept;
    std::string counts = "abc";
    kept.keep(arguments(1, counts, "", "de"));
    CHECK(kept.equal(arguments(1, "abc", "", "de")));
    CHECK_FALSE(kept.equal(arguments(2, "abc", "", "de")));
    CHECK_FALSE(kept.equal(arguments(1, "abx", "", "de")));
    CHECK_FALSE(kept.equal(arguments(1, "abc", "", "dx")));
    CHECK_FALSE(kept.equal(arguments(1, "abc", "d", "e"))); // all bytes together are the same
    CHECK_FALSE(kept.equal(arguments(1, "abcd", "", "e")));
    CHECK_FALSE(kept.equal(arguments(1, "ab", "", "de")));
    counts[0] = 'x'; // a copy is kept
    CHECK(kept.equal(arguments(1, "abc", "", "de")));
    kept.keep(arguments(1, "x", "yz", ""));
    CHECK(kept.equal(arguments(1, "x", "yz", "")));
    kept.keep(arguments(3, "", "", ""));
    CHECK(kept.equal({3, {}}));
    CHECK_FALSE(kept.equal(arguments(1, "abc", "", "de")));
}
