// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/progress.hpp"

#include "shim/base/immortal.hpp"
#include "shim/group/process_group.hpp"
#include "shim/mpi/threads.hpp"

#include <atomic>
#include <vector>

namespace hopscotch::shim
{

namespace
{

struct List {
    std::mutex mutex;
    std::vector<std::shared_ptr<InFlight>> operations;
};

Flag in_flight; // anything
std::atomic<Drivers> drivers{Drivers::none};
std::atomic<void (*)()> look_too{nullptr};

/// Set while this thread advances operations: the MPI calls they make lead back here.
thread_local bool advancing = false;

/// Set in a thread that has called MPI through this library.
thread_local bool calls_mpi = false;

class Advancing
{
  public:
    Advancing() { advancing = true; }
    ~Advancing() { advancing = false; }
    Advancing(const Advancing&) = delete;
    Advancing& operator=(const Advancing&) = delete;
};

} // namespace

void enlist(std::shared_ptr<InFlight> operation)
{
    calls_mpi = true;
    const std::lock_guard<std::mutex> lock(immortal<List>().mutex);
    auto& operations = immortal<List>().operations;
    operations.push_back(std::move(operation)); // first, since advancing may call a function of the program that throws
    in_flight.set();
    const Advancing guard;
    if (operations.back()->advance())
        operations.pop_back();
}

void progress()
{
    if (!in_flight.is_set() || advancing)
        return;
    const std::unique_lock<std::mutex> lock(immortal<List>().mutex, std::try_to_lock);
    if (!lock.owns_lock())
        return; // another thread is at it
    const Advancing guard;
    auto& operations = immortal<List>().operations;
    for (std::size_t i = 0; i < operations.size();) { // whole at any time, since advancing may throw
        if (operations[i]->advance())
            operations.erase(operations.begin() + static_cast<std::ptrdiff_t>(i));
        else
            ++i;
    }
    in_flight.set(!operations.empty());
}

bool anything_in_flight() noexcept
{
    return in_flight.is_set();
}

void poll_now_and_then(unsigned& looks, MPI_Comm comm, unsigned looks_per_poll)
{
    static Flag polls;
    if (++looks % looks_per_poll != 0)
        return;
    const bool shared = several_threads();
    if (shared && !polls.take())
        return; // another thread is at it
    const auto leave = [shared](Flag* held) {
        if (shared)
            held->set(false);
    };
    const std::unique_ptr<Flag, decltype(leave)> leaves(&polls, leave);
    int flag = 0;
    next.MPI_Iprobe(MPI_ANY_SOURCE, ProcessGroup::unused_tag, comm, &flag, MPI_STATUS_IGNORE);
}

std::unique_lock<std::mutex> try_to_hold_operations()
{
    return std::unique_lock<std::mutex>(immortal<List>().mutex, std::try_to_lock);
}

void drive_from_library()
{
    const Drivers allowed = drivers.load(std::memory_order_relaxed);
    if (allowed == Drivers::none || (allowed == Drivers::callers && !calls_mpi))
        return;
    progress();
    if (void (*const look)() = look_too; look != nullptr && !advancing)
        look();
}

void look_along(void (*look)()) noexcept
{
    look_too = look;
}

void allow_driving(Drivers allowed) noexcept
{
    calls_mpi = true;
    drivers = allowed;
}

} // namespace hopscotch::shim
