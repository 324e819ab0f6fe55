// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Leads a call of MPI_Alltoallv or MPI_Alltoallw, in any form, to the graph of its blocks or to the MPI library.
#include "shim/sparse/sparse_call.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/base/clock.hpp"
#include "shim/call/nonblocking_call.hpp"
#include "shim/call/registry.hpp"
#include "shim/device/device_library.hpp"
#include "shim/sparse/joined_exchange.hpp"
#include "shim/sparse/sparse_communicator.hpp"

#include <numeric>

namespace hopscotch::shim
{

namespace
{

Collective collective_of(const SparseCall& call)
{
    return call.send.is_w() ? Collective::alltoallw : Collective::alltoallv;
}

/// Passes a call on. On a communicator where all are passed on blocking calls are not timed: they may take less than a
/// microsecond.
[[gnu::hot]] int pass(const SparseCall& call, SparseCommunicator& sparse, schedules::reason::Row reason)
{
    const bool timed = sparse.never() == schedules::reason::none || call.form.later();
    const std::uint64_t begin = timed ? ticks() : 0;
    const int code = call.native({});
    const NativeCall passed{call.form, call.comm, timed ? ticks() - begin : 0, code};
    SelectionEntry& entry = sparse.passed(call.call, reason);
    if (passed.is_counted())
        count_passed(entry, passed.elapsed, code);
    if (code == MPI_SUCCESS && call.form.later())
        follow(entry, passed, {});
    return code;
}

/// Host memory in place of buffers in the memory of a device; null if there are none.
std::shared_ptr<StagedBuffers> staged_buffers(const SparseCall& call, const SparseCommunicator& sparse)
{
    if (!may_be_on_devices())
        return nullptr;
    std::vector<int> everyone(static_cast<std::size_t>(sparse.processes()));
    std::iota(everyone.begin(), everyone.end(), 0);
    GatheredArguments sent;
    GatheredArguments received;
    return StagedBuffers::find({call.send.layout(sent, call.send.gather(everyone, sent), nullptr),
                                call.receive.layout(received, call.receive.gather(everyone, received), nullptr)},
                               everyone, everyone);
}

/// The blocks outside of a graph that our messages reach; null if the call has none.
std::shared_ptr<const OutsideBlocks> outside_of(const SparseCall& call, const SparseCommunicator& sparse)
{
    if (!sparse.has_outside() || sparse.graph()->group() == nullptr)
        return nullptr;
    return sparse.outside(call.send, call.receive);
}

/// Blocks outside of the graph under HOPSCOTCH_VERIFY: received into memory of ours, to be compared with those that the
/// MPI library's function brings.
class VerifiedOutside
{
  public:
    VerifiedOutside(std::shared_ptr<const OutsideBlocks> outside, std::shared_ptr<Communicator> record, Call call)
        : outside_(std::move(outside)), record_(std::move(record)),
          entry_(record_->selection().find_entry(call, {Algorithm::trivial, {}})),
          verification_(outside_->sources(), outside_->blocks())
    {
        verification_.start();
    }

    const BlockLayout& receive() const noexcept { return verification_.receive(); }

    /// After a call that has succeeded. An error is compared with the graph's.
    int compare()
    {
        verification_.compare(*record_, entry_, outside_->exchange().error(), MPI_SUCCESS);
        return MPI_SUCCESS;
    }

