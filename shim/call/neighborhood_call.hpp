// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a neighborhood collective through its life: its arguments become blocks; it is carried, in host memory if its
// buffers lie in that of a device, or passed on; and it is counted.
#pragma once

#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/blocks/staged_buffers.hpp"
#include "shim/blocks/user_blocks.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/operation.hpp"
#include "shim/call/registry.hpp"
#include "shim/device/device_library.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace hopscotch::shim
{

/// A call on `comm` that the native function carries for a fixed reason, counted.
template <class Native>
int leave_to_library(Call call, MPI_Comm comm, schedules::reason::Row reason, Native&& native)
{
    if (!runtime().active)
        return native();
    const std::uint64_t begin = ticks();
    Communicator* const record = find_communicator(comm);
    const int code = native();
    return guarded(name(call), comm, [&] {
        const std::uint64_t elapsed = ticks() - begin;
        if (record == nullptr) {
            count_unknown(call, comm, elapsed, code != MPI_SUCCESS);
        } else {
            SelectionEntry& entry = record->selection().passed_entry(call, reason);
            count(entry, messages_by_library(entry), elapsed, code);
        }
        return code;
    });
}

/// Carries a blocking call with a buffer in the memory of a device. Blocks that the library's function carries are not
/// copied if it takes such buffers. Throws: MpiError, std::bad_alloc.
int run_staged(Communicator& record, Call call, Collective collective, std::shared_ptr<StagedBuffers> staged,
               const NativeMoved& native);

/// A blocking neighborhood collective on a communicator with a record, on the stack of the call.
template <class MakeLayouts, class Native>
class BlockingCall
{
  public:
    /// `layouts`: as those of Communicator::blocks_of. `details`: null if it has none. All live as long.
    BlockingCall(Communicator& record, Call call, Collective collective, const MakeLayouts& layouts, Native& native,
                 CallDetails* details = nullptr)
        : record_(record), layouts_(layouts), native_(native), details_(details), call_(call), collective_(collective)
    {
    }

    /// Its code. The buffers may be in the memory of a device: `native` takes the Shifts of its buffers, once. Throws
    /// as run_on_host().
    int run()
    {
        if (may_be_on_devices())
            if (const std::optional<int> code = BlockingCall(*this).run_on_device())
                return *code;
        return run_on_host();
    }

    /// Its code. Throws: WrongArgument before anything is done, MpiError, std::bad_alloc.
    [[gnu::hot]] int run_on_host()
    {
        if (SelectionEntry* const passing = record_.selection().entry_left_to_library(call_))
            return by_library(*passing);
        const Layouts blocks = record_.blocks_of(layouts_);
        if (record_.rents())
            return by_library(record_.selection().passed_entry(call_, record_.graph().native_reason));
        record_.set_up();
        SelectionEntry& entry =
            record_.selection().entry(call_, collective_, Completion::blocking, record_.sizes_of(collective_, blocks));
        if (Trial* const trial = record_.selection().take_trial())
            return BlockingCall(*this).run_tried(*trial, entry, blocks);
        return run_by(entry, blocks);
    }

  private:
    // Rare parts work on a copy, so that the object of the other calls stays in registers.

    int by_library(SelectionEntry& entry) const { return BlockingCall(*this).run_by_library(entry); }

    [[gnu::noinline]] int run_by_library(SelectionEntry& entry)
    {
        const int code = native_();
        if (details_ != nullptr && details_->staged != nullptr)
            end_staging(*details_->staged, entry, details_->brought, code);
        const std::uint64_t elapsed = ticks() - begin_;
        count(entry, record_.sent_natively(entry, layouts_, code), elapsed, code);
        return code;
    }

    /// Nothing if no buffer is in the memory of a device: nothing has been done.
    [[gnu::noinline]] std::optional<int> run_on_device()
    {
        auto staged = record_.find_staged(collective_, record_.blocks_of(layouts_));
        if (staged == nullptr)
            return std::nullopt;
        return run_staged(record_, call_, collective_, std::move(staged), std::ref(native_));
    }

    [[gnu::hot]] int run_by(SelectionEntry& entry, const Layouts& blocks)
    {
        if (entry.exchange == nullptr)
            return by_library(entry);
        if (details_ != nullptr || runtime().settings.verify)
            return run_operation(record_, entry, collective_, begin_, blocks, std::ref(native_), details_);
        const int code = record_.run(entry, collective_, blocks);
        count(entry, entry.exchange->sent(), ticks() - begin_, code);
        if (code != MPI_SUCCESS)
            throw MpiError{code};
        return code;
    }

    /// All processes note each call of a trial, also one that fails on some.
    [[gnu::noinline]] int run_tried(Trial& trial, SelectionEntry& entry, const Layouts& blocks)
    {
        const std::uint64_t begin = ticks();
        const auto note = [&] { trial.note(seconds(ticks() - begin)); };
        try {
            const int code = run_by(entry, blocks);
            note();
            return code;
        } catch (const MpiError&) {
            note();
            throw;
        }
    }

    Communicator& record_;
    const MakeLayouts& layouts_;
    Native& native_;
    CallDetails* details_;
    Call call_;
    Collective collective_;
    const std::uint64_t begin_ = ticks();
};

/// A blocking neighborhood collective of the program. Buffers in place are arguments that the MPI library should see
/// itself, because it treats them in its own way. `native`: as in BlockingCall::run(); it had better hold the arguments
/// by value: those it refers to go through memory in every call.
template <class Buffers, class Native>
int neighborhood_call(Call call, MPI_Comm comm, const Buffers& buffers, Native&& native)
{
    if (!runtime().active)
        return native();
    Communicator* const record = find_communicator(comm);
    const auto pass = [&] { return leave_to_library(call, comm, schedules::reason::left_to_the_library, native); };
    if (record == nullptr || buffers.in_place())
        return pass();
    BlockingCall blocking(*record, call, Buffers::collective, buffers, native);
    return guarded_or(call, comm, pass, [&] { return blocking.run(); });
}

} // namespace hopscotch::shim
