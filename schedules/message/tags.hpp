// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Assigns the message tags of a graph communicator to their purposes.
#pragma once

#include "schedules/memory/segment_layout.hpp"
#include "schedules/plan/algorithm.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

/// Tags of one graph communicator: `count` from `first` on, for its use alone.
struct TagBlock {
    int first = 0;
    static constexpr int count = 4096;

    /// Tags of messages that belong to no exchange. Such messages set the graph up, carry calls a second time, agree on
    /// the times of trials (of blocking calls, and of each collective's nonblocking ones), and announce calls that
    /// wait. The last ones of the block.
    int set_up() const noexcept { return first + count - 1; }
    int reference() const noexcept { return first + count - 2; }
    int agreement() const noexcept { return first + count - 3; }
    int watchdog() const noexcept { return first + count - 4; }
    int silent_agreement(Collective collective) const noexcept
    {
        return first + count - 5 - static_cast<int>(collective);
    }
    static constexpr int of_no_exchange = 4 + static_cast<int>(collective_count);
};

/// Tags of exchanges count from 0 on within the block. One exchange uses so many from its first on. An exchange by a
/// schedule: messages, their rests, and two for blocks that travel directly. An exchange in shared memory: two for
/// blocks that travel directly, and the last one for messages to other nodes. Calls take two such tags in turn: after
/// an error a process goes on to its next call, and its messages must not match the failed one. Exchanges that may be
/// in flight at once have different tags.
constexpr int tags_per_exchange = 4;
constexpr int off_node_tag = tags_per_exchange - 1;

/// Exchanges of one kind: of blocking calls, of nonblocking ones in flight at once, and of those with large blocks.
constexpr int blocking_lane = 0;
constexpr int first_nonblocking_lane = 1;
constexpr int first_large_lane = first_nonblocking_lane + nonblocking_streams;
constexpr int large_lanes = 2;
constexpr int lanes = first_large_lane + large_lanes;

/// The kinds of exchanges of one collective, by algorithm. Blocks are combined in three ways: by the paper's schedule
/// or HOPSCOTCH_COMBINING, by groups that split a dimension, and by other groups.
enum class ExchangeKind { trivial, merged, combining, combining_split, combining_grouped, shared, aggregated };
constexpr std::size_t exchange_kind_count = 7;

/// The first tag of an exchange.
constexpr int first_tag(Collective collective, ExchangeKind kind, int lane)
{
    const int row = static_cast<int>(collective) * static_cast<int>(exchange_kind_count) + static_cast<int>(kind);
    return (row * lanes + lane) * tags_per_exchange;
}

/// Tags of reductions and of blocks outside of the graph, which are no exchanges of a choice.
constexpr int first_own_tag =
    static_cast<int>(collective_count) * static_cast<int>(exchange_kind_count) * lanes * tags_per_exchange;
constexpr int own_tags = 16;

/// The first tag of persistent requests.
constexpr int first_persistent_tag = first_own_tag + own_tags;

} // namespace hopscotch::schedules
