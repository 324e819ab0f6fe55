// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ends the job at a call that could never end, because sizes wrongly disagree and a neighbor has chosen another
// algorithm: a process in a long call announces it to its neighbors, and receives their announcements.
#include "shim/call/mismatch_watchdog.hpp"

#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"
#include "shim/mpi/threads.hpp"

#include <string>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr unsigned looks_per_question = 64; // for the time
constexpr double heard_after_seconds = 0.01;

/// A call in words for the error line.
std::string made_by(int rank, const NumberedCall& call)
{
    return "rank " + std::to_string(rank) + " gives blocks of " + std::to_string(call.block_bytes) + " bytes (" +
           name(static_cast<Algorithm>(call.algorithm % schedules::with_large_blocks)) + ")";
}

} // namespace

bool WaitInCall::hears() noexcept
{
    if (++looks % looks_per_question != 0)
        return false;
    if (!patience)
        patience.emplace();
    return patience->spent() >= heard_after_seconds;
}

void MismatchWatchdog::release() noexcept
{
    for (MPI_Request& send : sends_)
        if (send != MPI_REQUEST_NULL)
            next.MPI_Request_free(&send);
}

void MismatchWatchdog::remember(const NumberedCall& call)
{
    const LockAmongThreads lock(mutex_);
    calls_.remember(call);
}

void MismatchWatchdog::compare(Call function, const NumberedCall& own, WaitInCall& wait)
{
    // The MPI library may ask for another call while this one hears: it does so again.
    if (!in_use_.take())
        return;
    const auto leave = [](Flag* flag) { flag->set(false); };
    const std::unique_ptr<Flag, decltype(leave)> leaves(&in_use_, leave);
    if (detected_.group == nullptr)
        return; // MPI ends
    const double spent = wait.patience->spent();
    if (spent >= wait.tells_at && told()) {
        wait.tells_at = 2 * spent;
        tell(own);
    }
    hear();
    const LockAmongThreads lock(mutex_);
    if (const auto found = calls_.mismatch(own))
        end_job("processes disagree in one call of " + std::string(name(function)) + " on a communicator of " +
                    name(detected_.graph->created_by) +
                    ", which could never end: " + made_by(detected_.graph->edges.rank, found->own) + ", " +
                    made_by(found->rank, found->theirs) + " (MPI 4.0, " + (is_global(function) ? "6.7" : "8.6") +
                    ": in " + std::string(name(function)) + " all blocks have the same size)",
                "processes disagreed about the size of blocks");
}

/// True if the last announcement has been sent, so that the next may follow.
bool MismatchWatchdog::told() noexcept
{
    int flag = 0;
    next.MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &flag, MPI_STATUSES_IGNORE);
    return flag != 0;
}

void MismatchWatchdog::tell(const NumberedCall& own)
{
    if (sends_.empty()) {
        const schedules::Edges& edges = detected_.graph->edges;
        neighbors_ = edges.sources;
        neighbors_.insert(neighbors_.end(), edges.destinations.begin(), edges.destinations.end());
        neighbors_ = schedules::distinct_others(std::move(neighbors_), edges.rank);
        sends_.assign(neighbors_.size(), MPI_REQUEST_NULL);
    }
    said_ = own;
    for (std::size_t i = 0; i < neighbors_.size(); ++i)
        check(start_send(detected_.group->communicator(), &said_, sizeof said_, neighbors_[i],
                         detected_.tags.watchdog(), sends_[i]));
}

void MismatchWatchdog::hear()
{
    while (const auto message =
               arrived_message(detected_.group->communicator(), MPI_ANY_SOURCE, detected_.tags.watchdog())) {
        NumberedCall theirs;
        message->bytes.copy(reinterpret_cast<char*>(&theirs), sizeof theirs);
        const LockAmongThreads lock(mutex_);
        calls_.hear(message->source, theirs);
    }
}

} // namespace hopscotch::shim
