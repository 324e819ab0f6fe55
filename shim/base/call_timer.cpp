// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// How long the calls of one kind take: each by the processor's counter, or most of them by what the kernel wrote last
// where they are so short that the counter would be felt.
#include "shim/base/call_timer.hpp"

namespace hopscotch::shim
{

std::uint64_t CallTimer::timed(std::uint64_t elapsed) noexcept
{
    constexpr unsigned coarse_calls = 255; // between two that are timed
    constexpr std::uint64_t short_nanoseconds = 1000;
    static const std::uint64_t short_ticks = ticks_in(short_nanoseconds);
    coarse_calls_ = elapsed < short_ticks ? coarse_calls : 0;
    return elapsed;
}

} // namespace hopscotch::shim
