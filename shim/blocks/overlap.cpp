// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells whether a call receives into memory that it also sends, which MPI forbids.
#include "shim/blocks/overlap.hpp"

#include "schedules/topology.hpp"

#include <algorithm>
#include <cstddef>

namespace hopscotch::shim
{

namespace
{

/// Bytes of a block's data that lie together.
struct Run {
    std::size_t begin = 0; // addresses
    std::size_t end = 0;
    int block = 0;
    bool sent = false;
};

/// For datatypes that only the MPI library can read: unpacks marks into memory as large as the block.
void add_marked(const Block& block, Run run, std::vector<Run>& runs)
{
    const AddressRange reach = reach_of(block);
    std::vector<char> memory(reach.end - reach.begin, 0);
    Block there = block;
    there.address =
        memory.data() + (reinterpret_cast<std::ptrdiff_t>(block.address) - static_cast<std::ptrdiff_t>(reach.begin));
    const std::vector<char> marks(block.bytes, 1);
    unpack(marks.data(), marks.size(), there);
    for (auto at = memory.begin(); (at = std::find(at, memory.end(), 1)) != memory.end();) {
        run.begin = reach.begin + static_cast<std::size_t>(at - memory.begin());
        at = std::find(at, memory.end(), 0);
        run.end = reach.begin + static_cast<std::size_t>(at - memory.begin());
        runs.push_back(run);
    }
}

void add_runs(const BlockLayout& layout, const std::vector<int>& processes, bool sent, std::vector<Run>& runs)
{
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const Block block = layout[static_cast<int>(i)];
        if (processes[i] == schedules::no_rank || block.bytes == 0)
            continue;
        const Run run{0, 0, static_cast<int>(i), sent};
        if (!block.type->flat) {
            add_marked(block, run, runs);
            continue;
        }
        for (const schedules::Pieces& pieces : pieces_of(block))
            for (std::size_t k = 0; k < pieces.count; ++k)
                runs.push_back({pieces.offset + k * pieces.stride, pieces.offset + k * pieces.stride + pieces.length,
                                run.block, sent});
    }
}

} // namespace

std::optional<Overlap> find_overlap(const BlockLayout& send, const std::vector<int>& destinations,
                                    const BlockLayout& receive, const std::vector<int>& sources)
{
    std::vector<Run> runs;
    add_runs(send, destinations, true, runs);
    add_runs(receive, sources, false, runs);
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
    Run furthest[2]; // of those so far: received, sent
    for (const Run& run : runs) {
        const Run& other = furthest[run.sent ? 0 : 1];
        if (run.begin < other.end)
            return run.sent ? Overlap{run.block, other.block} : Overlap{other.block, run.block};
        Run& own = furthest[run.sent ? 1 : 0];
        if (run.end > own.end)
            own = run;
    }
    return std::nullopt;
}

} // namespace hopscotch::shim
