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

/// Runs body, which carries a call. A call with wrong arguments goes on to the library by `pass`, which reports the
/// error.
template <class Pass, class Body>
int guarded_or(Call call, MPI_Comm comm, Pass&& pass, Body&& body)
{
    const auto raise = [&](int code) { raise_error(comm, name(call), code); };
    return guarded_by(raise, [&] {
        try {
            return static_cast<int>(body());
        } catch (const WrongArgument&) {
            return static_cast<int>(pass());
        }
    });
}

/// Messages and bytes sent by a native call. Bytes are 0 if the library accepted arguments that this one rejects.
/// Throws: MpiError, std::bad_alloc.
template <class MakeLayouts>
SentMessages passed_messages(Communicator& record, const SelectionEntry& entry, MakeLayouts&& layouts, int code)
{
    if (entry.trivial_messages == 0 || code != MPI_SUCCESS)
        return messages_by_library(entry);
    try {
        return sent_by_library(record.graph(), entry, record.blocks_of(layouts).send);
    } catch (const WrongArgument&) {
        return messages_by_library(entry);
    }
}

/// StagedBuffers::find for a call.
std::unique_ptr<StagedBuffers> find_staged(Communicator& record, Collective collective, const Layouts& user);

/// A blocking neighborhood collective on a communicator with a record. `layouts`: as those of
/// Communicator::blocks_of. `details`: null if it has none. Throws: WrongArgument before anything is done, MpiError,
/// std::bad_alloc.
template <class MakeLayouts, class Native>
[[gnu::hot]] int run_blocking(Communicator& record, Call call, Collective collective, MakeLayouts&& layouts,
                              Native&& native, CallDetails* details = nullptr)
{
    const std::uint64_t begin = ticks();
    const auto by_library = [&](SelectionEntry& entry) {
        const int code = native();
        if (details != nullptr && details->staged != nullptr)
            end_staging(*details->staged, entry, details->brought, code);
        const std::uint64_t elapsed = ticks() - begin;
        count(entry, passed_messages(record, entry, layouts, code), elapsed, code);
        return code;
    };
    if (SelectionEntry* const passing = record.selection().entry_left_to_library(call))
        return by_library(*passing);
    const Layouts blocks = record.blocks_of(layouts);
    if (record.rents())
        return by_library(record.selection().passed_entry(call, record.graph().native_reason));
    const std::size_t block_bytes = record.block_bytes(blocks.send, blocks.receive);
    record.set_up();
    SelectionEntry& entry =
        record.selection().entry(call, collective, Completion::blocking, record.sizes_of(collective, blocks));
    Trial* const trial = record.selection().take_trial();
    const std::uint64_t carried_from = trial != nullptr ? ticks() : 0;
    const bool verifies = runtime().settings.verify;
    int code = MPI_SUCCESS;
    if (entry.exchange == nullptr) {
        code = by_library(entry);
    } else if (details != nullptr || verifies) {
        code = run_operation(record, entry, collective, begin, blocks, std::ref(native), details);
    } else {
        code = record.run(entry, collective, block_bytes, blocks);
        count(entry, entry.exchange->sent(), ticks() - begin, code);
    }
    if (trial != nullptr && (entry.exchange == nullptr || !verifies))
        trial->note(seconds(ticks() - carried_from));
    if (code != MPI_SUCCESS && entry.exchange != nullptr && !verifies)
        throw MpiError{code};
    return code;
}

/// Carries a blocking call with a buffer in the memory of a device. Blocks that the library's function carries are not
/// copied if it takes such buffers. Throws: MpiError, std::bad_alloc.
int run_staged(Communicator& record, Call call, Collective collective, std::shared_ptr<StagedBuffers> staged,
               const NativeMoved& native);

/// The code of a call with a buffer in the memory of a device; nothing if there is none, and nothing has been done.
template <class MakeLayouts, class Native>
[[gnu::noinline]] std::optional<int> run_on_device(Communicator& record, Call call, Collective collective,
                                                   MakeLayouts&& layouts, Native&& native)
{
    auto staged = find_staged(record, collective, record.blocks_of(layouts));
    return staged != nullptr ? std::optional(run_staged(record, call, collective, std::move(staged), native))
                             : std::nullopt;
}

/// Like run_blocking, for buffers that may be in the memory of a device. `native`: also with the Shifts of its buffers,
/// once.
template <class MakeLayouts, class Native>
int run_blocking_call(Communicator& record, Call call, Collective collective, MakeLayouts&& layouts, Native&& native)
{
    if (may_be_on_devices())
        if (const std::optional<int> code = run_on_device(record, call, collective, layouts, native))
            return *code;
    return run_blocking(record, call, collective, layouts, native);
}

/// A blocking neighborhood collective of the program. Buffers in place are arguments that the MPI library should see
/// itself, because it treats them in its own way. `native`: as in run_blocking_call; it had better hold the arguments
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
    return guarded_or(call, comm, pass,
                      [&] { return run_blocking_call(*record, call, Buffers::collective, buffers, native); });
}

} // namespace hopscotch::shim
