// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A collective in flight: an object that advances on request, until it is complete. The MPI library carries some.
#pragma once

#include "schedules/memory/segment_layout.hpp"
#include "shim/blocks/block_layout.hpp"
#include "shim/group/progress.hpp"
#include "shim/mpi/threads.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace hopscotch::shim
{

using schedules::SequenceNumber;

/// Messages and bytes sent by a process, every hop counted.
struct SentMessages {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;         // bytes of the messages: blocks and headers
    std::uint64_t payload_bytes = 0; // bytes of blocks, in messages or through memory
    std::uint64_t saved_bytes = 0;   // that several blocks of a message have in common, for each time not sent again
    bool as_trivial = false;         // a trivial algorithm sends as many messages

    void add(const SentMessages& more) noexcept
    {
        messages += more.messages;
        bytes += more.bytes;
        payload_bytes += more.payload_bytes;
        saved_bytes += more.saved_bytes;
    }
};

/// Everything that goes on in a call: made once, most often per communicator and algorithm, begun once per call.
class Exchange
{
  public:
    virtual ~Exchange() = default;

    /// Starts a call. The layouts must live until it is complete. Requires: the previous call is complete.
    /// Throws: MpiError if a message cannot be started.
    virtual void begin(const BlockLayout& send, const BlockLayout& receive) = 0;

    /// A call's place among those that share memory with it: to be taken in the order of the program's calls, which is
    /// the same on all processes, even if the call can only begin later.
    virtual SequenceNumber take_turn() noexcept { return 0; }

    /// Like begin, for a turn taken before.
    virtual void begin_turn(const BlockLayout& send, const BlockLayout& receive, SequenceNumber turn)
    {
        static_cast<void>(turn);
        begin(send, receive);
    }

    /// Advances without waiting. True once everything has been sent, received and delivered.
    virtual bool advance() = 0;

    /// MPI_SUCCESS, or the first error met; valid once advance() has returned true.
    int error() const noexcept { return error_; }

    /// To be called between two fruitless looks. `yields`: other processes need the core.
    virtual void idle(bool yields);

    /// One call at a time uses an exchange; false while another does.
    bool acquire() noexcept { return busy_.take(); }
    void release() noexcept { busy_.set(false); }
    bool busy() const noexcept { return busy_.is_set(); }

    /// True if blocks are forwarded, so that other processes depend on this one's progress.
    bool forwards() const noexcept { return forwards_; }

    /// The messages of the last call.
    const SentMessages& sent() const noexcept { return sent_; }

  protected:
    void start_counting() noexcept
    {
        error_ = 0;
        sent_ = {};
    }
    void count(const SentMessages& more) noexcept { sent_.add(more); }

    /// A trivial algorithm sends the messages of this call, too.
    void count_as_trivial() noexcept { sent_.as_trivial = true; }

    /// Keeps the first error; the exchange goes on, so that no other process waits for our messages.
    void fail(int code) noexcept
    {
        if (code != MPI_SUCCESS && error_ == MPI_SUCCESS)
            error_ = code;
    }

    /// The call gives blocks of two sizes, although the size of others must follow from its own. The first failure is
    /// logged.
    void fail_for_sizes(std::size_t sent_bytes, std::size_t received_bytes) noexcept;

    int error_ = 0;
    bool forwards_ = false;

  private:
    Flag busy_;
    SentMessages sent_;
};

/// An operation of the MPI library that has begun or, if it is persistent, starts with each call.
class LibraryExchange final : public Exchange
{
  public:
    /// A persistent `request` is freed with this. `each`: the messages of a call.
    LibraryExchange(MPI_Request request, bool persistent, const SentMessages& each = {})
        : request_(request), persistent_(persistent), each_(each)
    {
    }
    ~LibraryExchange() override;
    LibraryExchange(const LibraryExchange&) = delete;
    LibraryExchange& operator=(const LibraryExchange&) = delete;

    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    bool advance() override;

  private:
    MPI_Request request_;
    bool persistent_;
    SentMessages each_;
};

/// A blocking function of the MPI library. It is called at the first look, so a caller looks at other exchanges first.
class LibraryCall final : public Exchange
{
  public:
    explicit LibraryCall(std::function<int()> function) : function_(std::move(function)) {}

    void begin(const BlockLayout& send, const BlockLayout& receive) override;
    bool advance() override;

  private:
    std::function<int()> function_;
    bool called_ = false;
};

/// To be called between two fruitless looks at an exchange in flight: another thread may be advancing it.
void idle_in_flight(Exchange& exchange, bool yields);

/// Advances an exchange or an operation until it is complete, and all other operations in flight meanwhile; `looked()`
/// is called after a fruitless look. `yields`: other processes need the core.
template <class Waited, class Looked>
void wait(Waited& waited, bool yields, Looked&& looked)
{
    unsigned looks = 0;
    while (!waited.advance()) {
        progress();
        waited.idle(yields);
        give_way_among_threads(looks);
        looked();
    }
}

} // namespace hopscotch::shim
