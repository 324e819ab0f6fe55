// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives the messages of a schedule's rounds, over the private communicator of a process group.
#include "shim/exchange/messages.hpp"

#include "schedules/plan/schedule.hpp"
#include "shim/group/point_to_point.hpp"
#include "shim/mpi/mpi_error.hpp"

#include <algorithm>

namespace hopscotch::shim
{

namespace
{

using Requests = std::vector<MPI_Request>::const_iterator;

bool all_null(Requests begin, Requests end)
{
    return std::all_of(begin, end, [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
}

} // namespace

bool Receives::look(std::size_t first, std::size_t last, const Take& take)
{
    const auto begin = requests_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = requests_.begin() + static_cast<std::ptrdiff_t>(last);
    if (all_null(begin, end))
        return true;
    const ReturnedErrors returned;
    int found = 0;
    const int code =
        next.MPI_Testsome(static_cast<int>(last - first), &*begin, &found, indices_.data(), statuses_.data());
    if (code != MPI_ERR_IN_STATUS)
        check(code);
    for (int k = 0; k < found; ++k) {
        const int error = code == MPI_SUCCESS ? MPI_SUCCESS : statuses_[k].MPI_ERROR;
        take(first + static_cast<std::size_t>(indices_[k]), error == MPI_SUCCESS ? received_bytes(statuses_[k]) : 0,
             error);
    }
    return all_null(begin, end);
}

Messages::Messages(const schedules::Schedule& schedule, std::shared_ptr<ProcessGroup> group, int tag)
    : group_(std::move(group)), tag_(tag), rounds_(schedules::rounds_of(schedule)), receives_(rounds_.size()),
      sends_(rounds_.size(), MPI_REQUEST_NULL), bytes_(rounds_.size(), 0), errors_(rounds_.size(), MPI_SUCCESS)
{
    first_round_.push_back(0);
    for (const schedules::Phase& phase : schedule.phases)
        first_round_.push_back(first_round_.back() + phase.rounds.size());
}

void Messages::receive(std::size_t r, void* to, std::size_t bytes)
{
    if (rounds_[r]->source != schedules::no_rank)
        check(start_receive(group_->communicator(), to, bytes, rounds_[r]->source, tag_, receives_[r]));
}

void Messages::send(std::size_t r, const void* from, std::size_t bytes)
{
    if (rounds_[r]->destination != schedules::no_rank)
        check(start_send(group_->communicator(), from, bytes, rounds_[r]->destination, tag_, sends_[r]));
}

bool Messages::arrived(std::size_t phase)
{
    const auto take = [this](std::size_t r, std::size_t bytes, int error) {
        bytes_[r] = bytes;
        errors_[r] = error;
    };
    return receives_.look(first_round(phase), first_round(phase + 1), take);
}

bool all_sent(std::vector<MPI_Request>& sends, int& error)
{
    if (all_null(sends.begin(), sends.end()))
        return true;
    int complete = 0;
    const int code = next.MPI_Testall(static_cast<int>(sends.size()), sends.data(), &complete, MPI_STATUSES_IGNORE);
    if (code == MPI_SUCCESS)
        return complete != 0;
    error = code;
    return all_null(sends.begin(), sends.end());
}

} // namespace hopscotch::shim
