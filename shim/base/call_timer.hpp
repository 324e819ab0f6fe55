// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// How long the calls of one kind take: each by the processor's counter, or most of them by what the kernel wrote last
// where they are so short that the counter would be felt.
#pragma once

#include "shim/base/clock.hpp"

#include <cstdint>

namespace hopscotch::shim
{

/// Reading the processor's counter twice takes some ten nanoseconds, which virtual machines make forty. After a call
/// that took less than a microsecond, the next ones are therefore timed coarsely: single calls then take nothing or
/// some milliseconds, and only their sum is near what they took. A long call among them is seen as what it is.
class CallTimer
{
  public:
    struct Begin {
        bool coarse;
        std::uint64_t at; // ticks, or coarse nanoseconds
    };

    Begin begin() const noexcept
    {
        return coarse_calls_ > 0 ? Begin{true, coarse_nanoseconds()} : Begin{false, ticks()};
    }

    /// Ticks since then. To be asked once for every begin().
    std::uint64_t elapsed(const Begin& begin) noexcept
    {
        if (!begin.coarse)
            return timed(ticks() - begin.at);
        if (coarse_calls_ > 0) // a call within a call may have been the last
            --coarse_calls_;
        const std::uint64_t now = coarse_nanoseconds();
        return now == begin.at ? 0 : ticks_in(now - begin.at);
    }

  private:
    std::uint64_t timed(std::uint64_t elapsed) noexcept;

    unsigned coarse_calls_ = 0; // still to come
};

} // namespace hopscotch::shim
