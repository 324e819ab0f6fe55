// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives bytes over a private communicator.
#pragma once

#include "shim/mpi/next.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::shim
{

/// MPI_Isend and MPI_Irecv, of bytes unless a type is given, more than an int can count
/// included. Throws: MpiError; MPI_ERR_COUNT if large counts are needed and the library has none.
void start_send(MPI_Comm comm, const void* from, std::size_t count, int to, int tag, MPI_Request& request,
                MPI_Datatype type = MPI_BYTE);
void start_receive(MPI_Comm comm, void* to, std::size_t count, int from, int tag, MPI_Request& request,
                   MPI_Datatype type = MPI_BYTE);

/// Messages that set something up, all in flight at once. The caller keeps their buffers until finish(). The destructor
/// cancels the receives that an error has left.
class SetUpMessages
{
  public:
    SetUpMessages(MPI_Comm comm, int tag) : comm_(comm), tag_(tag) {}
    SetUpMessages(const SetUpMessages&) = delete;
    SetUpMessages& operator=(const SetUpMessages&) = delete;
    ~SetUpMessages();

    void send(const void* from, std::size_t bytes, int to);
    void receive(void* to, std::size_t bytes, int from);
    void finish();

  private:
    MPI_Comm comm_;
    int tag_;
    std::vector<MPI_Request> receives_;
    std::vector<MPI_Request> sends_;
};

/// Bytes that a completed receive brought.
std::size_t received_bytes(const MPI_Status& status);

} // namespace hopscotch::shim
