// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a nonblocking or persistent neighborhood collective up to the request in the program's hands.
#include "shim/call/nonblocking_call.hpp"

#include "shim/call/registry.hpp"

namespace hopscotch::shim
{

int note_passed(Call call, Communicator* known, const NativeCall& native)
{
    if (known != nullptr) {
        note_native(known->selection().passed_entry(call, left_to_the_library), native, 0);
        return native.code;
    }
    if (native.is_counted())
        count_unknown(call, native.comm, native.elapsed, native.code != MPI_SUCCESS);
    if (native.code == MPI_SUCCESS)
        follow(unknown_entry(call, native.comm), native, 0);
    return native.code;
}

SelectionEntry& entry_of_request(Communicator& known, Call call, Collective collective, Completion completion,
                                 const Layouts& blocks)
{
    const bool persistent = completion == Completion::persistent;
    if (persistent)
        known.set_up();
    const std::size_t block_bytes = is_regular(collective) ? known.block_bytes(blocks.send, blocks.receive) : 0;
    return persistent ? known.selection().persistent_entry(call, collective, block_bytes)
                      : known.selection().entry(call, collective, completion, block_bytes);
}

std::shared_ptr<ExchangeRequest> new_request(std::shared_ptr<Communicator> communicator, MPI_Comm comm,
                                             SelectionEntry& entry, Collective collective, Completion completion,
                                             Layouts layouts, std::unique_ptr<Verification> verification)
{
    const bool persistent = completion == Completion::persistent;
    const std::size_t block_bytes = communicator->block_bytes(layouts.send, layouts.receive);
    SelectionEntry* used = &entry;
    std::shared_ptr<Exchange> exchange;
    if (persistent) {
        Choice choice = entry.choice;
        exchange = communicator->exchanges().persistent(collective, choice);
        used = &communicator->selection().find_entry(entry.call, collective, completion, choice);
    } else {
        exchange = communicator->exchanges().nonblocking(collective, entry.choice, block_bytes,
                                                         communicator->selection().nonblocking_calls());
    }
    auto request = std::make_shared<ExchangeRequest>(communicator, comm, *used, std::move(exchange), std::move(layouts),
                                                     persistent);
    request->verify(std::move(verification));
    if (persistent)
        return request;
    if (const auto call = communicator->last_call(collective, completion, entry.choice.algorithm, block_bytes))
        request->set_call(*call);
    return request;
}

MPI_Request give_request(std::shared_ptr<ExchangeRequest> request, std::uint64_t begin)
{
    const MPI_Request handle = request->token();
    track(handle, request);
    if (request->persistent())
        return handle;
    request->start();
    enlist(request);
    progress();
    request->add_ticks(ticks() - begin);
    return handle;
}

} // namespace hopscotch::shim
