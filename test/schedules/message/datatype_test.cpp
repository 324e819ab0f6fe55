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

using Types = std::vector<DataType>; // as flatten takes them: the last one is described

Types bytes(std::size_t size)
{
    DataType type;
    type.bytes = size;
    type.extent = static_cast<std::ptrdiff_t>(size);
    return {type};
}

Types strided(std::ptrdiff_t count, std::ptrdiff_t length, std::ptrdiff_t stride, Types inner)
{
    DataType type;
    type.kind = DataType::Kind::strided;
    type.count = count;
    type.length = length;
    type.stride = stride;
    type.extent = (count - 1) * stride + length * inner.back().extent;
    type.inner = inner.size() - 1;
    inner.push_back(type);
    return inner;
}

/// A type with these parts behind types that they name.
Types blocks(std::ptrdiff_t extent, const std::vector<ElementBlock>& parts, Types inner)
{
    DataType type;
    type.kind = DataType::Kind::blocks;
    type.extent = extent;
    type.parts = parts;
    inner.push_back(type);
    return inner;
}

/// Two of three rows, the last two of four columns.
Types corner(bool last_varies_fastest)
{
    DataType type;
    type.kind = DataType::Kind::subarray;
    type.sizes = last_varies_fastest ? std::vector<std::ptrdiff_t>{3, 4} : std::vector<std::ptrdiff_t>{4, 3};
    type.subsizes = {2, 2};
    type.starts = last_varies_fastest ? std::vector<std::ptrdiff_t>{0, 2} : std::vector<std::ptrdiff_t>{2, 0};
    type.last_varies_fastest = last_varies_fastest;
    return {bytes(8).front(), type};
}

/// Offset and length of each run.
Runs runs(const Types& types)
{
    Runs result;
    const std::vector<ByteRun> flat = flatten(types, 100).value();
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
    Types padded = bytes(8);
    padded.front().extent = 12;
    CHECK(runs(strided(1, 3, 0, padded)) == Runs{{0, 8}, {12, 8}, {24, 8}});
}

TEST_CASE("datatype: a column is a run for each row")
{
    CHECK(runs(strided(3, 1, 32, bytes(8))) == Runs{{0, 8}, {32, 8}, {64, 8}});
    CHECK(runs(strided(2, 1, -32, bytes(8))) == Runs{{0, 8}, {-32, 8}});
}

TEST_CASE("datatype: blocks keep the order of the type map")
{
    const Types type = blocks(24, {{16, 1, 0}, {0, 2, 1}}, {bytes(8).front(), bytes(4).front()});
    CHECK(runs(type) == Runs{{16, 8}, {0, 8}});
}

TEST_CASE("datatype: a subarray, in C and in Fortran order")
{
    CHECK(runs(corner(true)) == Runs{{16, 16}, {48, 16}});
    CHECK(runs(corner(false)) == Runs{{16, 16}, {48, 16}});
    Types empty = corner(true);
    empty.back().subsizes = {0, 2};
    CHECK(runs(empty).empty());
    Types cube = corner(true);
    cube.back().sizes = {3, 3, 4};
    cube.back().subsizes = {3, 2, 1};
    cube.back().starts = {0, 1, 0};
    CHECK(runs(cube) == Runs{{32, 8}, {64, 8}, {128, 8}, {160, 8}, {224, 8}, {256, 8}});
}

TEST_CASE("datatype: elements without data take no time, however many")
{
    constexpr std::ptrdiff_t many = 1 << 20;
    CHECK(runs(strided(many, many, 16, strided(many, 1, 8, {DataType()}))).empty());
    CHECK(runs(strided(many, 0, 16, bytes(8))).empty());
}

TEST_CASE("datatype: a type inside many others is flattened once")
{
    constexpr std::size_t levels = 50; // 2^50 paths
    Types one_run = bytes(4);
    Types no_data = bytes(4);
    for (std::size_t i = 0; i < levels; ++i) {
        const std::ptrdiff_t extent = one_run.back().extent;
        one_run = blocks(2 * extent, {{0, 1, i}, {extent, 1, i}}, one_run);
        no_data = blocks(8, {{0, 0, i}, {0, 1, i}, {4, 0, i}}, no_data);
    }
    CHECK(runs(one_run) == Runs{{0, std::size_t{4} << levels}});
    CHECK(runs(no_data) == Runs{{0, 4}});
    CHECK_FALSE(flatten(blocks(0, {{0, 1, levels}, {0, 1, levels}}, one_run), 1).has_value());
}

TEST_CASE("datatype: deep types need no stack, and memory for the runs of one alone")
{
    constexpr std::size_t levels = 200'000;
    Types deep = bytes(8);
    for (std::size_t i = 0; i < levels; ++i)
        deep = strided(1, 1, 0, std::move(deep));
    CHECK(runs(deep) == Runs{{0, 8}});
    Types kept; // each of many types waits for the last one
    std::vector<ElementBlock> parts;
    for (std::size_t i = 0; i < 1000; ++i) {
        kept.push_back(bytes(8).front());
        kept = strided(60, 1, 16, std::move(kept));
        parts.push_back({0, 1, kept.size() - 1});
    }
    CHECK_FALSE(flatten(blocks(0, parts, kept), 100).has_value());
    CHECK(flatten(blocks(0, {parts[0]}, kept), 100).has_value());
}

TEST_CASE("datatype: what takes long is not flattened")
{
    Types deep = strided(60'000, 1, 16, bytes(8));
    for (std::size_t i = 0; i < 100; ++i) {
        const std::size_t inner = deep.size() - 1;
        deep = blocks(0, {{8, 1, inner}}, std::move(deep));
    }
    CHECK_FALSE(flatten(deep, 1 << 16).has_value());
    CHECK(flatten({deep[0], deep[1], deep[2]}, 1 << 16).has_value());
}

TEST_CASE("datatype: too many runs are none")
{
    const Types column = strided(3, 1, 32, bytes(8));
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
