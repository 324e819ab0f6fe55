// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists the operations in flight, and advances them: in completion calls, in our own waiting, in the MPI library's.
#pragma once

#include "shim/mpi/next.hpp"
#include "shim/mpi/threads.hpp"

#include <cstdint>
#include <memory>
#include <mutex>

namespace hopscotch::shim
{

/// Something that was started and completes later.
class InFlight
{
  public:
    virtual ~InFlight() = default;

    /// Advances without waiting; true once complete. Called under the lock of progress().
    virtual bool advance() = 0;
};

/// Advances an operation for the first time, so that it has begun, and adds it to those that progress() advances, in
/// the order of their start.
[[gnu::hot]] void enlist(std::shared_ptr<InFlight> operation);

/// Advances every operation in flight once, in the order of their start; those that complete leave the list. Cost: one
/// branch if there are none. Safe to call from several threads and from within itself.
[[gnu::hot]] void progress();

/// True if any operation is in flight.
bool anything_in_flight() noexcept;

/// To be called after a fruitless look, counted in `looks`, at data that another process has yet to write. That process
/// may need progress of MPI on this one first (for a large message, or one-sided access), so every now and then a look
/// at an empty corner of a communicator gives it. Only one of several threads looks at a time, for all: the others
/// would only wait for the MPI library's lock.
void poll_now_and_then(unsigned& looks, MPI_Comm comm, unsigned looks_per_poll = 64);

/// While it is locked no other thread advances operations in flight; it is not locked if a thread does so now.
std::unique_lock<std::mutex> try_to_hold_operations();

/// From now on the MPI library's own progress calls this too, but not while operations in flight are advanced.
void look_along(void (*look)()) noexcept;

/// The callback for the MPI library's own progress (library_progress.hpp). Does nothing in a thread that may not call
/// MPI: a thread of the MPI library or of another one may make progress, too.
void drive_from_library();

/// The threads in which drive_from_library() acts.
enum class Drivers : std::uint8_t {
    none,
    callers, // those that have started an operation of ours, and the one that says this: the program's main thread
    any      // all: the program has them take turns in MPI, and MPI alone makes progress
};

/// By default none. The MPI library must not call us from several threads at once; to be said before any operation is
/// in flight.
void allow_driving(Drivers drivers) noexcept;

/// Makes progress until `complete()` is true; `idle()` is called after a fruitless look.
template <class Complete, class Idle>
void progress_until(Complete&& complete, Idle&& idle)
{
    unsigned looks = 0;
    while (!complete()) {
        progress();
        if (complete())
            return;
        idle();
        give_way_among_threads(looks);
    }
}

} // namespace hopscotch::shim
