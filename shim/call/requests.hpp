// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Finds the nonblocking and persistent operations of the program by their MPI_Request, and measures the program's time
// in MPI for them, under any algorithm.
#pragma once

#include "shim/call/communicator.hpp"
#include "shim/call/token.hpp"
#include "shim/group/progress.hpp"
#include "shim/mpi/threads.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// The number of tracked requests with a handle of each hash: nearly every foreign handle finds none.
struct Handles {
    static constexpr unsigned bits = 10;
    std::array<std::atomic<int>, 1u << bits> with_hash{};

    std::atomic<int>& of(MPI_Request handle) noexcept { return with_hash[hash_of_handle<bits>(handle)]; }
};
extern Handles handles;

/// False: certainly neither a request of ours nor a followed one of the library's. Cost: about a nanosecond.
inline bool concerns_us(MPI_Request handle) noexcept
{
    return handles.of(handle) != 0;
}

/// The same for a pointer of the program, which may be null.
inline bool concerns_us(const MPI_Request* handle) noexcept
{
    return handle != nullptr && concerns_us(*handle);
}

class Request;

/// An operation that completes after the call that began it.
class TimedOperation
{
  public:
    virtual ~TimedOperation() = default;
    TimedOperation(const TimedOperation&) = delete;
    TimedOperation& operator=(const TimedOperation&) = delete;

    /// This one if it is ours, else null.
    virtual Request* ours() noexcept { return nullptr; }

    /// Adds to the time the program has spent in MPI for it.
    [[gnu::hot]] void add_ticks(std::uint64_t elapsed) noexcept;

  protected:
    /// Takes the place of the program that makes the call now: its calls and their time are counted there, too.
    /// `record`: the one of the entry; null: none.
    [[gnu::hot]] TimedOperation(SelectionEntry& entry, std::shared_ptr<Communicator> record);

    /// Counts a call that has ended so.
    [[gnu::hot]] void count_call(const SentMessages& sent, int code) noexcept;

    SelectionEntry& entry_;
    const std::shared_ptr<Communicator> record_;
    std::shared_ptr<TriedCall> tried_;         // null: it is part of no trial
    const std::vector<void*>* site_ = nullptr; // null: places are not told apart
};

/// From now on the handle stands for this operation in the program's hands. The MPI library gives handles again, even
/// one to several requests that are complete from the start: the last one counts. Throws: std::bad_alloc.
[[gnu::hot]] void track(MPI_Request handle, std::shared_ptr<TimedOperation> operation);

/// The operation behind a handle: a Request of ours, a NativeRequest, or null.
[[gnu::hot]] std::shared_ptr<TimedOperation> tracked(MPI_Request handle);

/// It, if it is ours, else null.
inline Request* ours_of(const std::shared_ptr<TimedOperation>& operation) noexcept
{
    return operation != nullptr ? operation->ours() : nullptr;
}

/// The handle is the program's no more. `only`: unless another operation has it by now; null: for any operation.
[[gnu::hot]] void forget(MPI_Request handle, const TimedOperation* only = nullptr) noexcept;

/// One that the MPI library carries, in the program's hands by the library's own request.
class NativeRequest final : public TimedOperation
{
  public:
    /// `sent`: at each start, as far as it is known.
    NativeRequest(SelectionEntry& entry, std::shared_ptr<Communicator> record, const SentMessages& sent)
        : TimedOperation(entry, std::move(record)), sent_(sent)
    {
    }

    /// It has been started, in as many ticks: one call.
    void note_start(std::uint64_t elapsed) noexcept;

    /// The library may look at this until the request is freed.
    void keep(std::shared_ptr<const void> kept) noexcept { kept_ = std::move(kept); }

  private:
    SentMessages sent_;
    std::shared_ptr<const void> kept_;
};

/// The form of completion of a collective, and the handle of one that completes later.
struct CallForm {
    Completion completion = Completion::blocking;
    MPI_Request* request = nullptr; // of the program
    MPI_Info info = MPI_INFO_NULL;  // for a persistent call
    bool prepares = false;          // nothing is exchanged: everything that the first call would make is made

