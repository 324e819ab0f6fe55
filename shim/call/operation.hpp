// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads the exchange of a call from its start to its conclusion. Staging buffers, a reference and hooks are steps that
// an operation has or has not.
#pragma once

#include "shim/blocks/staged_buffers.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/verification.hpp"
#include "shim/exchange/exchange.hpp"
#include "shim/exchange/plan_exchange.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace hopscotch::shim
{

/// The MPI library's function, called with the buffers of the program moved.
using NativeMoved = std::function<int(const Shifts&)>;

/// Makes one exchange of that of a graph, and of another one for blocks outside of it.
using JoinExchange = std::function<std::shared_ptr<Exchange>(std::shared_ptr<Exchange>)>;

/// Parts that few calls have; others are spared their making.
struct CallDetails {
    std::shared_ptr<StagedBuffers> staged = nullptr; // null: ordinary memory
    NativeMoved native = nullptr; // for the reference of a request; null: the MPI library knows no such call
    JoinExchange join = nullptr;  // null: the exchange of the graph is all
    Hooks hooks = {};
    bool brought = false; // a blocking call: its blocks have been copied to the host

    /// Copies the blocks of a blocking call to the host, once.
    void bring();
};

/// Takes back the blocks of a successful call, if they were copied to the host, and counts the copies. Throws:
/// MpiError.
void end_staging(StagedBuffers& staged, SelectionEntry& entry, bool brought, int code);

/// A blocking call waits for it on the stack; a nonblocking or persistent one hands it to the program.
class Operation
{
  public:
    /// `record`: null if there is none; else it lives as long.
    [[gnu::hot]] Operation(Communicator* record, SelectionEntry& entry, std::shared_ptr<Exchange> exchange,
                           Layouts blocks)
        : communicator_(record), counters_(entry), exchange_(std::move(exchange)), blocks_(std::move(blocks))
    {
    }
    virtual ~Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    /// Takes staging buffers, null for none, and hooks. Blocks in the memory of a device are copied to the host at its
    /// start, unless they have been brought, and back after all have arrived.
    void take(std::shared_ptr<StagedBuffers> staged, bool brought, Hooks hooks);

    /// From now on a reference carries it as well, and the results are compared. Null: it has none.
    void verify(std::unique_ptr<Verification> verification);

    /// The announcement of the call for its neighbors, while it waits. None: nothing.
    void announce(const std::optional<NumberedCall>& call) noexcept { call_ = call; }

    /// The two parts of a start: the memory of the operation, and its place among the calls. An operation begins at the
    /// first look, later if its exchange is busy with an earlier call. Throws: MpiError.
    void prepare()
    {
        if (staged_ != nullptr && !brought_)
            staged_->bring();
        if (verification_ != nullptr)
            verification_->start();
    }
    void take_turn()
    {
        turn_ = {exchange_->take_turn()};
        outcome_ = MPI_SUCCESS;
    }

    /// Advances without waiting. True once it is complete, compared and concluded.
    [[gnu::hot]] bool advance();

    void idle(bool yields) { exchange_->idle(yields); }

    /// True if waiting for it gives the core away.
    bool yields() const noexcept
    {
        return communicator_ == nullptr || communicator_->group() == nullptr || communicator_->group()->yields();
    }

    Exchange& exchange() const noexcept { return *exchange_; }

    /// MPI_SUCCESS, or the first error of the exchange, else of the conclusion, once it is complete.
    int outcome() const noexcept { return outcome_; }

    /// The same of the reference; MPI_SUCCESS without one.
    int outcome_of_reference() const noexcept
    {
        return verification_ != nullptr ? verification_->error_of_reference() : MPI_SUCCESS;
    }

  private:
    /// Counts the call, which has ended so.
    virtual void count_end(const SentMessages& sent, int code) noexcept = 0;

    /// False: the program has given the operation up, and its buffers may have changed.
    virtual bool is_wanted() const noexcept { return true; }

    [[gnu::hot]] void finish(int error) noexcept;
    [[gnu::hot]] bool settled();
    bool is_compared();
    void conclude();

    /// The state of one turn, assigned anew.
    struct Turn {
        SequenceNumber number = 0; // taken at the program's call, see Exchange::take_turn
        bool begun = false;
        bool finished = false; // the exchange; the reference need not be
        bool compared = false;
    };

    Communicator* communicator_;
    SelectionEntry& counters_;
    std::shared_ptr<Exchange> exchange_;
    Layouts blocks_;
    std::shared_ptr<StagedBuffers> staged_;      // null: ordinary memory; outlives the next
    std::unique_ptr<Verification> verification_; // null: not compared
    Hooks hooks_;
    Turn turn_;
    int outcome_ = MPI_SUCCESS;
    bool brought_ = false;             // blocks are on the host before the start
    std::optional<NumberedCall> call_; // if it may be announced to neighbors
    WaitInCall wait_;
};

/// An operation that a blocking call waits for.
class BlockingOperation final : public Operation
{
  public:
    /// `begin`: the time stamp of the call.
    BlockingOperation(Communicator* record, SelectionEntry& entry, std::shared_ptr<Exchange> exchange, Layouts blocks,
                      std::uint64_t begin)
        : Operation(record, entry, std::move(exchange), std::move(blocks)), entry_(entry), begin_(begin)
    {
    }

    /// Starts it and waits. Returns its outcome. Throws: MpiError, std::bad_alloc.
    int run();

  private:
    void count_end(const SentMessages& sent, int code) noexcept override;

    SelectionEntry& entry_;
    std::uint64_t begin_;
};

/// A blocking call with details, or under HOPSCOTCH_VERIFY. `native()` carries it a second time if it is verified.
/// `details`: null if it has none. Returns its code, that of the reference under HOPSCOTCH_VERIFY. Throws: MpiError if
/// this library's call fails, std::bad_alloc.
int run_operation(Communicator& record, SelectionEntry& entry, Collective collective, std::uint64_t begin,
                  const Layouts& blocks, const std::function<int()>& native, CallDetails* details);

} // namespace hopscotch::shim
