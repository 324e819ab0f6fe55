// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Any blocks and messages of a process fit in its staging buffer and do not overlap.
#include "test/catch.hpp"

#include "schedules/memory/room.hpp"
#include "schedules/memory/staging_layout.hpp"
#include "schedules/nodes/place_table.hpp"

#include <cstddef>

using namespace hopscotch::schedules;

namespace
{

/// True if every part of a buffer follows the part before it, from the heads on to `end`.
bool fits(const StagingBuffer& buffer, std::size_t block_bytes, std::size_t largest, std::size_t end)
{
    const StagingLayout layout(buffer, largest);
    std::size_t free_from = StagingLayout::head(static_cast<int>(buffer.message_blocks.size()));
    std::vector<std::size_t> counts(buffer.message_blocks.begin(), buffer.message_blocks.end());
    counts.insert(counts.begin(), static_cast<std::size_t>(buffer.cells));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const int message = static_cast<int>(i) + Run::cells;
        const std::size_t bytes = PlaceTable::bytes(counts[i]) + counts[i] * block_bytes;
        if (layout.begin(message) < free_from || layout.capacity(message) < bytes)
            return false;
        free_from = layout.begin(message) + bytes;
    }
    return free_from <= end;
}

StagingBuffer random_buffer(std::mt19937& random, int most_blocks, int most_messages)
{
    StagingBuffer buffer;
    int left = most_blocks;
    const auto take = [&random, &left] {
        const int taken = std::uniform_int_distribution<int>(0, left)(random);
        left -= taken;
        return taken;
    };
    buffer.cells = take();
    const int messages = std::uniform_int_distribution<int>(0, most_messages)(random);
    for (int i = 0; i < messages; ++i)
        buffer.message_blocks.push_back(i + 1 == messages ? left : take());
    return buffer;
}

} // namespace

TEST_CASE("staged blocks and messages have room in a buffer")
{
    std::mt19937 random(1);
    for (int i = 0; i < 2000; ++i) {
        const int most_blocks = std::uniform_int_distribution<int>(1, 1 << (i % 12))(random);
        const int most_messages = std::uniform_int_distribution<int>(0, 40)(random);
        const int most_on_node = std::uniform_int_distribution<int>(1, 300)(random);
        const StagingFileLayout file(most_on_node, most_blocks, most_messages);
        const std::size_t bytes = file.buffer(0, 0, 1) - file.buffer(0, 0, 0);
        const StagingBuffer buffer = random_buffer(random, most_blocks, most_messages);
        INFO(most_blocks << " blocks, " << most_messages << " messages, " << most_on_node << " processes");
        for (const std::size_t block : {std::size_t{0}, std::size_t{1}, file.largest_block()})
            CHECK(fits(buffer, block, file.largest_block(), bytes));
    }
}

TEST_CASE("other blocks and messages have room in the same buffers")
{
    std::mt19937 random(2);
    for (int i = 0; i < 2000; ++i) {
        const StagingFileLayout file(1 + i % 300, 1 + i % 7, 1 + i % 5);
        const std::size_t bytes = file.buffer(0, 0, 1) - file.buffer(0, 0, 0);
        const std::vector<StagingBuffer> others{random_buffer(random, 1 << (i % 16), 40),
                                                random_buffer(random, 1 << (i % 12), 40)};
        const std::size_t largest = file.largest_block(others);
        INFO("seed 2, case " << i);
        for (const StagingBuffer& buffer : others)
            CHECK((largest == 0 || fits(buffer, largest, largest, bytes)));
    }
    CHECK(StagingFileLayout(2, 1, 1).largest_block({StagingBuffer{1 << 20, {}}}) == 0);
    CHECK(StagingFileLayout(2, 1, 1).largest_block() == staging_room(2, 1));
    constexpr std::size_t room = 17 * 4096; // less heads, gaps and tables
    CHECK(StagingFileLayout(2, 1, 1).largest_block({StagingBuffer{1, {}}}) == room - 64 - 2 * 64 - 3 * 4);
    CHECK(StagingFileLayout(2, 1, 1).largest_block({StagingBuffer{0, {1}}}) == room - 2 * 64 - 3 * 64 - 5 * 4);
    CHECK(StagingFileLayout(2, 100, 1).largest_block() == staging_room(2, 100) / 100);
}

TEST_CASE("heads of a buffer stand side by side")
{
    CHECK(StagingLayout::head(Run::cells) == 0);
    CHECK(StagingLayout::head(0) == line_bytes);
    CHECK(StagingLayout::head(3) == StagingLayout::head(2) + line_bytes);
    StagingBuffer buffer;
    buffer.cells = 1;
    buffer.message_blocks = {2, 3};
    const StagingLayout layout(buffer, 8);
    CHECK(layout.begin(Run::cells) >= StagingLayout::head(2));
    CHECK(layout.capacity(0) == layout.begin(1) - layout.begin(0));
    CHECK(layout.capacity(1) >= 3 * 8);
    CHECK(layout.capacity(1) < 4096);
}

TEST_CASE("each region of each process has readings and two buffers of its own")
{
    constexpr int regions = staging_regions;
    constexpr int processes = 5;
    const StagingFileLayout file(processes, 10, 2);
    const std::size_t bytes = file.buffer(0, 0, 1) - file.buffer(0, 0, 0);
    std::size_t free_from = 0;
    for (int position = 0; position < processes; ++position) {
        const Range own = file.own(position);
        CHECK(own.offset == free_from);
        for (int region = 0; region < regions; ++region) {
            CHECK(file.readings(position, region) >= free_from);
            CHECK(file.buffer(position, region, 0) >= file.readings(position, region) + line_bytes);
            CHECK(file.buffer(position, region, 0) % 4096 == 0);
            free_from = file.buffer(position, region, 1) + bytes;
        }
        CHECK(own.offset + own.bytes == free_from);
    }
    CHECK(file.end(processes) == free_from);
}
