// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tries algorithms in nonblocking calls, several of which may be in flight: each is complete some time after it began.
#pragma once

#include "schedules/selection/trial.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// As Trial, but what counts of each candidate is what its calls take on average: where several are in flight, the
/// first that is waited for may take the time of all.
class LateTrial
{
  public:
    /// `likely_fastest_first`: as of Trial. `measured`: calls of each, at least two; twice as many come before them,
    /// since calls take many exchanges in turn, and each must have begun before its time says something.
    LateTrial(std::vector<Choice> likely_fastest_first, std::size_t measured);

    /// Whether every candidate has had its calls.
    bool exhausted() const noexcept { return trial_.exhausted(); }

    /// The number of the call that now begins, and its candidate. Requires: not exhausted.
    std::size_t calls() const noexcept { return trial_.calls(); }
    const Choice& next_candidate() noexcept { return trial_.next_candidate(); }

    /// A call is complete, which took so many seconds.
    void note(std::size_t call, double seconds) noexcept;

    /// Whether all calls that have begun are.
    bool all_complete() const noexcept { return noted_ == calls(); }

    /// Of each candidate the average, without the longest call, for which something else may be to blame. Units: ns.
    /// Requires: exhausted and complete.
    std::vector<std::int64_t> nanoseconds();

    /// As of Trial.
    void conclude(const std::vector<std::int64_t>& agreed, Surroundings surroundings)
    {
        trial_.conclude(agreed, surroundings);
    }
    const Trial& trial() const noexcept { return trial_; }

  private:
    std::size_t measured_;
    std::size_t calls_of_each_;
    Trial trial_;
    std::vector<double> seconds_; // of each call
    std::size_t noted_ = 0;       // calls
};

} // namespace hopscotch::schedules
