// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells if bytes to be sent and bytes to be received overlap.
#include "schedules/message/clash.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

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
