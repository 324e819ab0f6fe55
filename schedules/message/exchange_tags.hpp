// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Deals the tags of a communicator out to its exchanges: numbers from 0 on within its block.
#pragma once

#include "schedules/memory/segment_layout.hpp"
#include "schedules/plan/algorithm.hpp"

namespace hopscotch::schedules
{

/// Tags one exchange uses, from its first on: messages, their rests, direct blocks, messages to other nodes.
constexpr int tags_per_exchange = 4;

/// Exchanges of one kind: of blocking calls, of nonblocking ones in flight at once, and of those with large blocks.
constexpr int blocking_lane = 0;
constexpr int first_nonblocking_lane = 1;
constexpr int first_large_lane = first_nonblocking_lane + nonblocking_streams;
constexpr int large_lanes = 2;
constexpr int lanes = first_large_lane + large_lanes;

/// The first tag of persistent requests, and of no exchange above.
constexpr int first_persistent_tag =
    static_cast<int>(collective_count) * static_cast<int>(algorithm_count) * lanes * tags_per_exchange;

/// The first tag of an exchange. Those of `native` are left over, since that sends nothing of ours.
constexpr int first_tag(Collective collective, Algorithm algorithm, int lane)
{
    const int kind = static_cast<int>(collective) * static_cast<int>(algorithm_count) + static_cast<int>(algorithm);
    return (kind * lanes + lane) * tags_per_exchange;
}

} // namespace hopscotch::schedules
