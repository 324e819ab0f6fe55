// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands for a consensus in tests of one process: the test sets the values of the others beforehand, for the next
// question each.
#pragma once

#include "shim/group/consensus.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

/// By default, the others give the value of this process.
class FakeConsensus final : public hopscotch::shim::Consensus
{
  public:
    void others_say(std::vector<std::int64_t> values) { maxima_ = std::move(values); }
    void others_say_smallest(std::int64_t value) { maxima_ = {~value}; }

    /// The others give larger values, and smaller ones in a question for the minimum.
    void disagree() { maxima_.assign(2, INT64_MAX - 1); }

    /// They come after so many looks; `look()` is called for each.
    void be_late(int looks, std::function<void()> look) { late_ = {looks, std::move(look)}; }

    /// Throws std::runtime_error once.
    void fail() { fails_ = true; }

    void maxima(std::int64_t* values, std::size_t count) override
    {
        await();
        for (std::size_t i = 0; i < std::min(count, maxima_.size()); ++i)
            values[i] = std::max(values[i], maxima_[i]);
        maxima_.clear();
    }

    /// Questions so far.
    int questions() const noexcept { return questions_; }

  private:
    void await()
    {
        ++questions_;
        if (std::exchange(fails_, false))
            throw std::runtime_error("the agreement failed");
        for (; late_.first > 0; --late_.first)
            late_.second();
    }

    std::vector<std::int64_t> maxima_;
    std::pair<int, std::function<void()>> late_;
    bool fails_ = false;
    int questions_ = 0;
};
