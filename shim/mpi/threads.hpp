// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells whether threads may call MPI at once, and lets them wait without keeping others from a core.
#pragma once

#include <mutex>

namespace hopscotch::shim
{

/// Whether several threads may call MPI at once.
bool several_threads() noexcept;

/// Holds a mutex, if several threads may call MPI at once.
class LockAmongThreads
{
  public:
    explicit LockAmongThreads(std::mutex& mutex) : lock_(mutex, std::defer_lock)
    {
        if (several_threads())
            lock_.lock();
    }

  private:
    std::unique_lock<std::mutex> lock_;
};

/// Gives the core to another process.
void give_way() noexcept;

/// Tells the core that this process only looks again.
void relax() noexcept;

/// From now on, if more threads of this process than that wait at once, they give their cores away. Local: who gives
/// way does not change what is sent. They do not sleep, since where no process yields nobody wakes them.
void limit_waiting_threads(int most) noexcept;

/// A thread that waits in a call of ours, while this lives.
class WaitingThread
{
  public:
    WaitingThread() = default;
    ~WaitingThread();
    WaitingThread(const WaitingThread&) = delete;
    WaitingThread& operator=(const WaitingThread&) = delete;

    /// After every fruitless look: gives the core away if too many threads wait. Whoever has not looked often does not
    /// count as waiting, since that takes longer than many a call.
    void give_way_if_crowded() noexcept
    {
        constexpr unsigned looks_before_counted = 16;
        if (++looks_ > looks_before_counted)
            give_way_if_too_many();
    }

  private:
    void give_way_if_too_many() noexcept;

    unsigned looks_ = 0;
    bool counted_ = false;
};

} // namespace hopscotch::shim
