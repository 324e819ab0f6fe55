// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets processes agree on the part of their cores' time that others took during a measurement.
#include "shim/selection/trial_load.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

constexpr double scale = 1e6;

} // namespace

std::int64_t load_value(double without_core, Due due) noexcept
{
    const bool known = without_core >= 0.0;
    const double lost = known ? std::max(1.0 - (1.0 - without_core) / due.share, 0.0) : unknown_share;
    const auto value = static_cast<std::int64_t>(lost * scale);
    return due.oversubscribed ? -value : value;
}

double agreed_share(std::int64_t largest, Due due) noexcept
{
    const std::int64_t value = due.oversubscribed ? -largest : largest;
    return value < 0 ? unknown_share : static_cast<double>(value) / scale;
}

} // namespace hopscotch::shim
