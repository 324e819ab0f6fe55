// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/base/clock.hpp"

#include <algorithm>
#include <chrono>

namespace hopscotch::shim
{

namespace
{

std::uint64_t first_ticks = 0;
double first_seconds = 0.0;

double system_seconds() noexcept
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

void start_clock() noexcept
{
    first_seconds = system_seconds();
    first_ticks = ticks();
}

double elapsed_seconds() noexcept
{
    return std::max(system_seconds() - first_seconds, 0.0);
}

double Patience::spent() noexcept
{
    constexpr double longest_step = 0.1;
    const double now = elapsed_seconds();
    spent_ += std::clamp(now - last_, 0.0, longest_step);
    last_ = now;
    return spent_;
}

double seconds(std::uint64_t elapsed) noexcept
{
    // Differences are negative if processors' counters are not synchronized.
    const auto wanted = static_cast<std::int64_t>(elapsed);
    const auto passed = static_cast<std::int64_t>(ticks() - first_ticks);
    return wanted <= 0 || passed <= 0 ? 0.0
                                      : static_cast<double>(wanted) * (elapsed_seconds() / static_cast<double>(passed));
}

double nanoseconds_per_tick() noexcept
{
    constexpr std::uint64_t many = std::uint64_t{1} << 32;
    return seconds(many) * 1e9 / static_cast<double>(many);
}

} // namespace hopscotch::shim
