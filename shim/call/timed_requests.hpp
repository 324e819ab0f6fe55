// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Measures how long the program is in MPI for its nonblocking and persistent neighborhood collectives, whoever carries
// them.
#pragma once

#include "shim/base/clock.hpp"
#include "shim/base/flag.hpp"
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

    std::atomic<int>& of(MPI_Request handle) noexcept
    {
        const auto number = static_cast<std::uint64_t>((std::uintptr_t)handle); // an int or a pointer
        return with_hash[number * 0x9e3779b97f4a7c15u >> (64 - bits)];
    }
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

/// An operation that completes after the call that began it.
class TimedOperation
{
  public:
    /// Adds to the time the program has spent in MPI for it.
    void add_ticks(std::uint64_t elapsed) noexcept;

  protected:
    /// Takes the place of the program that makes the call now: its calls and their time are counted there, too.
    explicit TimedOperation(SelectionEntry& entry);

    SelectionEntry& entry_;
    const std::vector<void*>* site_ = nullptr; // null: places are not told apart
};

/// One that the MPI library carries, in the program's hands by the library's own request.
class NativeRequest final : public TimedOperation
{
  public:
    /// `communicator`: to which the entry belongs. `block_bytes`: of each block sent, as far as it is known.
    NativeRequest(Completion completion, SelectionEntry& entry, std::shared_ptr<Communicator> communicator,
                  std::size_t block_bytes);

    bool active() const noexcept { return active_.is_set(); }

    /// MPI_Start, counted as one call.
    int start(MPI_Request* handle) noexcept;

    /// It has been started so, in as many ticks.
    void note_start(std::uint64_t elapsed, int code) noexcept;

    /// The library may look at this until the request is freed.
    void keep(std::shared_ptr<const void> kept) noexcept { kept_ = std::move(kept); }

    /// The program has seen the completion.
    void retire() noexcept { active_.set(false); }

  private:
    std::shared_ptr<Communicator> communicator_;
    std::size_t block_bytes_;
    std::shared_ptr<const void> kept_;
    Flag active_;
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

/// From now on the request of the call, which has succeeded, is followed. `block_bytes`: as in NativeRequest. Throws:
/// MpiError.
void follow(SelectionEntry& entry, const NativeCall& call, std::size_t block_bytes);

/// Counts the call and follows its request.
void note_native(SelectionEntry& entry, const NativeCall& call, std::size_t block_bytes);

/// The library's request that is followed under this handle, or null.
std::shared_ptr<NativeRequest> find_native(MPI_Request handle);

/// The program frees the request behind the handle, which is then another's: it is followed no more.
void forget_native(MPI_Request handle) noexcept;

/// One call that completes requests or looks at them. When it ends, its time is shared evenly among the active
/// operations it concerned, and requests that the library has freed are followed no more. Where there is no memory for
/// that, the time is not counted.
class TimedCall
{
  public:
    /// `requests`: those given to the call, which must live as long.
    explicit TimedCall(const MPI_Request* requests) noexcept : requests_(requests), begin_(ticks()) {}
    ~TimedCall();
    TimedCall(const TimedCall&) = delete;
    TimedCall& operator=(const TimedCall&) = delete;

    /// It concerns this operation of ours.
    void add(std::shared_ptr<TimedOperation> ours) noexcept;

    /// It concerns the request of the library at this index, if that is followed. Indices must come in order.
    void add_native(int index) noexcept;

    /// The call has completed the request at this index, or all of them; those that are not followed do not matter.
    void complete(int index) noexcept;
    void complete_all() noexcept;

  private:
    struct Native {
        int index;
        MPI_Request handle;
        std::shared_ptr<NativeRequest> request;
    };

    const MPI_Request* requests_;
    std::uint64_t begin_;
    std::vector<std::shared_ptr<TimedOperation>> ours_;
    std::vector<Native> natives_;
};

} // namespace hopscotch::shim
