// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the nonblocking and persistent operations in the program's hands again by their MPI_Request.
#pragma once

#include "shim/base/flag.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/timed_requests.hpp"
#include "shim/call/verification.hpp"
#include "shim/mpi/progress.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>

namespace hopscotch::shim
{

/// One request of ours in the program's hands. Its handle is a true request of the MPI library, made only to be unlike
/// any other: a persistent receive from MPI_PROC_NULL that is never started. Every completion function asks here first.
class Request : public InFlight, public TimedOperation
{
  public:
    Request(SelectionEntry& entry, bool persistent);
    ~Request() override;

    Request* ours() noexcept final { return this; }

    /// Begins the operation, or takes its place behind earlier ones. Requires: it is not active.
    virtual void start() = 0;

    /// Lets the communicator's error handler see an error of this request. Returns the code.
    virtual int raise(int code) const noexcept = 0;

    /// Whether waiting must give the core away.
    virtual bool yields() const noexcept = 0;

    /// What to do between two fruitless looks at this request.
    virtual void idle() noexcept = 0;

    /// The program does not ask for the completion.
    virtual void disown() noexcept {}

    /// The program has seen the completion: a persistent request becomes inactive.
    void retire() noexcept { active_.set(false); }

    bool persistent() const noexcept { return persistent_; }
    bool active() const noexcept { return active_.is_set(); }
    bool complete() const noexcept { return complete_.is_set(); }
    int error() const noexcept { return error_; }
    MPI_Request token() const noexcept { return token_; }

  protected:
    void activate() noexcept
    {
        active_.set();
        error_ = MPI_SUCCESS;
        complete_.set(false);
    }
    void become_complete() noexcept { complete_.set(); }

    int error_ = MPI_SUCCESS;

  private:
    MPI_Request token_ = MPI_REQUEST_NULL;
    bool persistent_;
    Flag active_;
    Flag complete_;
};

/// One that an exchange carries.
class ExchangeRequest final : public Request
{
  public:
    ExchangeRequest(std::shared_ptr<Communicator> communicator, MPI_Comm comm, SelectionEntry& entry,
                    std::shared_ptr<Exchange> exchange, Layouts layouts, bool persistent);

    /// From now on it is carried by a reference as well and compared. Null: it is not.
    void verify(std::unique_ptr<Verification> verification);

    /// What is to be done before the exchange begins, each time. Null: nothing.
    void begin_with(std::function<void()> preparation) { preparation_ = std::move(preparation); }

    /// What is to be done once all blocks are there, before the program hears of it; returns an MPI code.
    /// Null: nothing.
    void conclude_with(std::function<int()> conclusion) { conclusion_ = std::move(conclusion); }

    /// When the exchange is still busy with an earlier call, progress() begins it later.
    void start() override;
    bool advance() override;
    int raise(int code) const noexcept override;
    bool yields() const noexcept override { return communicator_->group()->yields(); }
    void idle() noexcept override { idle_in_flight(*exchange_, yields()); }

    /// The program may change its buffers as soon as it learns by its own means that the data has arrived, so there is
    /// nothing left to compare with.
    void disown() noexcept override { disowned_ = true; }

    /// What its neighbors may be told of it, while it waits and for a while after.
    void set_call(const NumberedCall& call);

  private:
    void begin();
    void finish(int error) noexcept;
    int concluded(int error) noexcept;
    bool settled();
    void look();

    std::shared_ptr<Communicator> communicator_;
    MPI_Comm comm_; // valid as long as the program has not freed it
    std::shared_ptr<Exchange> exchange_;
    Layouts layouts_;
    std::unique_ptr<Verification> verification_;
    std::function<void()> preparation_;
    std::function<int()> conclusion_;
    SequenceNumber turn_ = 0; // taken when the call was made, see Exchange::take_turn
    bool begun_ = false;
    bool finished_ = false; // ours; its reference need not be
    std::atomic<bool> disowned_{false};
    std::optional<WaitingCall> waiting_; // where neighbors may be told
    unsigned looks_ = 0;
};

/// Lets an error handler see an error of a call on comm that has returned before: the communicator's, which may have
/// been freed since, or without a record MPI_COMM_WORLD's. Returns the code.
int raise_later(Communicator* record, MPI_Comm comm, int code) noexcept;

/// Before MPI ends: lets operations nobody has waited for finish, for a bounded time, and frees unused handles.
/// Throws: std::bad_alloc.
void drain();

} // namespace hopscotch::shim
