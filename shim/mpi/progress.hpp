// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The operations in flight, and everything that advances them: completion calls, our own waiting, the MPI library's.
#pragma once

#include "shim/exchange/operation.hpp"

#include <memory>
#include <mutex>

namespace hopscotch::shim
{

/// Something that was started and completes later.
class InFlight
{
  public:
    virtual ~InFlight() = default;

    /// Does what can be done without waiting; true once complete. Called under the lock of progress().
    virtual bool advance() = 0;
};

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

/// Advances an operation for the first time, so that it has begun when this returns, and adds it to those that
/// progress() advances, in the order of their start.
void enlist(std::shared_ptr<InFlight> operation);

/// Advances every operation in flight once, in the order of their start; those that complete leave the list.
/// Cost: one branch when there are none. Safe to call from several threads and from within itself.
[[gnu::hot]] void progress() noexcept;

/// Whether any operation is in flight.
bool anything_in_flight() noexcept;

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

/// After a fruitless look, counted in `looks`, at what another process has yet to write: it may be unable to come there
/// before MPI has made progress on this process (for a large message, or one-sided access), so every now and then a
/// look at an empty corner of a communicator lets it. Of several threads one looks at a time, for all: the others would
/// only wait for the MPI library's lock.
void poll_now_and_then(unsigned& looks, MPI_Comm comm) noexcept;

/// What to do between two fruitless looks at an operation in flight: another thread may be advancing it.
void idle_in_flight(Exchange& exchange, bool yields) noexcept;

/// Whether the MPI library has been seen to call us while it makes progress itself: then an operation that must forward
/// blocks is advanced inside every blocking MPI call of this process, whatever it is.
bool driven_by_library() noexcept;

/// Asks Open MPI to call us while it makes progress; UCX's progress is intercepted (wrap_ucx.cpp). Other libraries take
/// no notice.
void join_progress_loop() noexcept;

/// What the MPI library's own progress calls.
void drive_from_library() noexcept;

/// The library must not call us from several threads at once; to be said before any operation is in flight.
void allow_driving(bool allowed) noexcept;

/// Makes progress until `complete()` is true; `idle()` is what to do after a fruitless look.
template <class Complete, class Idle>
void progress_until(Complete&& complete, Idle&& idle)
{
    WaitingThread waiting;
    while (!complete()) {
        progress();
        if (complete())
            return;
        idle();
        waiting.give_way_if_crowded();
    }
}

/// Advances an exchange until it is complete, and all other operations in flight meanwhile; `looked()` is what else to
/// do after a fruitless look. `yields`: other processes need the core.
template <class Looked>
void wait(Exchange& exchange, bool yields, Looked&& looked)
{
    WaitingThread waiting;
    while (!exchange.advance()) {
        progress();
        exchange.idle(yields);
        waiting.give_way_if_crowded();
        looked();
    }
}

} // namespace hopscotch::shim
