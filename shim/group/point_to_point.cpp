// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/point_to_point.hpp"

#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/threads.hpp"

#include <climits>
#include <utility>

namespace hopscotch::shim
{

namespace
{

bool fits_int(std::size_t count)
{
    return count <= static_cast<std::size_t>(INT_MAX);
}

} // namespace

int start_send(MPI_Comm comm, const void* from, std::size_t count, int to, int tag, MPI_Request& request,
               MPI_Datatype type)
{
    if (fits_int(count))
        return next.MPI_Isend(from, static_cast<int>(count), type, to, tag, comm, &request);
    return next.MPI_Isend_c == nullptr
               ? MPI_ERR_COUNT
               : next.MPI_Isend_c(from, static_cast<MPI_Count>(count), type, to, tag, comm, &request);
}

int start_receive(MPI_Comm comm, void* to, std::size_t count, int from, int tag, MPI_Request& request,
                  MPI_Datatype type)
{
    if (fits_int(count))
        return next.MPI_Irecv(to, static_cast<int>(count), type, from, tag, comm, &request);
    return next.MPI_Irecv_c == nullptr
               ? MPI_ERR_COUNT
               : next.MPI_Irecv_c(to, static_cast<MPI_Count>(count), type, from, tag, comm, &request);
}

void send_message(MPI_Comm comm, const void* from, std::size_t bytes, int to, int tag)
{
    MPI_Request request = MPI_REQUEST_NULL;
    check(start_send(comm, from, bytes, to, tag, request));
    check(next.MPI_Wait(&request, MPI_STATUS_IGNORE));
}

void receive_message(MPI_Comm comm, void* to, std::size_t bytes, int from, int tag)
{
    MPI_Request request = MPI_REQUEST_NULL;
    check(start_receive(comm, to, bytes, from, tag, request));
    check(next.MPI_Wait(&request, MPI_STATUS_IGNORE));
}

std::optional<ArrivedMessage> arrived_message(MPI_Comm comm, int from, int tag)
{
    int found = 0;
    MPI_Status status;
    check(next.MPI_Iprobe(from, tag, comm, &found, &status));
    if (found == 0)
        return std::nullopt;
    ArrivedMessage message{status.MPI_SOURCE, std::string(received_bytes(status), '\0')};
    receive_message(comm, message.bytes.data(), message.bytes.size(), status.MPI_SOURCE, status.MPI_TAG);
    return message;
}

std::string next_message(MPI_Comm comm, int from, int tag)
{
    for (;; give_way())
        if (std::optional<ArrivedMessage> message = arrived_message(comm, from, tag))
            return std::move(message->bytes);
}

void gather_up(MPI_Comm comm, const std::function<std::string()>& part,
               const std::function<void(const std::string&)>& join)
{
    constexpr int tag = 0; // no message of a graph has it
    const int rank = rank_in(comm);
    const int size = size_of(comm);
    for (int step = 1; step < size; step *= 2) {
        if (rank % (2 * step) == step) {
            const std::string bytes = part();
            return send_message(comm, bytes.data(), bytes.size(), rank - step, tag);
        }
        if (rank + step < size)
            join(next_message(comm, rank + step, tag));
    }
}

SetUpMessages::~SetUpMessages()
{
    for (MPI_Request& receive : receives_)
        if (receive != MPI_REQUEST_NULL) {
            next.MPI_Cancel(&receive);
            next.MPI_Wait(&receive, MPI_STATUS_IGNORE);
        }
    for (MPI_Request& send : sends_)
        if (send != MPI_REQUEST_NULL)
            next.MPI_Request_free(&send);
}

void SetUpMessages::send(const void* from, std::size_t bytes, int to)
{
    check(start_send(comm_, from, bytes, to, tag_, sends_.emplace_back(MPI_REQUEST_NULL)));
}

void SetUpMessages::receive(void* to, std::size_t bytes, int from)
{
    check(start_receive(comm_, to, bytes, from, tag_, receives_.emplace_back(MPI_REQUEST_NULL)));
}

void SetUpMessages::finish()
{
    for (std::vector<MPI_Request>* requests : {&receives_, &sends_}) {
        check(next.MPI_Waitall(static_cast<int>(requests->size()), requests->data(), MPI_STATUSES_IGNORE));
        requests->clear();
    }
}

std::size_t received_bytes(const MPI_Status& status)
{
    MPI_Count bytes = 0;
    check(next.MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    return static_cast<std::size_t>(bytes);
}

} // namespace hopscotch::shim
