// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Copies blocks between a collective's slots and their positions in the buffer of the process that sends them.
#pragma once

#include "schedules/memory/slot_run.hpp"
#include "schedules/message/pieces.hpp"

#include <cstddef>

namespace hopscotch::schedules
{

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
