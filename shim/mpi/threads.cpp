// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells whether threads may call MPI at once, and lets them wait without keeping others from a core.
#include "shim/mpi/threads.hpp"

#include "shim/mpi/next.hpp"

#include <atomic>
#include <climits>
#include <sched.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hopscotch::shim
{

namespace
{

std::atomic<int> waiting_threads{0};
std::atomic<int> most_waiting_threads{INT_MAX};

} // namespace

bool several_threads() noexcept
{
    static const bool several = [] {
        int level = MPI_THREAD_MULTIPLE;
        return next.Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
    }();
    return several;
}

void give_way() noexcept
{
    sched_yield();
}

void relax() noexcept
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

void limit_waiting_threads(int most) noexcept
{
    int known = most_waiting_threads;
    while (most < known && !most_waiting_threads.compare_exchange_weak(known, most)) {
    }
}

void WaitingThread::give_way_if_too_many() noexcept
{
    if (!several_threads())
        return;
    if (!counted_)
        ++waiting_threads;
    counted_ = true;
    if (waiting_threads > most_waiting_threads)
        give_way();
}

WaitingThread::~WaitingThread()
{
    if (counted_)
        --waiting_threads;
}

} // namespace hopscotch::shim
