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

    /// An action before the exchange begins, each time. Null: nothing.
    void begin_with(std::function<void()> preparation) { preparation_ = std::move(preparation); }

    /// An action after all blocks have arrived, before the program sees the completion; returns an MPI code. Null:
    /// nothing.
    void conclude_with(std::function<int()> conclusion) { conclusion_ = std::move(conclusion); }

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
    [[gnu::hot]] void conclude();

    std::shared_ptr<Exchange> exchange_;
    Layouts layouts_;
    std::shared_ptr<StagedBuffers> staged_;      // null: ordinary memory; outlives the next
    std::unique_ptr<Verification> verification_; // null: not compared
    std::function<void()> preparation_;
    std::function<int()> conclusion_;
    SequenceNumber turn_ = 0; // taken at the program's call, see Exchange::take_turn
    bool begun_ = false;
    bool finished_ = false;            // ours; its reference need not be
    std::optional<NumberedCall> call_; // if it may be announced to neighbors
    WaitInCall wait_;
};

/// The entry of a nonblocking or persistent call with these blocks. For a persistent call collective: over the
/// communicator. Throws: MpiError.
[[gnu::hot]] SelectionEntry& entry_of_request(Communicator& known, Call call, Collective collective,
                                              Completion completion, const Layouts& blocks);

/// Makes one exchange of that of a graph, and of another one beside it.
using JoinExchange = std::function<std::shared_ptr<Exchange>(std::shared_ptr<Exchange>)>;

/// A request for a call on this entry, not native, in nobody's hands yet. `layouts`: kept. `join`: null if the exchange
/// of the graph is all. For a persistent call collective: over the communicator. Throws: MpiError, std::bad_alloc.
[[gnu::hot]] std::shared_ptr<ExchangeRequest> new_request(std::shared_ptr<Communicator> communicator, MPI_Comm comm,
                                                          SelectionEntry& entry, Collective collective,
                                                          Completion completion, Layouts layouts,
                                                          std::unique_ptr<Verification> verification,
                                                          const JoinExchange& join = nullptr);

/// Counts a call with arguments that were left to the library, on a communicator with a record or, if null, without,
/// and follows its request. Returns its code. Throws: MpiError, std::bad_alloc.
int note_passed(Call call, Communicator* known, const NativeCall& native);

/// A call with a buffer in the memory of a device, made at time stamp `begin`; for other parameters see request_call.
/// Throws: MpiError, std::bad_alloc.
int staged_request(Communicator& known, Call call, Collective collective, Completion completion, MPI_Comm comm,
                   MPI_Request* request, std::shared_ptr<StagedBuffers> staged, const NativeMoved& native,
                   std::uint64_t begin);

/// A nonblocking (completion nonblocking) or persistent call; parameters as those of neighborhood_call.
template <class MakeLayouts, class Native>
int request_call(Call call, Collective collective, Completion completion, MPI_Comm comm, MPI_Request* request,
                 bool for_the_library, MakeLayouts&& layouts, Native&& native)
{
    if (!runtime().active)
        return native();
    Communicator* const known = find_communicator(comm);
    const std::uint64_t begin = ticks();
    const auto timed = [&] {
        const int code = native();
        return NativeCall{completion, comm, request, ticks() - begin, code};
    };
    const auto pass = [&] {
        const NativeCall passed = timed();
        return guarded(name(call), comm, [&] { return note_passed(call, known, passed); });
    };
    if (known == nullptr || for_the_library || request == nullptr)
        return pass();
    return guarded_or(call, comm, pass, [&]() -> int {
        if (may_be_on_devices())
            if (std::shared_ptr<StagedBuffers> staged = find_staged(*known, collective, known->blocks_of(layouts)))
                return staged_request(*known, call, collective, completion, comm, request, std::move(staged), native,
                                      begin);
        const auto by_library = [&](SelectionEntry& entry) {
            const NativeCall passed = timed();
            note_native(entry, passed, passed_messages(*known, entry, layouts, passed.code));
            return passed.code;
        };
        if (SelectionEntry* const passing = known->selection().passing_entry(call))
            return by_library(*passing);
        Layouts blocks = known->blocks_of(layouts);
        SelectionEntry& entry = entry_of_request(*known, call, collective, completion, blocks);
        if (entry.choice.algorithm == Algorithm::native)
            return by_library(entry);
        known->keep(blocks);
        std::unique_ptr<Verification> verification;
        if (runtime().settings.verify)
            verification = verify_request(*known, entry, collective, completion, blocks, *request, native);
        *request = give_request(new_request(share_communicator(comm), comm, entry, collective, completion,
                                            std::move(blocks), std::move(verification)),
                                begin);
        return MPI_SUCCESS;
    });
}

} // namespace hopscotch::shim
