// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#include "shim/call/nonblocking_call.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/call/registry.hpp"
#include "shim/mpi/device_memory.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

namespace hopscotch::shim
{

bool OperationRequest::advance()
{
    if (!Operation::advance())
        return false;
    error_ = Operation::outcome();
    become_complete();
    return true;
}

void OperationRequest::start()
{
    prepare();
    activate();
    take_turn();
}

int leave_request_to_library(Call call, Communicator* communicator, const NativeCall& native)
{
    if (communicator != nullptr) {
        SelectionEntry& entry = communicator->selection().passed_entry(call, schedules::reason::left_to_the_library);
        note_native(entry, native, messages_by_library(entry));
        return native.code;
    }
    if (native.is_counted())
        count_unknown(call, native.comm, native.elapsed, native.code != MPI_SUCCESS);
    if (native.code == MPI_SUCCESS)
        follow(unknown_entry(call, native.comm), native, {});
    return native.code;
}

SelectionEntry& entry_of_request(Communicator& communicator, const RequestedCall& call, const Layouts& blocks)
{
    if (call.form.persistent())
        communicator.set_up_for_good();
    else
        communicator.note_lasting_use();
    const std::size_t block_bytes =
        is_regular(call.collective) ? communicator.block_bytes(blocks.send, blocks.receive) : 0;
    return call.form.persistent()
               ? communicator.selection().persistent_entry(call.call, call.collective, block_bytes)
               : communicator.selection().entry(call.call, call.collective, call.form.completion, {block_bytes});
}

MPI_Request hand_out(std::shared_ptr<OperationRequest> operation, std::uint64_t begin, CallDetails* details)
{
    if (details != nullptr)
        operation->take(std::move(details->staged), details->brought, std::move(details->hooks));
    return give_request(std::move(operation), begin);
}

namespace
{

/// The verification of a request.
std::unique_ptr<Verification> verify_request(Communicator& record, const RequestedCall& call,
                                             const SelectionEntry& entry, const Layouts& blocks,
                                             const CallDetails& details)
{
    const auto by_library = [&] {
        if (details.staged != nullptr && !call.form.persistent())
            details.staged->bring(); // it starts at once
        check(details.native(details.staged != nullptr ? details.staged->shifts() : Shifts()));
        return std::make_shared<LibraryExchange>(*call.form.request, call.form.persistent());
    };
    return verify_call(record, entry, call.collective, call.form.completion, blocks,
                       details.native != nullptr ? by_library : ByLibrary());
}

} // namespace

MPI_Request make_request(const RequestedCall& call, SelectionEntry& entry, Layouts blocks, CallDetails* details)
{
    std::shared_ptr<Communicator> record = share_communicator(call.graph);
    Communicator& communicator = *record;
    communicator.keep(blocks);
    std::unique_ptr<Verification> verification;
    if (details != nullptr && runtime().settings.verify &&
        details->hooks.before_start == nullptr) // else the blocks are not there yet
        verification = verify_request(communicator, call, entry, blocks, *details);
    const std::size_t block_bytes = communicator.block_bytes(blocks.send, blocks.receive);
    SelectionEntry* used = &entry;
    std::shared_ptr<Exchange> exchange;
    if (call.form.persistent()) {
        Choice choice = entry.choice;
        exchange = communicator.exchanges().persistent(call.collective, choice);
        used = &communicator.selection().find_entry(entry.call, choice);
    } else {
        exchange = communicator.exchanges().nonblocking(call.collective, entry.choice, block_bytes,
                                                        communicator.selection().nonblocking_calls());
    }
    if (details != nullptr && details->join != nullptr)
        exchange = details->join(std::move(exchange));
    if (!communicator.graph().of_sparse_calls()) // those have another function of the library
        note_request(*used, call.collective, call.form.completion, communicator.graph().edges, blocks.send,
                     blocks.receive);
    auto made = std::make_shared<OperationRequest>(std::move(record), call.comm, *used, std::move(exchange),
                                                   std::move(blocks), call.form.persistent());
    made->verify(std::move(verification));
    if (!call.form.persistent()) {
        const auto numbered =
            communicator.last_call(call.collective, call.form.completion, entry.choice.algorithm, block_bytes);
        made->announce(numbered);
        if (numbered)
            communicator.watchdog().remember(*numbered);
    }
    return hand_out(std::move(made), call.begin, details);
}

MPI_Request staged_request(const RequestedCall& call, SelectionEntry& entry, std::shared_ptr<StagedBuffers> staged,
                           const NativeMoved& native)
{
    std::shared_ptr<Communicator> record = share_communicator(call.graph);
    CallDetails details{std::move(staged)};
    if (!call.form.persistent())
        details.bring(); // the library's function starts at once
    check(native(details.staged->shifts()));
    auto exchange =
        std::make_shared<LibraryExchange>(std::exchange(*call.form.request, MPI_REQUEST_NULL), call.form.persistent(),
                                          sent_by_library(record->graph(), entry, details.staged->blocks().send));
    return hand_out(std::make_shared<OperationRequest>(std::move(record), call.comm, entry, std::move(exchange),
                                                       Layouts(), call.form.persistent()),
                    call.begin, &details);
}

} // namespace hopscotch::shim
