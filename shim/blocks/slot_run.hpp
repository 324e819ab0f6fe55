// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds slots that follow one another, as their blocks do elsewhere, so that one copy moves them all.
#pragma once

#include <cstddef>
#include <vector>

namespace hopscotch::shim
{

/// Slots slot, slot + 1 ... belong to the places position, position + 1 ...
struct SlotRun {
    int slot = 0;
    int position = 0;
    int count = 0;
};

/// Adds one slot: to the last run if it follows on that, else as a run of its own.
inline void append_slot(std::vector<SlotRun>& runs, int slot, int position)
{
    if (!runs.empty() && runs.back().slot + runs.back().count == slot &&
        runs.back().position + runs.back().count == position)
        ++runs.back().count;
    else
        runs.push_back({slot, position, 1});
}

} // namespace hopscotch::shim
