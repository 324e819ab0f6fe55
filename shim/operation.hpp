// A collective in flight: something that advances when asked, until it is complete.
#pragma once

#include "shim/block_layout.hpp"

#include <cstdint>

namespace hopscotch::shim
{

class Operation
{
  public:
    virtual ~Operation() = default;

    /// Does what can be done without waiting. True once everything has been sent, received and delivered.
    virtual bool advance() = 0;

    /// MPI_SUCCESS, or the first error met; valid once advance() has returned true.
    int error() const noexcept { return error_; }

  protected:
    /// Keeps the first error; the operation goes on, so that no other process waits for our messages.
    void fail(int code) noexcept
    {
        if (error_ == 0)
            error_ = code;
    }
    int error_ = 0;
};

/// A schedule ready to be carried out: made once per communicator and algorithm, begun once per call.
class Exchange : public Operation
{
  public:
    /// Starts a call. The layouts must live until it is complete. Requires: the previous call is complete.
    /// Throws: MpiError when a message cannot be started.
    virtual void begin(const BlockLayout& send, const BlockLayout& receive) = 0;

    /// One call at a time uses an exchange; false while another does.
    bool acquire() noexcept
    {
        const bool was_free = !busy_;
        busy_ = true;
        return was_free;
    }
    void release() noexcept { busy_ = false; }

    /// Whether blocks are forwarded, so that other processes depend on this one's progress.
    bool forwards() const noexcept { return forwards_; }

    /// Of the last call: messages this process sent, and bytes of blocks in them, every hop counted.
    std::uint64_t messages_sent() const noexcept { return messages_sent_; }
    std::uint64_t bytes_sent() const noexcept { return bytes_sent_; }

  protected:
    void start_counting() noexcept
    {
        error_ = 0;
        messages_sent_ = 0;
        bytes_sent_ = 0;
    }
    void count_message(std::size_t block_bytes) noexcept
    {
        ++messages_sent_;
        bytes_sent_ += block_bytes;
    }

    bool forwards_ = false;

  private:
    bool busy_ = false;
    std::uint64_t messages_sent_ = 0;
    std::uint64_t bytes_sent_ = 0;
};

/// Advances an operation until it is complete. `yields`: give the core away after every fruitless look.
void wait(Operation& operation, bool yields);

} // namespace hopscotch::shim
