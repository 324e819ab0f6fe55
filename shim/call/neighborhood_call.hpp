// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a neighborhood collective through its life: finds the record, chooses, carries or passes on, counts.
#pragma once

#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/base/device_library.hpp"
#include "shim/blocks/staged_buffers.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/verification.hpp"
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
int passed_on(Call call, MPI_Comm comm, const char* reason, Native&& native)
{
    if (!runtime().active)
        return native();
    const std::uint64_t begin = ticks();
    Communicator* const known = find_communicator(comm);
    const int code = native();
    return guarded(name(call), comm, [&] {
        const std::uint64_t elapsed = ticks() - begin;
        if (known == nullptr) {
            count_unknown(call, comm, elapsed, code != MPI_SUCCESS);
        } else {
            SelectionEntry& entry = known->selection().passed_entry(call, reason);
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
SentMessages passed_messages(Communicator& known, const SelectionEntry& entry, MakeLayouts&& layouts, int code)
{
    if (entry.trivial_messages == 0 || code != MPI_SUCCESS)
        return messages_by_library(entry);
    try {
        return sent_by_library(known.graph(), entry, known.blocks_of(layouts).send);
    } catch (const WrongArgument&) {
        return messages_by_library(entry);
    }
}

/// StagedBuffers::find for a call. `stay`: large blocks may, since no other function gets the moved buffers.
std::unique_ptr<StagedBuffers> find_staged(Communicator& known, Collective collective, const Layouts& user,
                                           bool stay = library_takes_device_memory());

/// The MPI library's function, called with the buffers of the program moved.
using NativeMoved = std::function<int(const Shifts&)>;

/// The buffers of a call while it is carried.
struct Staging {
    StagedBuffers* staged = nullptr; // null: ordinary memory, and nothing is copied
    bool brought = false;

    void bring()
    {
        if (staged != nullptr && !brought)
            staged->bring();
        brought = true;
    }

    /// Takes back the blocks of a successful call, and counts the copies. Throws: MpiError.
    void end(SelectionEntry& entry, int code)
    {
        if (staged != nullptr)
            take_back(entry, code);
    }

  private:
    void take_back(SelectionEntry& entry, int code);
};

/// Carries a call as carried_call says.
template <class MakeLayouts, class Native>
[[gnu::hot]] int carried_at(Communicator& known, Call call, Collective collective, MakeLayouts&& layouts,
                            Native&& native, Beside beside, Staging& staging)
{
    const std::uint64_t begin = ticks();
    const auto by_library = [&](SelectionEntry& entry) {
        const int code = native();
        staging.end(entry, code);
        const std::uint64_t elapsed = ticks() - begin;
        count(entry, passed_messages(known, entry, layouts, code), elapsed, code);
        return code;
    };
    if (SelectionEntry* const passing = known.selection().passing_entry(call))
        return by_library(*passing);
    const Layouts blocks = known.blocks_of(layouts);
    if (known.rents())
        return by_library(known.selection().passed_entry(call, known.graph().unusable));
    const std::size_t block_bytes = known.block_bytes(blocks.send, blocks.receive);
    known.set_up();
    SelectionEntry& entry =
        known.selection().entry(call, collective, Completion::blocking, known.sizes_of(collective, blocks));
    Trial* const trial = known.selection().take_trial();
    const std::uint64_t carried_from = trial != nullptr ? ticks() : 0;
    const bool ours = entry.exchange != nullptr;
    if (ours)
        staging.bring();
    if (ours && runtime().settings.verify) {
        const int code = verified_call(known, entry, collective, begin, block_bytes, blocks, native, beside);
        staging.end(entry, code);
        return code;
    }
    const int code = ours ? known.carry(entry, collective, block_bytes, blocks, beside) : native();
    staging.end(entry, code);
    const std::uint64_t elapsed = ticks() - begin;
    count(entry, ours ? sent_by(*entry.exchange, beside) : passed_messages(known, entry, layouts, code), elapsed, code);
    if (trial != nullptr)
        trial->note(seconds(ticks() - carried_from));
    if (code != MPI_SUCCESS && ours)
        throw MpiError{code};
    return code;
}

/// Carries a blocking call with a buffer in the memory of a device. Blocks that the library's function carries are not
/// copied if it takes such buffers. Throws: MpiError, std::bad_alloc.
int staged_call(Communicator& known, Call call, Collective collective, StagedBuffers& staged,
                const NativeMoved& native);

/// The code of a call with a buffer in the memory of a device; nothing if there is none, and nothing has been done.
template <class MakeLayouts, class Native>
[[gnu::noinline]] std::optional<int> carried_on_device(Communicator& known, Call call, Collective collective,
                                                       MakeLayouts&& layouts, Native&& native)
{
    const auto staged = find_staged(known, collective, known.blocks_of(layouts));
    return staged != nullptr ? std::optional(staged_call(known, call, collective, *staged, native)) : std::nullopt;
}

/// A blocking neighborhood collective on a communicator with a record. `layouts`: as those of
/// Communicator::blocks_of. `native`: also with the Shifts of its buffers, once. Throws: WrongArgument before anything
/// is done, MpiError, std::bad_alloc.
template <class MakeLayouts, class Native>
int carried_call(Communicator& known, Call call, Collective collective, MakeLayouts&& layouts, Native&& native,
                 Beside beside = {})
{
    if (may_be_on_devices())
        if (const std::optional<int> code = carried_on_device(known, call, collective, layouts, native))
            return *code;
    Staging none;
    return carried_at(known, call, collective, layouts, native, beside, none);
}

/// A blocking neighborhood collective of the program. `for_the_library`: its arguments are such that the MPI library
/// should see them itself, because it treats them in its own way. `native`: as in carried_call; it had better hold the
/// arguments by value: those it refers to go through memory in every call.
template <class MakeLayouts, class Native>
int neighborhood_call(Call call, Collective collective, MPI_Comm comm, bool for_the_library, MakeLayouts&& layouts,
                      Native&& native)
{
    if (!runtime().active)
        return native();
    Communicator* const known = find_communicator(comm);
    const auto pass = [&] { return passed_on(call, comm, schedules::reason::left_to_the_library, native); };
    if (known == nullptr || for_the_library)
        return pass();
    return guarded_or(call, comm, pass, [&] { return carried_call(*known, call, collective, layouts, native); });
}

} // namespace hopscotch::shim
