// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Reads time stamps cheap enough for every call: the processor's counter if there is one.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace hopscotch::shim
{

/// Units: ticks; seconds(...) of a difference gives seconds. Local to the process.
inline std::uint64_t ticks() noexcept
{
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Starts the calibration against the system clock; the longer ago, the more exact seconds() is.
void start_clock() noexcept;

/// Seconds between two time stamps `elapsed` ticks apart. Cost: a system clock read; for reports and set-up only.
double seconds(std::uint64_t elapsed) noexcept;

/// Nanoseconds in a tick, as the calibration knows them now. Cost: as seconds().
double nanoseconds_per_tick() noexcept;

/// Seconds since start_clock(); never negative.
double elapsed_seconds() noexcept;

/// The time that a loop has waited. A long step counts as a short one: the process was stopped meanwhile, or the clock
/// set.
class Patience
{
  public:
    /// Units: seconds. To be asked in every turn of the loop.
    double spent() noexcept;

  private:
    double last_ = elapsed_seconds();
    double spent_ = 0.0;
};

} // namespace hopscotch::shim
