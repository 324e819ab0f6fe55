// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the bytes that the blocks of a message have in common, so that they are sent once: corners inside of rows and
// columns.
#pragma once

#include "schedules/message/message_layout.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The bytes of a block in memory, in the order of sending.
struct Footprint {
    std::size_t bytes = 0;
    std::vector<Pieces> pieces; // offsets count from `base`; empty: not known, so the block has nothing in common
    bool absent = false;        // not a part of the message
    std::size_t base = 0;       // an address
};

/// The footprint of a received block, in a message with a complete payload.
void set_footprint(const MessageLayout& layout, std::size_t block, const char* payload, Footprint& footprint);

/// Bytes of a block that does not lie in turn and has them for itself: they are to be written to the payload.
struct OwnBytes {
    std::size_t block = 0;
    std::size_t block_offset = 0;
    std::size_t bytes = 0;
    std::size_t payload_offset = 0;
};

/// The plan of a message: blocks in turn are written whole, and of the others only these bytes.
struct MessagePlan {
    MessageLayout layout;
    std::vector<OwnBytes> own;
    std::size_t saved_bytes = 0; // that the blocks together are longer than the payload
};

/// Lets all blocks lie in turn.
void put_in_turn(const std::vector<Footprint>& blocks, MessageLayout& layout);

/// A plan with no byte of memory twice in the payload, unless the header would grow by more than that saves. Large
/// blocks lie in turn, small ones in them. Blocks that overlap themselves are sent as they are. Cost: O(n log n) for n
/// pieces.
MessagePlan without_repeats(const std::vector<Footprint>& blocks, const HeaderFormat& format);

} // namespace hopscotch::schedules
