// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in nonblocking calls, several of which may be in flight: each is complete some time after it began.
#include "schedules/selection/late_trial.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hopscotch::schedules
{

LateTrial::LateTrial(std::vector<Choice> likely_fastest_first, std::size_t measured)
    : measured_(measured), calls_of_each_(3 * measured),
      trial_(std::move(likely_fastest_first), calls_of_each_, 2 * measured),
      seconds_(trial_.candidates().size() * calls_of_each_)
{
}

void LateTrial::note(std::size_t call, double seconds) noexcept
{
    seconds_[call] = seconds;
    ++noted_;
}

std::vector<std::int64_t> LateTrial::nanoseconds()
{
    for (std::size_t end = calls_of_each_; end <= seconds_.size(); end += calls_of_each_) {
        const auto last = seconds_.begin() + static_cast<std::ptrdiff_t>(end);
        const auto first = last - static_cast<std::ptrdiff_t>(measured_);
        const double sum = std::accumulate(first, last, 0.0) - *std::max_element(first, last);
        trial_.note(end - 1, sum / static_cast<double>(measured_ - 1));
    }
    return trial_.nanoseconds();
}

} // namespace hopscotch::schedules
