// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/stand_in.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

StandIn stand_in(const std::vector<AddressRange>& ranges, std::size_t margin, std::size_t line)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < ranges.size(); ++i)
        if (!ranges[i].empty())
            order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&ranges](std::size_t a, std::size_t b) { return ranges[a].begin < ranges[b].begin; });
    StandIn memory{std::vector<std::size_t>(ranges.size(), 0), 0};
    std::size_t end = 0;   // end of the ranges placed so far
    std::size_t shift = 0; // from there to here
    for (const std::size_t i : order) {
        const AddressRange& range = ranges[i];
        if (memory.bytes == 0 || range.begin > end + margin) {
            const std::size_t free = (memory.bytes == 0 ? 0 : memory.bytes + margin) + margin;
            shift = (free + line - 1) / line * line + range.begin % line - range.begin;
            end = 0;
        }
        memory.begins[i] = range.begin + shift;
        end = std::max(end, range.end);
        memory.bytes = end + shift;
    }
    memory.bytes += margin;
    return memory;
}

std::optional<Clash> find_clash(std::vector<BlockRun> runs)
{
    std::sort(runs.begin(), runs.end(),
              [](const BlockRun& a, const BlockRun& b) { return a.bytes.begin < b.bytes.begin; });
    BlockRun furthest[2]; // the furthest runs so far: received, sent
    for (const BlockRun& run : runs) {
        const BlockRun& other = furthest[run.sent ? 0 : 1];
        if (run.bytes.begin < other.bytes.end)
            return run.sent ? Clash{run.block, other.block} : Clash{other.block, run.block};
        BlockRun& own = furthest[run.sent ? 1 : 0];
        if (run.bytes.end > own.bytes.end)
            own = run;
    }
    return std::nullopt;
}

} // namespace hopscotch::schedules
