// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts the steps of a search, so that it ends in time, and alike on all processes that see the same.
#pragma once

#include <algorithm>
#include <cstddef>

namespace hopscotch::schedules
{

/// A step is about 20 ns of a core of 2020: no clock decides, since it would differ between processes.
class SearchBudget
{
  public:
    explicit SearchBudget(std::size_t steps) : left_(steps) {}

    /// Takes so many steps. False if fewer are left: the caller must then leave out their work.
    bool take(std::size_t steps) noexcept
    {
        stopped_ = stopped_ || steps > left_;
        left_ -= std::min(steps, left_);
        return !stopped_;
    }

    /// Records that work was left out for lack of steps.
    void leave_out() noexcept { left_out_ = true; }

    /// One of so many equal parts of the rest, for a part of the search; give_back() returns its unused steps.
    SearchBudget lend(std::size_t parts) noexcept
    {
        const std::size_t steps = left_ / parts;
        left_ -= steps;
        return SearchBudget(steps);
    }

    void give_back(const SearchBudget& lent) noexcept
    {
        left_ += lent.left_;
        left_out_ = left_out_ || lent.has_left_out();
    }

    std::size_t left() const noexcept { return left_; }

    /// True if work had to be left out.
    bool has_left_out() const noexcept { return stopped_ || left_out_; }

  private:
    std::size_t left_;
    bool stopped_ = false;
    bool left_out_ = false;
};

} // namespace hopscotch::schedules
