// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory of a call that is compared: if bytes to be sent and to be received overlap; the places of blocks in
// memory that stands in for the user's.
#pragma once

#include "schedules/message/pieces.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hopscotch::schedules
{

struct StandIn {
    std::vector<std::size_t> begins; // begin of each range, from the memory's begin; 0 for an empty one
    std::size_t bytes = 0;
};

/// Ranges lie to each other as they do, unless they are more than `margin` bytes apart; that much room is around them.
/// Each begins at the same place within a line of `line` bytes.
StandIn stand_in(const std::vector<AddressRange>& ranges, std::size_t margin, std::size_t line);

/// Bytes of a block's data that lie together.
struct BlockRun {
    AddressRange bytes;
    int block = 0;
    bool sent = false; // else received
};

/// Two blocks that have bytes in common.
struct Clash {
    int send = 0;
    int receive = 0;
};

/// Cost: O(n log n).
std::optional<Clash> find_clash(std::vector<BlockRun> runs);

} // namespace hopscotch::schedules
