// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells whether threads may call MPI at once, and lets them wait without keeping others from a core.
#pragma once

#include "shim/mpi/next.hpp"

#include <mutex>
#include <sched.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hopscotch::shim
{

/// Whether several threads may call MPI at once.
inline bool several_threads() noexcept
{
    static const bool several = [] {
        int level = MPI_THREAD_MULTIPLE;
        return next.Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
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

/// After a fruitless look of a thread that waits, counted in `looks`: where several threads may call MPI at once, they
/// may outnumber the cores, and one that has looked often gives its core away. Local: who gives way does not change
/// what is sent. They do not sleep, since where no process yields nobody wakes them.
inline void give_way_among_threads(unsigned& looks) noexcept
{
    constexpr unsigned looks_before_giving_way = 64;
    if (++looks > looks_before_giving_way && several_threads())
        give_way();
}

} // namespace hopscotch::shim
