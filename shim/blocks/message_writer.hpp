// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts blocks into a message, the user's own and those in transit; bytes that several have in common are put there
// once.
#pragma once

#include "schedules/message/message_planner.hpp"
#include "shim/blocks/block_layout.hpp"

#include <vector>

namespace hopscotch::shim
{

/// Writes the messages of one round, call after call: a header, then the blocks.
class MessageWriter
{
  public:
    /// `blocks`: the number of blocks of each message.
    MessageWriter(schedules::HeaderFormat format, std::size_t blocks)
        : format_(format), planner_(format), blocks_(blocks), footprints_(blocks)
    {
    }

    /// A new message: its blocks are to be added in their order.
    void begin() noexcept
    {
        added_ = 0;
        base_ = 0;
    }
    void add(const Block& block);
    void add_absent() { add_footprint().absent = true; }

    /// A block in transit: one that has come with a message. Its payload must stay until this message has been written.
    void add_arrived(const char* payload, const schedules::MessageLayout& layout, std::size_t position)
    {
        set_footprint(layout, position, payload, add_footprint());
    }

    /// All blocks have been added. Decides their places; a header longer than `most_header_bytes` is avoided if
    /// possible.
    void plan(std::size_t most_header_bytes);

    /// The sizes of the planned message.
    std::size_t payload_bytes() const noexcept { return plan_->layout.payload_bytes; }
    std::size_t bytes() const noexcept { return header_bytes_ + payload_bytes(); }
    std::size_t saved_bytes() const noexcept { return plan_->saved_bytes; }

    /// Writes bytes() bytes.
    void write(char* to);

  private:
    schedules::Footprint& add_footprint();
    void write_block(std::size_t q, char* to) const;

    schedules::HeaderFormat format_;
    schedules::MessagePlanner planner_;
    std::vector<Block> blocks_; // blocks of the user; others are empty
    std::vector<schedules::Footprint> footprints_;
    std::size_t added_ = 0;
    std::size_t base_ = 0; // the address of the user's first block: the place of the array makes no difference
    const schedules::MessagePlan* plan_ = nullptr;
    std::size_t header_bytes_ = 0;
    std::vector<char> packed_;
};

/// Unpacks a block of a message into the user's. `scratch`: room, kept from call to call.
inline void unpack(const schedules::MessageLayout& layout, std::size_t position, const char* payload,
                   const Block& block, std::vector<char>& scratch)
{
    const schedules::PlacedBlock& placed = layout.blocks[position];
    if (placed.entries == 0)
        return unpack(payload + placed.offset, placed.bytes, block);
    scratch.resize(placed.bytes);
    schedules::gather(layout, position, payload, scratch.data());
    unpack(scratch.data(), placed.bytes, block);
}

} // namespace hopscotch::shim
