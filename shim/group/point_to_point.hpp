// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Sends and receives bytes over a private communicator, and brings those of all processes to one.
#pragma once

#include "shim/mpi/next.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hopscotch::shim
{

/// MPI_Isend and MPI_Irecv, of bytes unless a type is given, more than an int can count included. Returns an MPI code:
/// MPI_ERR_COUNT if large counts are needed and the library has none.
[[nodiscard]] int start_send(MPI_Comm comm, const void* from, std::size_t count, int to, int tag, MPI_Request& request,
                             MPI_Datatype type = MPI_BYTE);
[[nodiscard]] int start_receive(MPI_Comm comm, void* to, std::size_t count, int from, int tag, MPI_Request& request,
                                MPI_Datatype type = MPI_BYTE);

/// One message of bytes, until it is complete here. Throws: MpiError.
void send_message(MPI_Comm comm, const void* from, std::size_t bytes, int to, int tag);
void receive_message(MPI_Comm comm, void* to, std::size_t bytes, int from, int tag);

struct ArrivedMessage {
    int source;
    std::string bytes;
};

/// Receives a message that has arrived, of any length; nothing if there is none. `from`, `tag`: as of MPI_Iprobe.
/// Throws: MpiError. One thread at a time for each source and tag.
std::optional<ArrivedMessage> arrived_message(MPI_Comm comm, int from, int tag);

/// The same, once a message has arrived.
std::string next_message(MPI_Comm comm, int from, int tag);

/// Brings the parts of all processes to rank 0 up a binomial tree: after k steps every 2^k-th process has joined those
/// of the 2^k processes from itself on, in the order of ranks. `part`: the bytes of a process, asked for when they are
/// sent. `join` takes the bytes of another process. Collective: over comm. Throws: MpiError.
void gather_up(MPI_Comm comm, const std::function<std::string()>& part,
               const std::function<void(const std::string&)>& join);

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
