// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#pragma once

#include "shim/call/neighborhood_call.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/requests.hpp"
#include "shim/call/verification.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace hopscotch::shim
{

/// Actions of a call that completes later: before its blocks are sent, each time, and after all have arrived, before
/// the program sees the completion; the second one returns an MPI code. Null: nothing.
struct Hooks {
    std::function<void()> before;
    std::function<int()> after;
};

/// A request that an exchange carries.
class ExchangeRequest final : public Request
{
  public:
    [[gnu::hot]] ExchangeRequest(std::shared_ptr<Communicator> communicator, MPI_Comm comm, SelectionEntry& entry,
                                 std::shared_ptr<Exchange> exchange, Layouts layouts, bool persistent);

    /// From now on it is carried by a reference as well and compared. Null: it is not.
    void verify(std::unique_ptr<Verification> verification);

    /// Its buffers are in the memory of a device: blocks are copied to the host at its start, and back after all have
    /// arrived.
    void stage(std::shared_ptr<StagedBuffers> staged) { staged_ = std::move(staged); }

    void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); }

    /// If the exchange is still busy with an earlier call, progress() begins it later.
    [[gnu::hot]] void start() override;
    [[gnu::hot]] bool advance() override;
    bool yields() const noexcept override { return record_->group()->yields(); }
    void idle() override { idle_in_flight(*exchange_, yields()); }

    /// The announcement of the call for its neighbors, while it waits and for a while after. None: nothing.
    [[gnu::hot]] void set_call(const std::optional<NumberedCall>& call);

  private:
    [[gnu::hot]] void finish(int error) noexcept;
    [[gnu::hot]] bool settled();
    void conclude();

    std::shared_ptr<Exchange> exchange_;
    Layouts layouts_;
    std::shared_ptr<StagedBuffers> staged_;      // null: ordinary memory; outlives the next
    std::unique_ptr<Verification> verification_; // null: not compared
    Hooks hooks_;
    SequenceNumber turn_ = 0; // taken at the program's call, see Exchange::take_turn
    bool begun_ = false;
    bool finished_ = false;            // ours; its reference need not be
    std::optional<NumberedCall> call_; // if it may be announced to neighbors
    WaitInCall wait_;
};

/// The entry of a nonblocking or persistent call with these blocks. For a persistent call collective: over the
/// communicator. Throws: MpiError.
[[gnu::hot]] SelectionEntry& entry_of_request(Communicator& record, Call call, Collective collective,
                                              Completion completion, const Layouts& blocks);

/// Makes one exchange of that of a graph, and of another one beside it.
using JoinExchange = std::function<std::shared_ptr<Exchange>(std::shared_ptr<Exchange>)>;

/// Parts that few requests have; others are spared their making.
struct RequestDetails {
    std::shared_ptr<StagedBuffers> staged; // null: ordinary memory
    NativeMoved native;                    // for HOPSCOTCH_VERIFY; null: the MPI library knows no such call
    JoinExchange join;                     // null: the exchange of the graph is all
    Hooks hooks;
};

/// The request, for the program, of a call on this entry, not native, that was made at time stamp `begin`. `request`:
/// of the program, see verify_request. `details`: moved from; null if it has none, not under HOPSCOTCH_VERIFY. For a
/// persistent call collective: over the communicator. Throws: MpiError, std::bad_alloc.
[[gnu::hot]] MPI_Request make_request(std::shared_ptr<Communicator> record, MPI_Comm comm, SelectionEntry& entry,
                                      Collective collective, Completion completion, Layouts blocks,
                                      const MPI_Request& request, std::uint64_t begin, RequestDetails* details);

/// Counts a call with arguments that were left to the library, on a communicator with a record or, if null, without,
/// and follows its request. Returns its code. Throws: MpiError, std::bad_alloc.
int leave_request_to_library(Call call, Communicator* record, const NativeCall& native);

/// The request of a call that the MPI library carries with copied buffers, since it does not take those of a device.
/// `request`: of the program, for `native`. Throws: MpiError, std::bad_alloc.
MPI_Request staged_request(const std::shared_ptr<Communicator>& record, MPI_Comm comm, SelectionEntry& entry,
                           Completion completion, MPI_Request& request, std::uint64_t begin,
                           std::shared_ptr<StagedBuffers> staged, const NativeMoved& native);

/// A nonblocking (completion nonblocking) or persistent call; parameters as those of neighborhood_call.
template <class MakeLayouts, class Native>
int request_call(Call call, Collective collective, Completion completion, MPI_Comm comm, MPI_Request* request,
                 bool for_the_library, MakeLayouts&& layouts, Native&& native)
{
    if (!runtime().active)
        return native();
    Communicator* const record = find_communicator(comm);
    const std::uint64_t begin = ticks();
    const auto timed = [&] {
        const int code = native();
        return NativeCall{completion, comm, request, ticks() - begin, code};
    };
    const auto pass = [&] {
        const NativeCall passed = timed();
        return guarded(name(call), comm, [&] { return leave_request_to_library(call, record, passed); });
    };
    if (record == nullptr || for_the_library || request == nullptr)
        return pass();
    return guarded_or(call, comm, pass, [&]() -> int {
        std::shared_ptr<StagedBuffers> staged;
        if (may_be_on_devices())
            staged = find_staged(*record, collective, record->blocks_of(layouts));
        const auto by_library = [&](SelectionEntry& entry) {
            if (staged != nullptr && !library_takes_device_memory()) {
                *request = staged_request(share_communicator(comm), comm, entry, completion, *request, begin,
                                          std::move(staged), std::ref(native));
                return MPI_SUCCESS;
            }
            const NativeCall passed = timed();
            note_native(entry, passed, passed_messages(*record, entry, layouts, passed.code));
            return passed.code;
        };
        if (SelectionEntry* const passing = record->selection().entry_left_to_library(call))
            return by_library(*passing);
        Layouts blocks = staged != nullptr ? staged->blocks() : record->blocks_of(layouts);
        SelectionEntry& entry = entry_of_request(*record, call, collective, completion, blocks);
        if (entry.choice.algorithm == Algorithm::native)
            return by_library(entry);
        std::optional<RequestDetails> details;
        if (staged != nullptr || runtime().settings.verify)
            details = RequestDetails{std::move(staged), std::ref(native), nullptr, {}};
        *request = make_request(share_communicator(comm), comm, entry, collective, completion, std::move(blocks),
                                *request, begin, details ? &*details : nullptr);
        return MPI_SUCCESS;
    });
}

} // namespace hopscotch::shim
