// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets processes agree on the part of their cores' time that others took during a measurement.
#pragma once

#include "shim/selection/core_time.hpp"

#include <cstdint>

namespace hopscotch::shim
{

/// The cores of the processes that measure together.
struct Due {
    double share;        // of a core, for each process of this node if nobody else uses it; at most 1
    bool oversubscribed; // some node of theirs; the same on all of them
};

/// The value of this process, of which all find the largest. `without_core`: share_without_core(), also unknown.
std::int64_t load_value(double without_core, Due due) noexcept;

/// The share that others took, from 0 to 1, or unknown_share. `largest`: load_value() over all processes. If each
/// process has a core, it is the share of the process that lost most: all wait for it. On oversubscribed nodes single
/// processes get more or less than their due by chance, so it is that of the process that lost least.
double agreed_share(std::int64_t largest, Due due) noexcept;

/// The load of others since begin(), by the calling thread. Local.
class TrialLoad
{
  public:
    void begin() noexcept { begun_ = core_time(); }
    std::int64_t value(Due due) const noexcept { return load_value(share_without_core(begun_, core_time()), due); }

  private:
    CoreTime begun_;
};

} // namespace hopscotch::shim
