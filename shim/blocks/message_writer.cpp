// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Puts blocks into a message, the user's own and those in transit; bytes that several have in common are put there
// once.
#include "shim/blocks/message_writer.hpp"

#include <cstring>

namespace hopscotch::shim
{

schedules::Footprint& MessageWriter::add_footprint()
{
    blocks_[added_] = Block();
    schedules::Footprint& footprint = footprints_[added_++];
    footprint.bytes = 0;
    footprint.pieces.clear(); // keeps their memory
    footprint.absent = false;
    return footprint;
}

void MessageWriter::add(const Block& block)
{
    schedules::Footprint& footprint = add_footprint();
    blocks_[added_ - 1] = block;
    if (base_ == 0)
        base_ = reinterpret_cast<std::size_t>(block.data());
    footprint.bytes = block.bytes;
    footprint.base = base_;
    append_pieces(block, base_, footprint.pieces);
}

void MessageWriter::plan(std::size_t most_header_bytes)
{
    plan_ = &planner_.plan(footprints_, most_header_bytes);
    header_bytes_ = format_.bytes(plan_->layout);
}

void MessageWriter::write_block(std::size_t q, char* to) const
{
    if (blocks_[q].bytes > 0)
        return pack(blocks_[q], to);
    const schedules::Footprint& arrived = footprints_[q];
    for (const schedules::Pieces& pieces : arrived.pieces)
        to = gather(pieces, reinterpret_cast<const char*>(arrived.base), to);
}

void MessageWriter::write(char* to)
{
    const schedules::MessageLayout& layout = plan_->layout;
    format_.write(layout, to);
    char* const payload = to + header_bytes_;
    for (std::size_t q = 0; q < layout.blocks.size(); ++q)
        if (layout.blocks[q].placement == schedules::Placement::in_turn)
            write_block(q, payload + layout.blocks[q].offset);
    std::size_t packed = layout.blocks.size(); // the block that was packed last
    for (const schedules::OwnBytes& own : plan_->own) {
        if (packed != own.block) {
            packed = own.block;
            packed_.resize(footprints_[packed].bytes);
            write_block(packed, packed_.data());
        }
        std::memcpy(payload + own.payload_offset, packed_.data() + own.block_offset, own.bytes);
    }
}

} // namespace hopscotch::shim
