// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/message_planner.hpp"

#include <algorithm>
#include <tuple>

namespace hopscotch::schedules
{

namespace
{

/// Arrangements remembered per message: a program's fields of different types and dimensions take turns.
constexpr std::size_t most_planned = 8;

bool same_arrangement(const std::vector<Footprint>& a, const std::vector<Footprint>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Footprint& one, const Footprint& other) {
        return std::tie(one.absent, one.bytes, one.pieces) == std::tie(other.absent, other.bytes, other.pieces);
    });
}

} // namespace

/// Blocks that lie behind each other as a whole have nothing in common: that is most often so, and quickly seen.
bool MessagePlanner::may_overlap(const std::vector<Footprint>& blocks)
{
    ranges_.clear();
    bool sorted = true;
    for (const Footprint& block : blocks) {
        if (block.absent || block.pieces.empty())
            continue;
        AddressRange range{static_cast<std::size_t>(-1), 0};
        for (const Pieces& pieces : block.pieces) {
            range.begin = std::min(range.begin, block.base + pieces.offset);
            range.end = std::max(range.end, block.base + pieces.end());
        }
        sorted = sorted && (ranges_.empty() || ranges_.back().end <= range.begin);
        ranges_.push_back(range);
    }
    if (sorted)
        return false;
    std::sort(ranges_.begin(), ranges_.end(),
              [](const AddressRange& a, const AddressRange& b) { return a.begin < b.begin; });
    return std::adjacent_find(ranges_.begin(), ranges_.end(), [](const AddressRange& a, const AddressRange& b) {
               return b.begin < a.end;
           }) != ranges_.end();
}

const MessagePlan& MessagePlanner::plan_without_repeats(const std::vector<Footprint>& blocks)
{
    auto found = std::find_if(planned_.begin(), planned_.end(),
                              [&blocks](const PlannedMessage& one) { return same_arrangement(one.blocks, blocks); });
    if (found == planned_.end()) {
        if (planned_.size() == most_planned)
            planned_.pop_back();
        planned_.push_back({blocks, without_repeats(blocks, format_)});
        found = planned_.end() - 1;
    }
    std::rotate(planned_.begin(), found, found + 1);
    return planned_.front().plan;
}

const MessagePlan& MessagePlanner::plan(const std::vector<Footprint>& blocks, std::size_t most_header_bytes)
{
    if (may_overlap(blocks)) {
        const MessagePlan& plan = plan_without_repeats(blocks);
        if (format_.bytes(plan.layout) <= most_header_bytes)
            return plan;
    }
    put_in_turn(blocks, in_turn_.layout);
    return in_turn_;
}

} // namespace hopscotch::schedules
