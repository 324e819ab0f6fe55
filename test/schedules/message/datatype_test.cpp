// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Datatypes in runs of bytes: by hand. Random ones: test/fuzz/datatype.cpp.
#include "schedules/message/datatype.hpp"

#include "test/catch.hpp"

#include <utility>

using namespace hopscotch::schedules;

namespace
{

using Runs = std::vector<std::pair<std::ptrdiff_t, std::size_t>>;

DataType bytes(std::size_t size)
{
    DataType type;
    type.bytes = size;
    type.extent = static_cast<std::ptrdiff_t>(size);
    return type;
}

DataType strided(std::ptrdiff_t count, std::ptrdiff_t length, std::ptrdiff_t stride, const DataType& inner)
{
    DataType type;
    type.kind = DataType::Kind::strided;
    type.count = count;
    type.length = length;
    type.stride = stride;
    type.extent = (count - 1) * stride + length * inner.extent;
    type.inner = {inner};
    return type;
}

/// Two of three rows, the last two of four columns.
DataType corner(bool last_varies_fastest)
{
    DataType type;
    type.kind = DataType::Kind::subarray;
    type.sizes = last_varies_fastest ? std::vector<std::ptrdiff_t>{3, 4} : std::vector<std::ptrdiff_t>{4, 3};
    type.subsizes = {2, 2};
    type.starts = last_varies_fastest ? std::vector<std::ptrdiff_t>{0, 2} : std::vector<std::ptrdiff_t>{2, 0};
    type.last_varies_fastest = last_varies_fastest;
    type.inner = {bytes(8)};
    return type;
}

/// Offset and length of each run.
Runs runs(const DataType& type)
{
    Runs result;
    const std::vector<ByteRun> flat = flatten(type, 100).value();
    for (const ByteRun& run : flat)
        result.emplace_back(run.offset, run.length);
    return result;
}

} // namespace

TEST_CASE("datatype: elements without a gap are one run")
{
    CHECK(runs(bytes(8)) == Runs{{0, 8}});
    CHECK(runs(strided(1, 5, 0, bytes(8))) == Runs{{0, 40}});
    CHECK(runs(strided(3, 2, 16, bytes(8))) == Runs{{0, 48}});
    CHECK(runs(bytes(0)).empty());
    constexpr std::ptrdiff_t many = std::ptrdiff_t{1} << 40; // they take no time
    CHECK(runs(strided(1, many, 0, bytes(8))) == Runs{{0, 8 * std::size_t{many}}});
}

TEST_CASE("datatype: elements with a gap behind them are a run each")
{
    DataType padded = bytes(8);
    padded.extent = 12;
    CHECK(runs(strided(1, 3, 0, padded)) == Runs{{0, 8}, {12, 8}, {24, 8}});
}

TEST_CASE("datatype: a column is a run for each row")
{
    CHECK(runs(strided(3, 1, 32, bytes(8))) == Runs{{0, 8}, {32, 8}, {64, 8}});
    CHECK(runs(strided(2, 1, -32, bytes(8))) == Runs{{0, 8}, {-32, 8}});
}

TEST_CASE("datatype: blocks keep the order of the type map")
{
    DataType type;
    type.kind = DataType::Kind::blocks;
    type.parts = {{16, 1, 0}, {0, 2, 1}};
    type.inner = {bytes(8), bytes(4)};
    CHECK(runs(type) == Runs{{16, 8}, {0, 8}});
}

TEST_CASE("datatype: a subarray, in C and in Fortran order")
{
    CHECK(runs(corner(true)) == Runs{{16, 16}, {48, 16}});
    CHECK(runs(corner(false)) == Runs{{16, 16}, {48, 16}});
    DataType empty = corner(true);
    empty.subsizes = {0, 2};
    CHECK(runs(empty).empty());
    DataType cube = corner(true);
    cube.sizes = {3, 3, 4};
    cube.subsizes = {3, 2, 1};
    cube.starts = {0, 1, 0};
    CHECK(runs(cube) == Runs{{32, 8}, {64, 8}, {128, 8}, {160, 8}, {224, 8}, {256, 8}});
}

TEST_CASE("datatype: elements without data take no time, however many")
{
    constexpr std::ptrdiff_t many = 1 << 20;
    CHECK(runs(strided(many, many, 16, strided(many, 1, 8, bytes(0)))).empty());
    CHECK(runs(strided(many, 0, 16, bytes(8))).empty());
}

TEST_CASE("datatype: too many runs are none")
{
    const DataType column = strided(3, 1, 32, bytes(8));
    CHECK(flatten(column, 3).has_value());
    CHECK(!flatten(column, 2).has_value());
}

TEST_CASE("datatype: runs at equal distances are one entry of pieces, counted from the lowest")
{
    const ElementPieces down = pieces_of(flatten(strided(2, 1, -32, bytes(8)), 100).value());
    CHECK(down.lowest == -32);
    CHECK(down.highest == 8);
    CHECK(down.pieces == std::vector<Pieces>{{32, 8}, {0, 8}});
    CHECK_FALSE(down.one_run());
    const ElementPieces up = pieces_of({{-8, 4}, {8, 4}, {24, 4}});
    CHECK(up.pieces == std::vector<Pieces>{{0, 4, 16, 3}});
    CHECK_FALSE(up.one_run());
    CHECK(pieces_of({{16, 4}}).one_run());
    CHECK(pieces_of({}).pieces.empty());
}
