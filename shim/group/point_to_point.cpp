// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "shim/group/point_to_point.hpp"

#include "shim/mpi/mpi_error.hpp"

#include <climits>

namespace hopscotch::shim
{

namespace
{

bool fits_int(std::size_t count)
{
    return count <= static_cast<std::size_t>(INT_MAX);
}

} // namespace

void start_send(MPI_Comm comm, const void* from, std::size_t count, int to, int tag, MPI_Request& request,
                MPI_Datatype type)
{
    if (fits_int(count))
        return check(next.MPI_Isend(from, static_cast<int>(count), type, to, tag, comm, &request));
    check(next.MPI_Isend_c == nullptr
              ? MPI_ERR_COUNT
              : next.MPI_Isend_c(from, static_cast<MPI_Count>(count), type, to, tag, comm, &request));
}

void start_receive(MPI_Comm comm, void* to, std::size_t count, int from, int tag, MPI_Request& request,
                   MPI_Datatype type)
{
    if (fits_int(count))
        return check(next.MPI_Irecv(to, static_cast<int>(count), type, from, tag, comm, &request));
    check(next.MPI_Irecv_c == nullptr
              ? MPI_ERR_COUNT
              : next.MPI_Irecv_c(to, static_cast<MPI_Count>(count), type, from, tag, comm, &request));
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
    start_send(comm_, from, bytes, to, tag_, sends_.emplace_back(MPI_REQUEST_NULL));
}

void SetUpMessages::receive(void* to, std::size_t bytes, int from)
{
    start_receive(comm_, to, bytes, from, tag_, receives_.emplace_back(MPI_REQUEST_NULL));
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
