// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the program is in MPI for its nonblocking and persistent neighborhood collectives, whoever carries
// them.
#pragma once

#include "shim/call/communicator.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// How many requests that concern us have a handle of each hash: nearly every foreign handle finds none.
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

/// The same of what a program passes, which may be nothing.
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

    /// The same as a request of ours; null where the library carries it.
    virtual Request* ours() noexcept { return nullptr; }

    /// Adds to the time the program has spent in MPI for it.
    void add_ticks(std::uint64_t elapsed) noexcept;

  protected:
    /// Takes the place of the program that makes the call now: its calls and their time are counted there, too.
    explicit TimedOperation(SelectionEntry& entry);

    SelectionEntry& entry_;
    std::shared_ptr<TriedCall> tried_;         // null: it is part of no trial
    const std::vector<void*>* site_ = nullptr; // null: places are not told apart
};

/// From now on the handle stands for this operation in the program's hands. The MPI library gives handles again, even
/// one to several requests that are complete from the start: the last one counts. Throws: std::bad_alloc.
void track(MPI_Request handle, std::shared_ptr<TimedOperation> operation);

/// The operation behind a handle: a Request of ours, a NativeRequest, or null.
std::shared_ptr<TimedOperation> tracked(MPI_Request handle);

/// The handle is the program's no more. `only`: unless another operation has it by now; null: whatever it is.
void forget(MPI_Request handle, const TimedOperation* only = nullptr) noexcept;

/// One that the MPI library carries, in the program's hands by the library's own request.
class NativeRequest final : public TimedOperation
{
  public:
    /// `communicator`: to which the entry belongs. `bytes`: to other processes at each start, as far as it is known.
    NativeRequest(SelectionEntry& entry, std::shared_ptr<Communicator> communicator, std::uint64_t bytes)
        : TimedOperation(entry), communicator_(std::move(communicator)), bytes_(bytes)
    {
    }

    /// It has been started so, in as many ticks: one call.
    void note_start(std::uint64_t elapsed, int code) noexcept;

    /// The library may look at this until the request is freed.
    void keep(std::shared_ptr<const void> kept) noexcept { kept_ = std::move(kept); }

  private:
    std::shared_ptr<Communicator> communicator_;
    std::uint64_t bytes_;
    std::shared_ptr<const void> kept_;
};

/// A call that the library's function has carried.
struct NativeCall {
    Completion completion;
    MPI_Comm comm;
    const MPI_Request* request;
    std::uint64_t elapsed; // ticks
    int code;

    /// False: it has only prepared a persistent request, whose starts are counted.
    bool is_counted() const noexcept { return completion == Completion::nonblocking || code != MPI_SUCCESS; }
};

/// From now on the request of the call, which has succeeded, is followed. `bytes`: as in NativeRequest. Throws:
/// MpiError.
void follow(SelectionEntry& entry, const NativeCall& call, std::uint64_t bytes);

/// Counts the call and follows its request.
void note_native(SelectionEntry& entry, const NativeCall& call, std::uint64_t bytes);

} // namespace hopscotch::shim
