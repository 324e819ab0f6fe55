// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Slots of a collective's blocks that have consecutive positions in a buffer of the sender.
#pragma once

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
void append_slot(std::vector<SlotRun>& runs, int slot, int position);

} // namespace hopscotch::schedules
