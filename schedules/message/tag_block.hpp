// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says which message tags of a graph communicator are for what.
#pragma once

#include "schedules/plan/algorithm.hpp"

namespace hopscotch::schedules
{

/// Tags of one graph communicator: `count` from `first` on, for its use alone.
struct TagBlock {
    int first = 0;
    static constexpr int count = 4096;

    /// Of messages that belong to no exchange: those that set the graph up, that carry calls a second time, that agree
    /// on the times of trials, of blocking calls and of each collective's nonblocking ones, and that tell of calls that
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

} // namespace hopscotch::schedules
