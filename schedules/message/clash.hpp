// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells if bytes to be sent and bytes to be received overlap.
#pragma once

#include "schedules/message/pieces.hpp"

#include <optional>
#include <vector>

namespace hopscotch::schedules
{

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