    bool later() const noexcept { return completion != Completion::blocking; }
    bool persistent() const noexcept { return completion == Completion::persistent; }
};

/// A call that the library's function has carried.
struct NativeCall {
    const CallForm& form;
    MPI_Comm comm;
    std::uint64_t elapsed; // ticks
    int code;

    /// False: it has only prepared a persistent request, and its starts are counted.
    bool is_counted() const noexcept { return !form.persistent() || code != MPI_SUCCESS; }
};

/// Follows the request of the call, which has succeeded. `sent`: as in NativeRequest. Throws: MpiError.
void follow(SelectionEntry& entry, const NativeCall& call, const SentMessages& sent);

/// Follows the request of the call, and counts the call.
void note_native(SelectionEntry& entry, const NativeCall& call, const SentMessages& sent);

/// One request of ours in the program's hands. Every completion function asks here first; of functions that we do not
/// wrap its token hears.
class Request : public InFlight, public TimedOperation, private Represented
{
  public:
    /// `comm`: the program's, which may free it.
    [[gnu::hot]] Request(SelectionEntry& entry, std::shared_ptr<Communicator> record, MPI_Comm comm, bool persistent);

    Request* ours() noexcept final { return this; }

    /// Begins the operation, or takes its place behind earlier ones. Requires: it is not active.
    virtual void start() = 0;

    /// True if waiting must yield the core.
    virtual bool yields() const noexcept = 0;

    /// To be called between two fruitless looks at this request.
    virtual void idle() = 0;

    /// Lets an error handler see an error of this request. Returns the code.
    int raise(int code) const;

    /// The program does not ask for the completion.
    void disown() noexcept { disowned_.set(); }

    /// The program has seen the completion: a persistent request becomes inactive.
    [[gnu::hot]] void retire() noexcept;

    /// Notes actions of functions that are not intercepted on a persistent request: they may have ended or started it.
    /// Throws: as set_off.
    void catch_up();

    bool persistent() const noexcept { return token_.persistent(); }
    bool active() const noexcept { return active_.is_set(); }
    bool complete() const noexcept { return complete_.is_set(); }
    int error() const noexcept { return error_; }
    MPI_Request handle() const noexcept { return token_.handle(); }

  protected:
    /// Throws: MpiError.
    [[gnu::hot]] void activate();
    [[gnu::hot]] void become_complete() noexcept;
    bool disowned() const noexcept { return disowned_.is_set(); }

    int error_ = MPI_SUCCESS;

  private:
    void drive() override;
    int outcome() const noexcept override { return error_; }
    void end_elsewhere() noexcept override;

    MPI_Comm comm_;
    Token token_;
    Flag active_;
    Flag complete_;
    Flag disowned_;
};

/// Operations in flight advance, and now and then the MPI library: a neighbor may want a message first that needs it.
[[gnu::hot]] void look_around();

/// Starts one of ours for a call that came at time stamp `begin`. Throws: MpiError, std::bad_alloc.
[[gnu::hot]] void set_off(const std::shared_ptr<TimedOperation>& operation, std::uint64_t begin);

/// Hands a new one of ours to the program; that of a nonblocking call, made at `begin`, starts. Throws: as set_off.
[[gnu::hot]] MPI_Request give_request(const std::shared_ptr<TimedOperation>& operation, std::uint64_t begin);

/// Reports an error of a call on comm that has returned before to an error handler: that of the communicator, which may
/// have been freed since, or without a record that of MPI_COMM_WORLD. Returns the code.
int raise_later(Communicator* record, MPI_Comm comm, const char* function, int code);

/// True if the program has not freed all persistent requests of ours. Local.
bool program_holds_persistent_requests() noexcept;

/// Before MPI ends: lets operations nobody has waited for finish, for a bounded time.
/// Throws: std::bad_alloc.
void drain();

} // namespace hopscotch::shim
