// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs of slots of a collective's blocks that have consecutive positions in a buffer of the sender, and their copies.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace hopscotch::schedules
{

/// Slots slot, slot + 1 ... belong to the positions position, position + 1 ...: one copy may move them all.
struct SlotRun {
    int slot = 0;
    int position = 0;
    int count = 0;
};

/// Runs [first, last): a loop over them keeps its variables in registers while it copies blocks.
struct SlotRuns {
    const SlotRun* first = nullptr;
    const SlotRun* last = nullptr;

    const SlotRun* begin() const noexcept { return first; }
    const SlotRun* end() const noexcept { return last; }
};

inline SlotRuns all(const std::vector<SlotRun>& runs) noexcept
{
    return {runs.data(), runs.data() + runs.size()};
}

/// Adds one slot: to the last run if it follows on that, else as a run of its own.
inline void append_slot(std::vector<SlotRun>& runs, int slot, int position)
{
    if (!runs.empty() && runs.back().slot + runs.back().count == slot &&
        runs.back().position + runs.back().count == position)
        ++runs.back().count;
    else
        runs.push_back({slot, position, 1});
}

/// Copies a run of bytes. A length the compiler knows becomes one load and one store, a short call less per block.
inline void copy_run(char* to, const char* from, std::size_t length) noexcept
{
    switch (length) {
    case 0:
        return;
    case 1:
        std::memcpy(to, from, 1);
        return;
    case 2:
        std::memcpy(to, from, 2);
        return;
    case 4:
        std::memcpy(to, from, 4);
        return;
    case 8:
        std::memcpy(to, from, 8);
        return;
    case 16:
        std::memcpy(to, from, 16);
        return;
    default:
        std::memcpy(to, from, length);
    }
}

/// Copies blocks of one size that follow one another on both sides: number 0 begins at `slots` and `positions`.
inline void copy_to_slots(SlotRuns runs, std::size_t block_bytes, const char* positions, char* slots) noexcept
{
    for (const SlotRun run : runs)
        copy_run(slots + static_cast<std::size_t>(run.slot) * block_bytes,
                 positions + static_cast<std::size_t>(run.position) * block_bytes,
                 static_cast<std::size_t>(run.count) * block_bytes);
}

/// The reverse.
inline void copy_to_positions(SlotRuns runs, std::size_t block_bytes, const char* slots, char* positions) noexcept
{
    for (const SlotRun run : runs)
        copy_run(positions + static_cast<std::size_t>(run.position) * block_bytes,
                 slots + static_cast<std::size_t>(run.slot) * block_bytes,
                 static_cast<std::size_t>(run.count) * block_bytes);
}

} // namespace hopscotch::schedules
