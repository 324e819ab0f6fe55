// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Every size is in exactly one class. A class ends at a power of two or at a limit.
#include "schedules/selection/choice.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

namespace
{

bool is(const SizeClass& found, std::size_t low, std::size_t high)
{
    return found.low == low && found.high == high;
}

} // namespace

TEST_CASE("classes end before powers of two", "[choice]")
{
    CHECK(is(size_class(0, 0, {}), 0, 0));
    CHECK(is(size_class(1, 0, {}), 1, 1));
    CHECK(is(size_class(3, 0, {}), 2, 3));
    CHECK(is(size_class(4, 0, {}), 4, 7));
    CHECK(is(size_class(2047, 2047, {}), 0, 2047));
    CHECK(is(size_class(2048, 2047, {}), 2048, 4095));
}

TEST_CASE("classes are cut at limits, but not at none", "[choice]")
{
    CHECK(is(size_class(5, 0, {6, 0}), 4, 6));
    CHECK(is(size_class(7, 0, {6, 0}), 7, 7));
    CHECK(is(size_class(2, 3, {1}), 2, 3));
    CHECK(is(size_class(100, 2047, {50, 120}), 51, 120));
}

TEST_CASE("classes do not overlap, and a size is in its own", "[choice]")
{
    for (const std::size_t first : {std::size_t{0}, std::size_t{31}}) {
        SizeClass last = size_class(0, first, {10, 33, 34});
        for (std::size_t bytes = 0; bytes < 200; ++bytes) {
            const SizeClass own = size_class(bytes, first, {10, 33, 34});
            CHECK(own.holds(bytes));
            CHECK((is(own, last.low, last.high) || own.low == last.high + 1));
            last = own;
        }
    }
}

TEST_CASE("a limit has two sides, and all sizes are one class", "[choice]")
{
    CHECK(is(side_of(10, 10), 0, 10));
    CHECK(side_of(10, 11).low == 11);
    CHECK(side_of(10, 11).holds(static_cast<std::size_t>(-1)));
    CHECK_FALSE(side_of(10, 11).holds(10));
    CHECK(every_size().all());
    CHECK_FALSE(side_of(10, 11).all());
}

TEST_CASE("Three ways to combine have names and kinds of exchanges of their own", "[choice]")
{
    Choice usual;
    usual.algorithm = Algorithm::combining;
    Choice split = usual;
    split.groups = parse_groups("0:2/1");
    Choice grouped = usual;
    grouped.groups = parse_groups("0+1");
    CHECK(name(usual) == "combining");
    CHECK(name(grouped) == "combining 0+1");
    CHECK(same_way(split, split));
    CHECK_FALSE(same_way(split, grouped));
    CHECK_FALSE(same_way(usual, grouped));
    CHECK(kind_of(usual) == ExchangeKind::combining);
    CHECK(kind_of(split) == ExchangeKind::combining_split);
    CHECK(kind_of(grouped) == ExchangeKind::combining_grouped);
    Choice native;
    native.algorithm = Algorithm::native;
    const std::set<std::uint64_t> bits{bit_of(usual), bit_of(split), bit_of(grouped), bit_of(native)};
    CHECK(bits.size() == 4); // a process that calls the library does not take others for alike
    std::set<std::uint64_t> all = bits;
    for (std::size_t i = 0; i < algorithm_count; ++i)
        all.insert(bit_of({static_cast<Algorithm>(i), {}}));
    CHECK(all.size() == algorithm_count + 2);
    CHECK(all.count(0) == 0);
}
