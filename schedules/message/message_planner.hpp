// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Decides, call after call, the places of blocks in a message.
#pragma once

#include "schedules/message/overlap.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The overlap of blocks depends on their relative addresses; the planner remembers the result for one arrangement.
class MessagePlanner
{
  public:
    explicit MessagePlanner(HeaderFormat format) : format_(format) {}

    /// The plan for these blocks, until the next call. A header longer than `most_header_bytes` is avoided if possible.
    /// Requires: blocks of different bases have nothing in common, and a block has the same base in each call.
    const MessagePlan& plan(const std::vector<Footprint>& blocks, std::size_t most_header_bytes);

  private:
    struct PlannedMessage {
        std::vector<Footprint> blocks;
        MessagePlan plan;
    };

    bool may_overlap(const std::vector<Footprint>& blocks);
    const MessagePlan& plan_without_repeats(const std::vector<Footprint>& blocks);

    HeaderFormat format_;
    MessagePlan in_turn_;
    std::vector<PlannedMessage> planned_; // the one used last in front
    std::vector<AddressRange> ranges_;
};

} // namespace hopscotch::schedules
