// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells if threads may call MPI at once; lets them tell each other one thing, and wait without keeping others from a
// core.
#pragma once

#include "shim/mpi/next.hpp"

#include <mutex>
#include <sched.h>
#if defined(__x86_64__)
#include <atomic>
#include <immintrin.h>
#endif

namespace hopscotch::shim
{

/// True if several threads may call MPI at once.
inline bool several_threads() noexcept
{
    static const bool several = [] {
        int level = MPI_THREAD_MULTIPLE;
        return next.MPI_Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
    }();
    return several;
}

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
inline void give_way() noexcept
{
    sched_yield();
}

/// Tells the core that this process only looks again.
inline void relax() noexcept
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

/// To be called by a waiting thread after a fruitless look, counted in `looks`. If several threads may call MPI at
/// once, they may outnumber the cores, so a thread yields its core after many looks. Local: yielding does not change
/// the messages. The threads do not sleep, since nobody wakes them if no process yields.
inline void give_way_among_threads(unsigned& looks) noexcept
{
    constexpr unsigned looks_before_giving_way = 64;
    if (++looks > looks_before_giving_way && several_threads())
        give_way();
}

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
