// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The operations in flight, and everything that advances them: completion calls, our own waiting, the MPI library's.
#include "shim/mpi/progress.hpp"

#include "shim/base/log.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/process_group.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <mutex>
#include <sched.h>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace hopscotch::shim
{

namespace
{

struct List {
    std::mutex mutex;
    std::vector<std::shared_ptr<InFlight>> operations;
};

List& list()
{
    static auto* operations = new List;
    return *operations;
}

std::atomic<int> in_flight{0};
std::atomic<bool> driving_allowed{false};
std::atomic<bool> library_calls{false};
std::atomic<int> waiting_threads{0};
std::atomic<int> most_waiting_threads{INT_MAX};

/// Set while this thread advances operations: the MPI calls they make lead back here.
thread_local bool advancing = false;

class Advancing
{
  public:
    Advancing() { advancing = true; }
    ~Advancing() { advancing = false; }
    Advancing(const Advancing&) = delete;
    Advancing& operator=(const Advancing&) = delete;
};

} // namespace

bool several_threads() noexcept
{
    static const bool several = [] {
        int level = MPI_THREAD_MULTIPLE;
        return next.Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
    }();
    return several;
}

void enlist(std::shared_ptr<InFlight> operation)
{
    const std::lock_guard<std::mutex> lock(list().mutex);
    const Advancing guard;
    if (operation->advance())
        return;
    list().operations.push_back(std::move(operation));
    in_flight.store(static_cast<int>(list().operations.size()), std::memory_order_release);
}

void progress() noexcept
{
    if (in_flight.load(std::memory_order_acquire) == 0 || advancing)
        return;
    const std::unique_lock<std::mutex> lock(list().mutex, std::try_to_lock);
    if (!lock.owns_lock())
        return; // another thread is at it
    const Advancing guard;
    auto& operations = list().operations;
    const auto complete = [](const std::shared_ptr<InFlight>& operation) { return operation->advance(); };
    operations.erase(std::remove_if(operations.begin(), operations.end(), complete), operations.end());
    in_flight.store(static_cast<int>(operations.size()), std::memory_order_release);
}

bool anything_in_flight() noexcept
{
    return in_flight.load(std::memory_order_acquire) != 0;
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
    int known = most_waiting_threads.load(std::memory_order_relaxed);
    while (most < known && !most_waiting_threads.compare_exchange_weak(known, most, std::memory_order_relaxed)) {
    }
}

void WaitingThread::give_way_if_too_many() noexcept
{
    if (!several_threads())
        return;
    if (!counted_)
        waiting_threads.fetch_add(1, std::memory_order_relaxed);
    counted_ = true;
    if (waiting_threads.load(std::memory_order_relaxed) > most_waiting_threads.load(std::memory_order_relaxed))
        give_way();
}

WaitingThread::~WaitingThread()
{
    if (counted_)
        waiting_threads.fetch_sub(1, std::memory_order_relaxed);
}

void poll_now_and_then(unsigned& looks, MPI_Comm comm) noexcept
{
    constexpr unsigned looks_per_poll = 64;
    static std::atomic_flag polls = ATOMIC_FLAG_INIT;
    if (++looks % looks_per_poll != 0)
        return;
    const bool shared = several_threads();
    if (shared && polls.test_and_set(std::memory_order_acquire))
        return; // another thread is at it
    int flag = 0;
    next.Iprobe(MPI_ANY_SOURCE, ProcessGroup::unused_tag, comm, &flag, MPI_STATUS_IGNORE);
    if (shared)
        polls.clear(std::memory_order_release);
}

void Exchange::fail_for_sizes(std::size_t sent_bytes, std::size_t received_bytes) noexcept
{
    fail(MPI_ERR_TRUNCATE);
    static std::atomic<bool> told{false};
    if (told.exchange(true))
        return;
    char line[200];
    std::snprintf(line, sizeof line,
                  "blocks of %zu bytes are sent and of %zu received in one call, which fails (MPI 4.0, 8.6: in "
                  "MPI_Neighbor_alltoall all blocks have the same size); merged and trivial carry it",
                  sent_bytes, received_bytes);
    log(LogLevel::warn, line);
}

void Exchange::idle(bool yields) noexcept
{
    if (yields)
        give_way();
}

void idle_in_flight(Exchange& exchange, bool yields) noexcept
{
    if (!several_threads())
        return exchange.idle(yields);
    {
        const std::unique_lock<std::mutex> lock(list().mutex, std::try_to_lock);
        if (lock.owns_lock())
            exchange.idle(false); // asleep it would keep the others from advancing theirs
    }
    if (yields)
        give_way();
}

void drive_from_library() noexcept
{
    if (in_flight.load(std::memory_order_relaxed) != 0 && driving_allowed.load(std::memory_order_relaxed))
        progress();
    else if (!library_calls.load(std::memory_order_relaxed))
        library_calls.store(true, std::memory_order_relaxed);
}

bool driven_by_library() noexcept
{
    return library_calls.load(std::memory_order_relaxed);
}

void allow_driving(bool allowed) noexcept
{
    driving_allowed.store(allowed, std::memory_order_relaxed);
}

} // namespace hopscotch::shim
