// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What a process whose call takes long tells its neighbors, and hears of them: sizes that disagree, wrongly, may have
// made one choose another algorithm, whose messages never come.
#include "shim/call/long_wait.hpp"

#include "schedules/topology.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace hopscotch::shim
{

namespace
{

constexpr double heard_every_seconds = 0.01;
constexpr std::size_t most_kept = 1024; // of what was heard

/// Each other process once.
std::vector<int> others(std::vector<int> neighbors, int own_rank)
{
    std::sort(neighbors.begin(), neighbors.end());
    neighbors.erase(std::unique(neighbors.begin(), neighbors.end()), neighbors.end());
    const auto nobody = [own_rank](int rank) { return rank == own_rank || rank == schedules::no_rank; };
    neighbors.erase(std::remove_if(neighbors.begin(), neighbors.end(), nobody), neighbors.end());
    return neighbors;
}

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

LongWait::LongWait(std::shared_ptr<const ProcessGroup> group, int tag, std::vector<int> neighbors)
    : group_(std::move(group)), tag_(tag), neighbors_(others(std::move(neighbors), group_->rank())),
      sends_(neighbors_.size(), MPI_REQUEST_NULL)
{
}

LongWait::~LongWait()
{
    try {
        hear();
    } catch (const std::exception&) {
        // Nothing depends on it.
    }
    for (MPI_Request& send : sends_)
        if (send != MPI_REQUEST_NULL)
            next.Request_free(&send);
}

std::optional<Deviation> LongWait::deviation(WaitingCall& waiting, const std::vector<NumberedCall>& own)
{
    // The MPI library may ask for another call while this one hears: it does so again.
    if (in_use_.test_and_set(std::memory_order_acquire))
        return std::nullopt;
    const auto leave = [](std::atomic_flag* flag) { flag->clear(std::memory_order_release); };
    const std::unique_ptr<std::atomic_flag, decltype(leave)> leaves(&in_use_, leave);
    const double spent = waiting.patience->spent();
    if (spent >= waiting.tells_at && told()) {
        waiting.tells_at = 2 * spent;
        tell(waiting.call);
    }
    hear();
    return heard_of(own);
}

/// Whether what was said last has been sent, so that more may be said.
bool LongWait::told() noexcept
{
    int flag = 0;
    next.Testall(static_cast<int>(sends_.size()), sends_.data(), &flag, MPI_STATUSES_IGNORE);
    return flag != 0;
}

void LongWait::tell(const NumberedCall& own)
{
    said_ = own;
    for (std::size_t i = 0; i < neighbors_.size(); ++i)
        start_send(*group_, reinterpret_cast<const char*>(&said_), sizeof said_, neighbors_[i], tag_, sends_[i]);
}

void LongWait::hear()
{
    for (;;) {
        int flag = 0;
        MPI_Status status;
        check(next.Iprobe(MPI_ANY_SOURCE, tag_, group_->communicator(), &flag, &status));
        if (flag == 0)
            return;
        NumberedCall theirs;
        MPI_Request receive = MPI_REQUEST_NULL;
        start_receive(*group_, reinterpret_cast<char*>(&theirs), sizeof theirs, status.MPI_SOURCE, tag_, receive);
        check(next.Wait(&receive, MPI_STATUS_IGNORE));
        heard_.emplace_back(status.MPI_SOURCE, theirs);
        if (heard_.size() > most_kept)
            heard_.pop_front();
    }
}

/// Neighbors in other calls have not come to these yet, or have left them.
std::optional<Deviation> LongWait::heard_of(const std::vector<NumberedCall>& own) const noexcept
{
    for (const auto& [rank, theirs] : heard_)
        for (const NumberedCall& call : own)
            if (call.same_call(theirs) && call.algorithm != theirs.algorithm)
                return Deviation{rank, theirs, call};
    return std::nullopt;
}

} // namespace hopscotch::shim
