// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A mismatch is the same call under another algorithm, and nothing else.
#include "schedules/selection/numbered_calls.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

constexpr std::uint64_t merged = 1, combining = 2;

} // namespace

TEST_CASE("Neighbors in the same call under another algorithm are found, by rank and size")
{
    NumberedCalls calls;
    const NumberedCall own{0, 7, merged, 8};
    CHECK_FALSE(calls.mismatch(own));
    calls.hear(4, {0, 7, merged, 16});    // agrees for any size
    calls.hear(4, {0, 6, combining, 16}); // has not come here yet
    calls.hear(4, {1, 7, combining, 16}); // is in another series
    CHECK_FALSE(calls.mismatch(own));
    calls.hear(5, {0, 7, combining, 16});
    const auto found = calls.mismatch(own);
    REQUIRE(found);
    CHECK(found->rank == 5);
    CHECK(found->theirs.block_bytes == 16);
    CHECK(found->own.block_bytes == 8);
}

TEST_CASE("Nonblocking calls that this process has left are compared as well, the latest ones")
{
    NumberedCalls calls;
    const NumberedCall waiting{0, 1, merged, 8};
    for (std::uint64_t number = 0; number < 17; ++number)
        calls.remember({2, number, merged, 8});
    calls.hear(3, {2, 0, combining, 16}); // too long ago
    CHECK_FALSE(calls.mismatch(waiting));
    for (const std::uint64_t number : {16, 1}) {
        NumberedCalls alike = calls;
        alike.hear(3, {2, number, combining, 16});
        REQUIRE(alike.mismatch(waiting));
        CHECK(alike.mismatch(waiting)->own.number == number);
    }
}
