// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/memory/copy_trials.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

bool CopyTrials::once(std::size_t bytes, bool usual) noexcept
{
    measured_ = nullptr;
    constexpr std::size_t first_octave = Results::first_octave;
    constexpr std::size_t end_octave = first_octave + Results::octaves;
    std::size_t octave = 0;
    while (octave < end_octave && bytes >> (octave + 1) != 0)
        ++octave;
    if (octave < first_octave || octave >= end_octave)
        return once_ = usual;
    const std::size_t upper_half = bytes >> (octave - 1) & 1;
    SizeClass& found = results_->classes_[2 * (octave - first_octave) + upper_half];
    if (decided(found)) {
        if (++found.calls_of_period > found.period - calls_looked_at)
            measured_ = &found;
        return once_ = found.times.once < found.times.twice;
    }
    measured_ = &found;
    return once_ = (found.calls / 2 % 2 == 0) == usual; // the usual way first
}

std::optional<CopyTrials::Times> CopyTrials::note(std::uint64_t time) noexcept
{
    SizeClass& found = *measured_;
    measured_ = nullptr;
    if (decided(found)) {
        look_again(found, time);
        return std::nullopt;
    }
    std::uint64_t& shortest = once_ ? found.times.once : found.times.twice;
    if (found.calls % 2 == 1)
        shortest = std::min(shortest, time);
    return ++found.calls == calls_of_trial ? std::optional(found.times) : std::nullopt;
}

/// A period ends at the same call on processes with equal sizes, so their trials begin together.
void CopyTrials::look_again(SizeClass& found, std::uint64_t time) noexcept
{
    found.shortest = std::min(found.shortest, time);
    if (found.calls_of_period < found.period)
        return;
    const std::uint64_t expected = std::min(found.times.once, found.times.twice);
    if (found.shortest / 3 > expected / 2) {
        found.times = {};
        found.calls = 0;
        found.period = std::min(2 * found.period, last_period);
    }
    found.calls_of_period = 0;
    found.shortest = std::numeric_limits<std::uint64_t>::max();
}

} // namespace hopscotch::schedules
