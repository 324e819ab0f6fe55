// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/memory/staging_layout.hpp"

#include "schedules/memory/room.hpp"
#include "schedules/nodes/place_table.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

namespace
{

constexpr std::size_t head_bytes(std::size_t messages)
{
    return (1 + messages) * line_bytes;
}

constexpr std::size_t aligned(std::size_t bytes, std::size_t alignment = line_bytes)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Bytes of a buffer beside its blocks: heads, tables, and gaps between messages.
constexpr std::size_t beside_blocks(std::size_t blocks, std::size_t messages)
{
    const std::size_t tables = (blocks + 2 * messages + 2) * sizeof(PlaceTable::Field);
    return head_bytes(messages) + (messages + 2) * aligned(1) + tables;
}

} // namespace

StagingFileLayout::StagingFileLayout(int most_on_node, int most_blocks, int most_messages) noexcept
{
    const auto blocks = static_cast<std::size_t>(std::max(most_blocks, 1));
    const auto messages = static_cast<std::size_t>(most_messages);
    const std::size_t room = staging_room(most_on_node, most_blocks);
    largest_block_ = room / blocks;
    buffer_bytes_ = aligned(beside_blocks(blocks, messages) + room, region_page_bytes);
}

std::size_t StagingFileLayout::largest_block(const std::vector<StagingBuffer>& contents) const noexcept
{
    std::size_t largest = buffer_bytes_;
    for (const StagingBuffer& content : contents) {
        const auto blocks = static_cast<std::size_t>(std::max(content.blocks(), 1));
        const std::size_t beside = beside_blocks(blocks, content.message_blocks.size());
        largest = std::min(largest, beside < buffer_bytes_ ? (buffer_bytes_ - beside) / blocks : 0);
    }
    return largest;
}

std::size_t StagingFileLayout::readings(int position, int region) const noexcept
{
    const auto number = static_cast<std::size_t>(position * staging_regions + region);
    return number * (region_page_bytes + buffers_per_stream * buffer_bytes_);
}

std::size_t StagingFileLayout::buffer(int position, int region, std::size_t which) const noexcept
{
    return readings(position, region) + region_page_bytes + which * buffer_bytes_;
}

StagingLayout::StagingLayout(const StagingBuffer& buffer, std::size_t largest_block)
{
    const auto room = [largest_block](int blocks) {
        const auto count = static_cast<std::size_t>(blocks);
        return aligned(PlaceTable::bytes(count) + count * largest_block);
    };
    begins_.push_back(head_bytes(buffer.message_blocks.size()));
    begins_.push_back(begins_.back() + room(buffer.cells));
    for (const int blocks : buffer.message_blocks)
        begins_.push_back(begins_.back() + room(blocks));
}

std::size_t StagingLayout::head(int message) noexcept
{
    return static_cast<std::size_t>(message + 1) * line_bytes;
}

std::size_t StagingLayout::begin(int message) const noexcept
{
    return begins_[static_cast<std::size_t>(message + 1)];
}

std::size_t StagingLayout::capacity(int message) const noexcept
{
    return begin(message + 1) - begin(message);
}

} // namespace hopscotch::schedules