  private:
    std::shared_ptr<const OutsideBlocks> outside_;
    std::shared_ptr<Communicator> record_;
    SelectionEntry& entry_;
    Verification verification_;
};

/// Makes the blocks of the graph, as Communicator::blocks_of takes it.
auto layouts_of(const SparseCall& call, const SparseCommunicator& sparse)
{
    return [&](const schedules::Edges&, KeptBlocks& kept) { return sparse.blocks(call.send, call.receive, kept); };
}

/// The details of a call by the graph. `staged`: its buffers, which have been moved; null: ordinary memory.
CallDetails details_of(const SparseCall& call, const SparseCommunicator& sparse, std::shared_ptr<StagedBuffers> staged)
{
    CallDetails details{std::move(staged), call.native};
    const std::shared_ptr<const OutsideBlocks> outside = outside_of(call, sparse);
    if (outside == nullptr)
        return details;
    std::shared_ptr<VerifiedOutside> verified;
    if (runtime().settings.verify) {
        verified = std::make_shared<VerifiedOutside>(outside, share_communicator(sparse.graph_handle()), call.call);
        details.hooks.after_arrival = [verified] { return verified->compare(); };
    }
    details.join = [=](std::shared_ptr<Exchange> graph) -> std::shared_ptr<Exchange> {
        return std::make_shared<JoinedExchange>(std::move(graph), outside,
                                                verified != nullptr ? &verified->receive() : nullptr);
    };
    return details;
}

/// A blocking call by the graph.
[[gnu::hot]] int run_blocking_sparse(const SparseCall& call, SparseCommunicator& sparse,
                                     std::shared_ptr<StagedBuffers> staged)
{
    const auto run = [&](CallDetails* details) {
        const Shifts by = details != nullptr && details->staged != nullptr ? details->staged->shifts() : Shifts();
        const auto layouts = layouts_of(call, sparse);
        const auto native = [&] { return call.native(by); };
        return BlockingCall(*sparse.graph(), call.call, collective_of(call), layouts, native, details).run_on_host();
    };
    if (staged == nullptr && !sparse.has_outside())
        return run(nullptr);
    CallDetails details = details_of(call, sparse, std::move(staged));
    details.bring();
    return run(&details);
}

/// A nonblocking call, or a persistent request, by the graph. `staged`: of its buffers, which have been moved.
int make_sparse_request(const SparseCall& call, SparseCommunicator& sparse, std::shared_ptr<StagedBuffers> staged)
{
    const RequestedCall made{call.call, collective_of(call), call.form, call.comm, sparse.graph_handle(), ticks()};
    const auto layouts = layouts_of(call, sparse);
    const auto by_library = [&](SelectionEntry& entry, auto&&) {
        const int code = call.native({});
        note_native(entry, {call.form, made.graph, ticks() - made.begin, code},
                    sparse.graph()->sent_natively(entry, layouts, code));
        return code;
    };
    const auto details = [&](auto&&) { return std::optional(details_of(call, sparse, std::move(staged))); };
    return lead_to_request(*sparse.graph(), made, false, layouts, details, by_library);
}

/// A call on a communicator where calls may be carried. Throws: WrongArgument before anything is done, MpiError.
[[gnu::hot]] int run_on_graph(SparseCall& call, SparseCommunicator& sparse)
{
    const bool agrees = call.form.later() ? call.form.persistent() : sparse.is_due();
    if (!agrees && sparse.graph() == nullptr)
        return pass(call, sparse, schedules::reason::not_sparse);
    call.send.demand_arrays();
    call.receive.demand_arrays();
    std::shared_ptr<StagedBuffers> staged = staged_buffers(call, sparse);
    const Shifts by = staged != nullptr ? staged->shifts() : Shifts();
    call.send.move(by.send);
    call.receive.move(by.receive);
    sparse.look(call.send, call.receive);
    if (agrees && !sparse.agree(call.comm, call.send, call.receive, call.form.completion, staged != nullptr))
        return pass(call, sparse,
                    staged != nullptr ? schedules::reason::buffers_on_devices : schedules::reason::not_sparse);
    if (call.form.later())
        return make_sparse_request(call, sparse, std::move(staged));
    return run_blocking_sparse(call, sparse, std::move(staged));
}

} // namespace

int run_sparse(SparseCall&& call)
{
    if (!runtime().active || call.comm == MPI_COMM_NULL)
        return call.native({});
    SparseCommunicator* sparse = nullptr;
    const auto leave = [&] { return pass(call, *sparse, schedules::reason::left_to_the_library); };
    return guarded_or(call.call, call.comm, leave, [&] {
        sparse = SparseCommunicator::find(call.comm);
        if (sparse == nullptr || (call.form.later() && call.form.request == nullptr))
            return call.native({});
        if (sparse->never() != schedules::reason::none)
            return pass(call, *sparse, sparse->never());
        if (call.send.in_place() || call.receive.in_place())
            return pass(call, *sparse, schedules::reason::in_place);
        return run_on_graph(call, *sparse);
    });
}

} // namespace hopscotch::shim
