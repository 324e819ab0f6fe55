// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The record of one process: places that call MPI with their time, and the messages from each place to each peer.
// Tables of fixed sizes, less than 2 MB; what finds no room is counted as left out.
#pragma once

#include "shim/advise/communicators.hpp"
#include "shim/advise/site_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hopscotch::shim
{

enum class Posting : unsigned char { blocking, nonblocking, persistent };

/// The messages in one direction between a site and a peer, or accesses to a window that leave the topology.
struct PeerRecord {
    std::uint64_t key = 0; // 0: a free place
    MPI_Datatype type{};
    int site = 0;
    int communicator = 0;
    int peer = 0;       // rank in the communicator
    int world_peer = 0; // -1: of another group, or of a window
    Direction direction{};
    bool named = false;        // a datatype of MPI's own
    bool off_topology = false; // the communicator has a topology, in which this peer is no neighbor
    unsigned epoch = 0;        // of the last message
    unsigned first_epoch = 0;
    unsigned phase = 0;    // of the last message
    std::int64_t size = 0; // of the datatype. Units: bytes
    std::int64_t count = 0;
    std::uint64_t messages = 0;
    std::uint64_t exchanges = 0; // in which there was one
    std::uint64_t bytes = 0;
    std::uint64_t least = 0; // bytes of one
    std::uint64_t most = 0;
};

/// All entries, in no order, for the process that gathers them.
std::vector<const PeerRecord*> peer_records();
std::uint64_t left_out_calls() noexcept;

/// The name that MPI gives a datatype of its own; "" for others.
std::string name_of_type(const PeerRecord& record);

/// Calls are looked at from then on, or no longer.
void set_watching(bool on) noexcept;

/// One call of the program. It notes nothing for calls inside of others.
class Watch
{
  public:
    /// `frame`: of the exported function, `address` to which it returns.
    Watch(Function function, const void* address, const void* frame) noexcept;
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    bool outermost() const noexcept { return outermost_; }
    void begin() noexcept;
    void end() noexcept;

    void message(Direction direction, Posting posting, MPI_Count count, MPI_Datatype type, int peer, MPI_Comm comm);
    void made(MPI_Request request) noexcept;
    void starts(int count, const MPI_Request requests[]) noexcept;
    void started() noexcept;
    void completes(int count, const MPI_Request requests[]) noexcept;
    void forget(MPI_Request request) noexcept;
    void waited() noexcept;
    void tested(int done) noexcept
    {
        if (done != 0)
            waited();
    }
    void leaves(MPI_Comm comm) noexcept;
    void opens(MPI_Win window, MPI_Comm comm);
    void closes(MPI_Win window) noexcept;
    void access(int peer, MPI_Win window);

  private:
    bool outermost_;
    int site_ = -1;           // -1: nothing is noted
    int prepared_ = -1;       // the record of a persistent message
    int of_site_ = -1;        // that made what is started or completed
    bool of_receive_ = false; // a receive is completed
    std::uint64_t begin_ = 0;
    std::uint64_t elapsed_ = 0;
};

/// Watches the functions from now on, unless the MPI library's handles are not those of the compilation: then false,
/// after a line on stderr. Until now calls have passed with whole registers. Requires: MPI has started.
bool watch_functions() noexcept;

/// Hooks at MPI_Init, at MPI_Finalize, and at an end of the job without it.
void begin_advice() noexcept;
void end_advice() noexcept;
void give_up(const char* why) noexcept;

} // namespace hopscotch::shim
