// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives the messages of a schedule's rounds, over the private communicator of a process group.
#include "shim/exchange/messages.hpp"

#include "schedules/exchange_plan.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/returned_errors.hpp"

#include <algorithm>

namespace hopscotch::shim
{

Messages::Messages(const schedules::Schedule& schedule, std::shared_ptr<ProcessGroup> group, int tag)
    : group_(std::move(group)), tag_(tag), rounds_(schedules::rounds_of(schedule))
{
    first_round_.push_back(0);
    for (const schedules::Phase& phase : schedule.phases)
        first_round_.push_back(first_round_.back() + phase.rounds.size());
    receives_.assign(rounds_.size(), MPI_REQUEST_NULL);
    sends_.assign(rounds_.size(), MPI_REQUEST_NULL);
    bytes_.assign(rounds_.size(), 0);
    errors_.assign(rounds_.size(), MPI_SUCCESS);
}

void Messages::receive(std::size_t r, char* to, std::size_t bytes)
{
    bytes_[r] = 0;
    errors_[r] = MPI_SUCCESS;
    if (rounds_[r]->source != schedules::no_rank)
        start_receive(*group_, to, bytes, rounds_[r]->source, tag_, receives_[r]);
}

void Messages::send(std::size_t r, const char* from, std::size_t bytes)
{
    if (rounds_[r]->destination != schedules::no_rank)
        start_send(*group_, from, bytes, rounds_[r]->destination, tag_, sends_[r]);
}

bool Messages::arrived(std::size_t phase)
{
    std::size_t r = first_round(phase);
    const std::size_t last = first_round(phase + 1);
    while (r < last && receives_[r] == MPI_REQUEST_NULL)
        ++r;
    if (r == last)
        return true;
    const ReturnedErrors returned;
    for (; r < last; ++r) {
        if (receives_[r] == MPI_REQUEST_NULL)
            continue;
        int complete = 0;
        MPI_Status status;
        const int code = next.Test(&receives_[r], &complete, &status);
        if (code == MPI_SUCCESS && complete == 0)
            return false;
        errors_[r] = code;
        bytes_[r] = code == MPI_SUCCESS ? received_bytes(status) : 0;
    }
    return true;
}

bool all_sent(std::vector<MPI_Request>& sends, int& error)
{
    if (std::all_of(sends.begin(), sends.end(), [](MPI_Request request) { return request == MPI_REQUEST_NULL; }))
        return true;
    const ReturnedErrors returned;
    for (MPI_Request& request : sends) {
        if (request == MPI_REQUEST_NULL)
            continue;
        int complete = 0;
        const int code = next.Test(&request, &complete, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS)
            error = code;
        else if (complete == 0)
            return false;
    }
    return true;
}

} // namespace hopscotch::shim
