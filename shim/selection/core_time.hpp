// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures the part of its time for which a thread was kept from a core; by it processes agree on the part that
// others took during a measurement.
#pragma once

#include <cstdint>

namespace hopscotch::shim
{

/// The time of one thread so far. Units: ns.
struct CoreTime {
    std::int64_t thread = 0; // the system's number; 0: not known
    std::int64_t clock = 0;
    std::int64_t on_core = 0;
    std::int64_t sleeps = 0; // the number of times that it slept by its own will
    std::int64_t ran = -1;   // by the scheduler's books; -1: not known
    std::int64_t waited = -1;
};

/// The core time of the calling thread. Keeps errno. Cost: some microseconds; not for every call.
CoreTime core_time() noexcept;

constexpr double unknown_share = -1.0;

/// The part of the time between the two in which the thread would have run, but had no core, from 0 to 1: other work
/// had it, another virtual machine, or a limit of the system. Unknown if it slept and the system keeps no books, or if
/// the two are of different threads.
double share_without_core(const CoreTime& begin, const CoreTime& end) noexcept;

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
