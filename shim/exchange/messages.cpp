// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives the messages of a schedule's rounds, over the private communicator of a process group.
#include "shim/exchange/messages.hpp"

#include "schedules/topology.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/point_to_point.hpp"
#include "shim/mpi/returned_errors.hpp"

#include <algorithm>

namespace hopscotch::shim
{

using schedules::Round;

Messages::Messages(const schedules::Schedule& schedule, std::shared_ptr<ProcessGroup> group, int tag)
    : group_(std::move(group)), tag_(tag)
{
    for (const auto& phase : schedule.phases) {
        first_round_.push_back(rounds_.size());
        for (const Round& round : phase.rounds)
            rounds_.push_back(&round);
    }
    first_round_.push_back(rounds_.size());
    receives_.assign(rounds_.size(), MPI_REQUEST_NULL);
    sends_.assign(rounds_.size(), MPI_REQUEST_NULL);
    statuses_.resize(rounds_.size());
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

void Messages::note(std::size_t r, const MPI_Status& status, int code)
{
    errors_[r] = code;
    bytes_[r] = code == MPI_SUCCESS ? received_bytes(status) : 0;
}

/// One by one, after a message has failed: the others are still to come.
bool Messages::examine_each(std::size_t first, std::size_t last)
{
    bool all = true;
    for (std::size_t r = first; r < last; ++r) {
        if (receives_[r] == MPI_REQUEST_NULL)
            continue;
        int complete = 0;
        MPI_Status status;
        const int code = next.Test(&receives_[r], &complete, &status);
        if (code != MPI_SUCCESS || complete != 0)
            note(r, status, code);
        all = all && receives_[r] == MPI_REQUEST_NULL;
    }
    return all;
}

bool Messages::arrived(std::size_t phase)
{
    const std::size_t first = first_round(phase);
    const std::size_t last = first_round(phase + 1);
    const ReturnedErrors returned;
    const int count = static_cast<int>(last - first);
    int complete = 0;
    // Testall leaves the requests alone unless all are complete (MPI 4.0, 3.7.5), so a status is never lost.
    const int code = next.Testall(count, receives_.data() + first, &complete, statuses_.data() + first);
    if (code != MPI_SUCCESS) {
        for (std::size_t r = first; r < last; ++r)
            if (receives_[r] == MPI_REQUEST_NULL && rounds_[r]->source != schedules::no_rank && errors_[r] == 0 &&
                bytes_[r] == 0 && statuses_[r].MPI_ERROR != MPI_ERR_PENDING)
                note(r, statuses_[r], statuses_[r].MPI_ERROR);
        return examine_each(first, last);
    }
    if (complete == 0)
        return false;
    for (std::size_t r = first; r < last; ++r)
        if (rounds_[r]->source != schedules::no_rank && errors_[r] == MPI_SUCCESS && bytes_[r] == 0)
            note(r, statuses_[r], MPI_SUCCESS);
    return true;
}

bool Messages::sent(int& error)
{
    if (std::all_of(sends_.begin(), sends_.end(), [](MPI_Request request) { return request == MPI_REQUEST_NULL; }))
        return true;
    const ReturnedErrors returned;
    int complete = 0;
    const int code = next.Testall(static_cast<int>(sends_.size()), sends_.data(), &complete, MPI_STATUSES_IGNORE);
    if (code == MPI_SUCCESS)
        return complete != 0;
    error = code;
    bool all = true;
    for (MPI_Request& request : sends_) {
        if (request == MPI_REQUEST_NULL)
            continue;
        int one = 0;
        next.Test(&request, &one, MPI_STATUS_IGNORE);
        all = all && request == MPI_REQUEST_NULL;
    }
    return all;
}

} // namespace hopscotch::shim
