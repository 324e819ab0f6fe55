// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables of places: places are read as they were set, and a table of another message is noticed.
#include "schedules/nodes/place_table.hpp"

#include "test/catch.hpp"

#include <cstring>

using namespace hopscotch::schedules;

namespace
{

/// A message of blocks of the sizes given; the second travels directly, so it takes no room.
std::vector<char> message_of(const std::vector<std::size_t>& sizes)
{
    std::size_t payload = 0;
    for (const std::size_t size : sizes)
        payload += size;
    std::vector<char> message(PlaceTable::bytes(sizes.size()) + payload, 'x');
    PlaceTable table(message.data(), sizes.size());
    std::size_t end = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        table.set(i, end, i == 1);
        end += sizes[i];
    }
    table.set(sizes.size(), end, false);
    return message;
}

} // namespace

TEST_CASE("place_table: places are read back as they were set")
{
    std::vector<char> message = message_of({5, 0, 3});
    const PlaceTable table(message.data(), 3);
    CHECK(PlaceTable::bytes(3) == 16);
    CHECK(table.size(0) == 5);
    CHECK(table.size(2) == 3);
    CHECK(!table.is_direct(0));
    CHECK(table.is_direct(1));
    CHECK(table.data(2) == message.data() + 16 + 5);
    CHECK(table.sound(message.size()));
}

TEST_CASE("place_table: blocks of two messages make up another")
{
    std::vector<char> one = message_of({5, 0, 3});
    std::vector<char> other = message_of({2, 0, 7});
    std::fill(other.end() - 9, other.end() - 7, 'a');
    std::vector<char> message(PlaceTable::bytes(5) + 15, 'y');
    PlaceTable table(message.data(), 5);
    table.clear();
    table.copy(0, PlaceTable(one.data(), 3), 0, 3);
    table.copy(3, PlaceTable(other.data(), 3), 0, 2);
    CHECK(table.sound(message.size() - 5));
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(table.size(i) == std::vector<std::size_t>{5, 0, 3, 2, 0}[i]);
        CHECK(table.is_direct(i) == (i == 1 || i == 4));
    }
    CHECK(std::string(table.data(0), 10) == "xxxxxxxxaa");
    CHECK(message[PlaceTable::bytes(5) + 10] == 'y');
    table.copy(0, PlaceTable(other.data(), 3), 2, 1);
    CHECK(table.size(0) == 7);
}

TEST_CASE("place_table: a message of no blocks is its table")
{
    std::vector<char> message = message_of({});
    CHECK(PlaceTable(message.data(), 0).sound(message.size()));
    CHECK(!PlaceTable(message.data(), 0).sound(message.size() - 1));
}

TEST_CASE("place_table: a table that is not that of its message is not sound")
{
    const std::vector<std::size_t> sizes{5, 0, 3};
    std::vector<char> message = message_of(sizes);
    PlaceTable table(message.data(), sizes.size());
    SECTION("the message is shorter")
    {
        CHECK(!table.sound(message.size() - 1));
    }
    SECTION("the message is longer")
    {
        CHECK(!table.sound(message.size() + 1));
    }
    SECTION("the message ends within the table")
    {
        for (std::size_t length = 0; length < PlaceTable::bytes(sizes.size()); ++length)
            CHECK(!table.sound(length));
    }
    SECTION("the last block leads beyond the message")
    {
        table.set(sizes.size(), 9, false);
        CHECK(!table.sound(message.size()));
    }
    SECTION("a block ends before it starts")
    {
        table.set(2, 9, false);
        CHECK(!table.sound(message.size()));
    }
    SECTION("the first block does not start behind the table")
    {
        table.set(0, 1, false);
        CHECK(!table.sound(message.size()));
    }
}

TEST_CASE("place_table: a cleared table has empty blocks that do not travel directly")
{
    std::vector<char> message = message_of({5, 0, 3});
    PlaceTable table(message.data(), 3);
    table.set(1, 5, true);
    table.clear();
    CHECK(table.begin() == message.data());
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(table.size(i) == 0);
        CHECK_FALSE(table.is_direct(i));
    }
}
