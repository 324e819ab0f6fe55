// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#pragma once

#include "shim/call/neighborhood_call.hpp"
#include "shim/call/operation.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/requests.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <memory>
#include <optional>

namespace hopscotch::shim
{

/// An operation in the program's hands.
class OperationRequest final : public Request, public Operation
{
  public:
    [[gnu::hot]] OperationRequest(std::shared_ptr<Communicator> record, MPI_Comm comm, SelectionEntry& entry,
                                  std::shared_ptr<Exchange> exchange, Layouts blocks, bool persistent)
        : Request(entry, std::move(record), comm, persistent),
          Operation(record_.get(), entry, std::move(exchange), std::move(blocks))
    {
    }

    [[gnu::hot]] void start() override;
    [[gnu::hot]] bool advance() override;
    bool yields() const noexcept override { return Operation::yields(); }
    void idle() override { idle_in_flight(exchange(), yields()); }

  private:
    void count_end(const SentMessages& sent, int code) noexcept override { count_call(sent, code); }
    bool is_wanted() const noexcept override { return !disowned(); }
};

/// A nonblocking or persistent call of the program.
struct RequestedCall {
    Call call;
    Collective collective;
    const CallForm& form;
    MPI_Comm comm;       // the program's, on which errors are raised
    MPI_Comm graph;      // the one with the record
    std::uint64_t begin; // time stamp of the call
};

/// The entry of a call with these blocks. For a persistent call collective: over the communicator. Throws: MpiError.
[[gnu::hot]] SelectionEntry& entry_of_request(Communicator& record, const RequestedCall& call, const Layouts& blocks);

/// The request of a call on this entry, not native. `details`: moved from; null if it has none, not under
/// HOPSCOTCH_VERIFY. For a persistent call collective: over the communicator. Throws: MpiError, std::bad_alloc.
[[gnu::hot]] MPI_Request make_request(const RequestedCall& call, SelectionEntry& entry, Layouts blocks,
                                      CallDetails* details);

/// Hands an operation to the program: begun now, or persistent and not begun. `record`: that of `comm`, on which errors
/// are raised; null if there is none. `details`: as in make_request. Throws: MpiError, std::bad_alloc.
[[gnu::hot]] MPI_Request hand_out(std::shared_ptr<OperationRequest> operation, std::uint64_t begin,
                                  CallDetails* details);

/// Counts a call with arguments that were left to the library, on a communicator with a record or, if null, without,
/// and follows its request. Returns its code. Throws: MpiError, std::bad_alloc.
int leave_request_to_library(Call call, Communicator* record, const NativeCall& native);

/// The request of a call that the MPI library carries with copied buffers, since it does not take those of a device.
/// Throws: MpiError, std::bad_alloc.
MPI_Request staged_request(const RequestedCall& call, SelectionEntry& entry, std::shared_ptr<StagedBuffers> staged,
                           const NativeMoved& native);

/// Leads a call to its request by an exchange, or `by_library(entry, staged)`. `layouts`: as those of
/// Communicator::blocks_of. `details(staged)`: as make_request takes them. `staged`: its buffers, if they are in the
/// memory of a device and `stages`; else null. Returns its code. Throws: WrongArgument before anything is done,
/// MpiError, std::bad_alloc.
template <class MakeLayouts, class MakeDetails, class ByLibrary>
int lead_to_request(Communicator& record, const RequestedCall& call, bool stages, MakeLayouts&& layouts,
                    MakeDetails&& details, ByLibrary&& by_library)
{
    std::shared_ptr<StagedBuffers> staged;
    if (stages && may_be_on_devices())
        staged = record.find_staged(call.collective, record.blocks_of(layouts));
    if (SelectionEntry* const passing = record.selection().entry_left_to_library(call.call))
        return by_library(*passing, std::move(staged));
    Layouts blocks = staged != nullptr ? staged->blocks() : record.blocks_of(layouts);
    SelectionEntry& entry = entry_of_request(record, call, blocks);
    if (entry.choice.algorithm == Algorithm::native)
        return by_library(entry, std::move(staged));
    std::optional<CallDetails> made = details(std::move(staged));
    *call.form.request = make_request(call, entry, std::move(blocks), made ? &*made : nullptr);
    return MPI_SUCCESS;
}

/// A nonblocking or persistent call; parameters as those of neighborhood_call.
template <class Buffers, class Native>
int request_call(Call call, const CallForm& form, MPI_Comm comm, const Buffers& buffers, Native&& native)
{
    if (!runtime().active)
        return native();
    Communicator* const record = find_communicator(comm);
    const std::uint64_t begin = ticks();
    const auto timed = [&] {
        const int code = native();
        return NativeCall{form, comm, ticks() - begin, code};
    };
    const auto pass = [&] {
        const NativeCall passed = timed();
        return guarded(name(call), comm, [&] { return leave_request_to_library(call, record, passed); });
    };
    if (record == nullptr || buffers.in_place() || form.request == nullptr)
        return pass();
    return guarded_or(call, comm, pass, [&]() -> int {
        const RequestedCall made{call, Buffers::collective, form, comm, comm, begin};
        const auto by_library = [&](SelectionEntry& entry, std::shared_ptr<StagedBuffers> staged) {
            if (staged != nullptr && !library_takes_device_memory()) {
                *form.request = staged_request(made, entry, std::move(staged), std::ref(native));
                return MPI_SUCCESS;
            }
            const NativeCall passed = timed();
            note_native(entry, passed, record->sent_natively(entry, buffers, passed.code));
            return passed.code;
        };
        const auto details = [&](std::shared_ptr<StagedBuffers> staged) -> std::optional<CallDetails> {
            if (staged == nullptr && !runtime().settings.verify)
                return std::nullopt;
            return CallDetails{std::move(staged), std::ref(native)};
        };
        return lead_to_request(*record, made, true, buffers, details, by_library);
    });
}

} // namespace hopscotch::shim
