// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every duration is in the class that ends above it.
#include "test/catch.hpp"

#include "shim/report/durations.hpp"

using namespace hopscotch::shim;

TEST_CASE("Classes of durations end at powers of two and halfway between")
{
    CHECK(Durations::end(0) == 32);
    CHECK(Durations::end(1) == 48);
    CHECK(Durations::end(2) == 64);
    CHECK(Durations::end(3) == 96);
    CHECK(Durations::end(11) == 1536);
    CHECK(Durations::end(Durations::classes - 2) == std::uint64_t{1} << 36); // 69 s
    CHECK(Durations::end(Durations::classes - 1) == 0);
    for (std::size_t number = 0; number + 1 < Durations::classes; ++number) {
        const auto end = static_cast<double>(Durations::end(number));
        CHECK(Durations::class_of(end - 0.5) == number);
        CHECK(Durations::class_of(end) == number + 1);
    }
    CHECK(Durations::class_of(0.0) == 0);
    CHECK(Durations::class_of(-5e9) == 0); // counters of two processors that are not set alike
    CHECK(Durations::class_of(1e300) == Durations::classes - 1);
}

TEST_CASE("Calls are counted by their duration")
{
    Durations durations;
    for (const double nanoseconds : {1.0, 31.0, 47.9, 1000.0, 1023.0, 1e12})
        durations.add(nanoseconds);
    CHECK(durations.calls(0) == 2);
    CHECK(durations.calls(1) == 1);
    CHECK(durations.calls(Durations::class_of(1000.0)) == 2);
    CHECK(durations.calls(Durations::classes - 1) == 1);
    CHECK(durations.by_end() == std::map<std::uint64_t, std::uint64_t>{{32, 2}, {48, 1}, {1024, 2}, {0, 1}});
}
