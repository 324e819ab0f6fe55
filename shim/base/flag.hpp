// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lets the threads of a process tell each other one thing.
#pragma once

#include <atomic>

namespace hopscotch::shim
{

/// A thread that sees it set, or not set any more, sees everything that the other thread wrote before. Every call may
/// read it. A plain atomic's store would wait until all processors have seen it; nothing here needs that.
class Flag
{
  public:
    constexpr explicit Flag(bool on = false) noexcept : on_(on) {}

    bool is_set() const noexcept { return on_.load(std::memory_order_acquire); }
    void set(bool on = true) noexcept { on_.store(on, std::memory_order_release); }

    /// Sets it. If several threads call this, one gets true, until it is set to false again.
    bool take() noexcept { return !on_.exchange(true, std::memory_order_acquire); }

  private:
    std::atomic<bool> on_;
};

} // namespace hopscotch::shim
