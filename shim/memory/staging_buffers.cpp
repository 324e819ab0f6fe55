// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lays out the staging buffers of a node: memory in which blocks wait for the processes that carry or want them.
#include "shim/memory/staging_buffers.hpp"

#include <algorithm>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr std::size_t page_bytes = 4096;

constexpr std::size_t head_bytes(std::size_t messages)
{
    return sizeof(CellsHead) + messages * sizeof(MessageHead);
}

std::size_t aligned(std::size_t bytes)
{
    constexpr std::size_t alignment = 64;
    return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

std::shared_ptr<StagingBuffers> StagingBuffers::create(const Ground& ground, int most_blocks, int most_messages)
{
    constexpr auto all_regions = static_cast<std::size_t>(regions);
    const auto blocks = static_cast<std::size_t>(std::max(most_blocks, 1));
    const auto messages = static_cast<std::size_t>(most_messages);
    const ProcessGroup& group = ground.group;
    const std::size_t room = staging_room(group.most_on_node(), most_blocks);
    const std::size_t tables = (blocks + 2 * messages + 2) * sizeof(schedules::PlaceTable::Field);
    const std::size_t largest_block = room / blocks;
    const std::size_t bytes = head_bytes(messages) + (messages + 2) * aligned(1) + aligned(tables + room);
    const std::size_t buffer_bytes = (bytes + page_bytes - 1) / page_bytes * page_bytes;
    const std::size_t region_bytes = page_bytes + buffers_per_stream * buffer_bytes;
    const std::size_t own = all_regions * region_bytes;
    const auto index = static_cast<std::size_t>(group.node_index(group.rank()));
    MemoryFile file = share_file(ground, group.node_ranks().size() * own, {{index * own, own}});
    if (file.refusal() != Refusal::none)
        return nullptr;
    return std::shared_ptr<StagingBuffers>(new StagingBuffers(std::move(file), buffer_bytes, largest_block));
}

StagingBuffers::StagingBuffers(MemoryFile file, std::size_t buffer_bytes, std::size_t largest_block)
    : file_(std::move(file)), buffer_bytes_(buffer_bytes), largest_block_(largest_block)
{
}

// The file begins as zeros; turns do not begin with 0.
Readings& StagingBuffers::readings(int position, int region) const noexcept
{
    const auto number = static_cast<std::size_t>(position * regions + region);
    return *reinterpret_cast<Readings*>(file_.base() + number * (page_bytes + buffers_per_stream * buffer_bytes_));
}

char* StagingBuffers::buffer(int position, int region, std::size_t which) const noexcept
{
    return reinterpret_cast<char*>(&readings(position, region)) + page_bytes + which * buffer_bytes_;
}

StagingLayout::StagingLayout(const schedules::StagingBuffer& buffer, bool sizes_known, std::size_t largest_block)
    : sizes_known_(sizes_known), data_(head_bytes(buffer.message_blocks.size()))
{
    const auto room = [largest_block](std::size_t blocks) {
        return aligned(schedules::PlaceTable::bytes(blocks) + blocks * largest_block);
    };
    blocks_.push_back(static_cast<std::size_t>(buffer.cells));
    messages_.push_back(data_ + room(blocks_.back()));
    for (const int count : buffer.message_blocks) {
        blocks_.push_back(blocks_.back() + static_cast<std::size_t>(count));
        messages_.push_back(messages_.back() + room(static_cast<std::size_t>(count)));
    }
}

std::size_t StagingLayout::message_head(int message) noexcept
{
    return head_bytes(static_cast<std::size_t>(message));
}

std::size_t StagingLayout::message(int message, std::size_t block_bytes) const noexcept
{
    const auto i = static_cast<std::size_t>(message);
    return sizes_known_ ? data_ + blocks_[i] * block_bytes : messages_[i];
}

std::size_t StagingLayout::capacity(int message) const noexcept
{
    const auto i = static_cast<std::size_t>(message);
    return messages_[i + 1] - messages_[i];
}

} // namespace hopscotch::shim
