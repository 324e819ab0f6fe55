// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures the part of its time for which a thread was kept from a core.
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

/// That of the calling thread. Keeps errno. Cost: some microseconds; not for every call.
CoreTime core_time() noexcept;

constexpr double unknown_share = -1.0;

/// The part of the time between the two in which the thread would have run, but had no core, from 0 to 1: other work
/// had it, another virtual machine, or a limit of the system. Unknown if it slept and the system keeps no books, or if
/// the two are of different threads.
double share_without_core(const CoreTime& begin, const CoreTime& end) noexcept;

} // namespace hopscotch::shim
