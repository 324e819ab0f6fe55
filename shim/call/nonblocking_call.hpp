// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#pragma once

#include "shim/call/neighborhood_call.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/requests.hpp"
#include "shim/call/timed_requests.hpp"
#include "shim/call/verification.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

namespace hopscotch::shim
{

/// The entry of a nonblocking or persistent call with these blocks. For a persistent call collective: over the
/// communicator. Throws: MpiError.
SelectionEntry& entry_of_request(Communicator& known, Call call, Collective collective, Completion completion,
                                 const Layouts& blocks);

/// A request for a call on this entry, not native, in nobody's hands yet. `layouts`: kept. For a persistent call
/// collective: over the communicator. Throws: MpiError, std::bad_alloc.
std::shared_ptr<ExchangeRequest> new_request(std::shared_ptr<Communicator> communicator, MPI_Comm comm,
                                             SelectionEntry& entry, Collective collective, Completion completion,
                                             Layouts layouts, std::unique_ptr<Verification> verification);

/// Puts it into the program's hands; a nonblocking call, which came at time stamp `begin`, starts. Throws: MpiError,
/// std::bad_alloc.
MPI_Request give_request(std::shared_ptr<ExchangeRequest> request, std::uint64_t begin);

/// Counts a call whose arguments were left to the library, on a communicator with a record or, if null, without, and
/// follows its request. Returns its code. Throws: MpiError, std::bad_alloc.
int note_passed(Call call, Communicator* known, const NativeCall& native);

/// A nonblocking (completion nonblocking) or persistent call; parameters as those of neighborhood_call.
template <class MakeLayouts, class Native>
int request_call(Call call, Collective collective, Completion completion, MPI_Comm comm, MPI_Request* request,
                 bool for_the_library, MakeLayouts&& layouts, Native&& native) noexcept
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
        return guarded(comm, [&] { return note_passed(call, known, passed); });
    };
    if (known == nullptr || for_the_library || request == nullptr)
        return pass();
    return guarded_or(comm, pass, [&]() -> int {
        if (SelectionEntry* const passing = known->selection().passing_entry(call)) {
            const NativeCall passed = timed();
            note_native(*passing, passed, passed_bytes(*known, *passing, layouts, passed.code));
            return passed.code;
        }
        Layouts blocks = layouts(known->graph());
        SelectionEntry& entry = entry_of_request(*known, call, collective, completion, blocks);
        if (entry.choice.algorithm == Algorithm::native) {
            const NativeCall passed = timed();
            note_native(entry, passed, passed_bytes(*known, entry, layouts, passed.code));
            return passed.code;
        }
        blocks.keep();
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
