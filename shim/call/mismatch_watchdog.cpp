// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds calls that can never end, since sizes disagree, wrongly, and a neighbor has chosen another algorithm: a process
// whose call takes long tells its neighbors, and hears of them.
#include "shim/call/mismatch_watchdog.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/threads.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr double heard_every_seconds = 0.01;
constexpr std::size_t most_kept = 1024; // of what was heard

} // namespace

bool WaitingCall::hears() noexcept
{
    if (!patience)
        patience.emplace();
    const double spent = patience->spent();
    if (spent < hears_at)
        return false;
    hears_at = spent + heard_every_seconds;
    return true;
}

MismatchWatchdog::MismatchWatchdog(const Graph& graph, std::shared_ptr<const ProcessGroup> group, int tag)
    : group_(std::move(group)), tag_(tag)
{
    std::vector<int> neighbors = graph.edges.sources;
    neighbors.insert(neighbors.end(), graph.edges.destinations.begin(), graph.edges.destinations.end());
    neighbors_ = schedules::distinct_others(std::move(neighbors), graph.edges.rank);
    sends_.assign(neighbors_.size(), MPI_REQUEST_NULL);
}

MismatchWatchdog::~MismatchWatchdog()
{
    release();
}

void MismatchWatchdog::release() noexcept
{
    if (group_ == nullptr)
        return;
    try {
        hear();
    } catch (const std::exception&) {
        // Nothing depends on it.
    } catch (const MpiError&) {
        // The same.
    }
    for (MPI_Request& send : sends_)
        if (send != MPI_REQUEST_NULL)
            next.Request_free(&send);
    group_.reset();
}

void MismatchWatchdog::remember(const NumberedCall& call)
{
    constexpr std::size_t most = 16;
    const LockAmongThreads lock(mutex_);
    recent_.push_back(call);
    if (recent_.size() > most)
        recent_.pop_front();
}

std::optional<Mismatch> MismatchWatchdog::mismatch(WaitingCall& waiting)
{
    if (!waiting.hears())
        return std::nullopt;
    // The MPI library may ask for another call while this one hears: it does so again.
    if (!in_use_.take())
        return std::nullopt;
    const auto leave = [](Flag* flag) { flag->set(false); };
    const std::unique_ptr<Flag, decltype(leave)> leaves(&in_use_, leave);
    if (group_ == nullptr)
        return std::nullopt; // MPI ends
    const double spent = waiting.patience->spent();
    if (spent >= waiting.tells_at && told()) {
        waiting.tells_at = 2 * spent;
        tell(waiting.call);
    }
    hear();
    std::vector<NumberedCall> own = {waiting.call};
    {
        const LockAmongThreads lock(mutex_);
        own.insert(own.end(), recent_.begin(), recent_.end());
    }
    return heard_of(own);
}

/// Whether what was said last has been sent, so that more may be said.
bool MismatchWatchdog::told() noexcept
{
    int flag = 0;
    next.Testall(static_cast<int>(sends_.size()), sends_.data(), &flag, MPI_STATUSES_IGNORE);
    return flag != 0;
}

void MismatchWatchdog::tell(const NumberedCall& own)
{
    said_ = own;
    for (std::size_t i = 0; i < neighbors_.size(); ++i)
        start_send(*group_, &said_, sizeof said_, neighbors_[i], tag_, sends_[i]);
}

void MismatchWatchdog::hear()
{
    for (;;) {
        int flag = 0;
        MPI_Status status;
        check(next.Iprobe(MPI_ANY_SOURCE, tag_, group_->communicator(), &flag, &status));
        if (flag == 0)
            return;
        NumberedCall theirs;
        MPI_Request receive = MPI_REQUEST_NULL;
        start_receive(*group_, &theirs, sizeof theirs, status.MPI_SOURCE, tag_, receive);
        check(next.Wait(&receive, MPI_STATUS_IGNORE));
        heard_.emplace_back(status.MPI_SOURCE, theirs);
        if (heard_.size() > most_kept)
            heard_.pop_front();
    }
}

/// Neighbors in other calls have not come to these yet, or have left them.
std::optional<Mismatch> MismatchWatchdog::heard_of(const std::vector<NumberedCall>& own) const noexcept
{
    for (const auto& [rank, theirs] : heard_)
        for (const NumberedCall& call : own)
            if (call.same_call(theirs) && call.algorithm != theirs.algorithm)
                return Mismatch{rank, theirs, call};
    return std::nullopt;
}

} // namespace hopscotch::shim
