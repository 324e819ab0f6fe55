// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Carries neighborhoods of ours on a communicator of their own: like those of the program, or over plain messages.
#include "shim/hop/hop_neighborhood.hpp"

#include "shim/call/attachment.hpp"
#include "shim/call/neighborhood_call.hpp"
#include "shim/call/registry.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <dlfcn.h>

namespace hopscotch::shim
{

namespace
{

Communicator* record_of(MPI_Comm comm)
{
    return runtime().active ? find_communicator(comm) : nullptr;
}

/// Null if messages can travel on the private communicator of a record.
std::shared_ptr<PrivateCommunicator> own_communicator(MPI_Comm comm)
{
    const Communicator* const record = record_of(comm);
    return record != nullptr && record->group() != nullptr ? nullptr : std::make_shared<PrivateCommunicator>(comm);
}

/// True if the program's completion functions are those of this library, so that it can complete such a request. False
/// if this library stands behind the MPI library.
bool completes_requests() noexcept
{
    static const bool ours = [] {
        Dl_info found;
        Dl_info own;
        const void* const wait = dlsym(RTLD_DEFAULT, "PMPI_Wait");
        return wait != nullptr && dladdr(wait, &found) != 0 &&
               dladdr(reinterpret_cast<const void*>(&completes_requests), &own) != 0 &&
               found.dli_fbase == own.dli_fbase;
    }();
    return ours;
}

} // namespace

Call call_of(Collective collective) noexcept
{
    constexpr Call calls[] = {Call::MPI_Neighbor_alltoall, Call::MPI_Neighbor_alltoallv, Call::MPI_Neighbor_alltoallw,
                              Call::MPI_Neighbor_allgather, Call::MPI_Neighbor_allgatherv};
    return calls[static_cast<std::size_t>(collective)];
}

HopNeighborhood::HopNeighborhood(Call created_by, MPI_Comm comm, const Graph& graph)
    : edges_(graph.edges), own_(std::make_shared<PrivateCommunicator>(comm)), comm_(own_->get()), channels_(own_)
{
    attach_to_neighborhood(created_by, comm_, graph);
    record_ = record_of(comm_);
}

HopNeighborhood::HopNeighborhood(MPI_Comm comm, schedules::Edges lists)
    : edges_(std::move(lists)), own_(own_communicator(comm)), comm_(comm), record_(record_of(comm)),
      channels_(own_ != nullptr ? Channels(own_) : Channels(*record_))
{
}

Channel HopNeighborhood::channel_of(const CallForm& call_form)
{
    return call_form.persistent() ? channels_.persistent(record()) : channels_.numbered(Channels::plans);
}

void HopNeighborhood::run_counted(CallPlan plan, Channel channel, SelectionEntry& entry, const CallForm& call_form,
                                  MPI_Comm user, std::shared_ptr<StagedBuffers> staged)
{
    const std::uint64_t begin = ticks();
    CallDetails details{std::move(staged), nullptr, nullptr, std::move(plan.hooks)};
    if (call_form.later())
        keep_types(plan);
    lead(std::make_shared<PlanExchange>(std::move(plan), std::move(channel)), {}, entry, call_form, user, begin,
         std::move(details));
}

void HopNeighborhood::lead(std::shared_ptr<Exchange> exchange, Layouts blocks, SelectionEntry& entry,
                           const CallForm& call_form, MPI_Comm user, std::uint64_t begin, CallDetails details)
{
    if (call_form.later()) {
        *call_form.request = hand_out(
            std::make_shared<OperationRequest>(record() != nullptr ? share_communicator(comm_) : nullptr, user, entry,
                                               std::move(exchange), std::move(blocks), call_form.persistent()),
            begin, &details);
        return;
    }
    BlockingOperation operation(record(), entry, std::move(exchange), std::move(blocks), begin);
    operation.take(std::move(details.staged), details.brought, std::move(details.hooks));
    check(operation.run());
}

void demand_request(const CallForm& call_form)
{
    if (!call_form.later())
        return;
    demand(call_form.request != nullptr, MPI_ERR_ARG);
    demand(completes_requests(), MPI_ERR_UNSUPPORTED_OPERATION);
}

schedules::Edges edges_in_order(int rank, std::vector<int> sources, std::vector<int> destinations)
{
    schedules::Edges edges;
    edges.rank = rank;
    edges.destination_order = schedules::occurrence(destinations);
    edges.source_order = schedules::occurrence(sources);
    edges.destinations = std::move(destinations);
    edges.sources = std::move(sources);
    return edges;
}

namespace
{

/// Kept with a communicator after a process has reported the fault of its edges.
struct WarnedOnce {
};

/// A warning about the edges of comm, the first one only. Local.
void warn_once(MPI_Comm comm, const std::string& text)
{
    if (CommAttribute<WarnedOnce>::find(comm) != nullptr)
        return;
    CommAttribute<WarnedOnce>::set(comm, std::make_unique<WarnedOnce>());
    log(LogLevel::warn, text + " (MPI_ERR_TOPOLOGY)");
}

/// On a process that names a rank which does not exist, prints this rank. Local.
void tell_missing(MPI_Comm comm, const std::vector<int>& list, const char* kind, int rank, int size)
{
    const auto missing = std::find_if(list.begin(), list.end(), [size](int neighbor) {
        return neighbor != schedules::no_rank && (neighbor < 0 || neighbor >= size);
    });
    if (missing != list.end())
        warn_once(comm, "rank " + std::to_string(rank) + " names rank " + std::to_string(*missing) + " as a " + kind +
                            " (entry " + std::to_string(missing - list.begin()) + "), which the communicator of " +
                            std::to_string(size) + " processes does not have");
}

/// On processes that name more edges than their other ends do, prints the first such edge. Collective: over comm; the
/// lists hold its ranks.
void tell_one_sided(MPI_Comm comm, const schedules::Edges& edges, int size)
{
    // For each process the numbers of times that it is a target and a source of this one; it sends the same numbers
    // about this process.
    std::vector<int> named(2 * static_cast<std::size_t>(size));
    std::vector<int> naming(named.size());
    for (const int rank : edges.destinations)
        if (rank != schedules::no_rank)
            ++named[2 * static_cast<std::size_t>(rank)];
    for (const int rank : edges.sources)
        if (rank != schedules::no_rank)
            ++named[2 * static_cast<std::size_t>(rank) + 1];
    check(next.MPI_Alltoall(named.data(), 2, MPI_INT, naming.data(), 2, MPI_INT, comm));
    const auto tell = [&](const std::vector<int>& list, std::size_t ours, const char* kind, const char* other_kind) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto rank = 2 * static_cast<std::size_t>(list[i]);
            if (list[i] == schedules::no_rank || named[rank + ours] <= naming[rank + 1 - ours])
                continue;
            const std::string neighbor = "rank " + std::to_string(list[i]);
            warn_once(comm,
                      "rank " + std::to_string(edges.rank) + " names " + neighbor + " as a " + kind + " (entry " +
                          std::to_string(i) + "), " + neighbor +
                          (naming[rank + 1 - ours] == 0 ? " does not name it as a " : " names it less often as a ") +
                          other_kind);
            return true;
        }
        return false;
    };
    if (!tell(edges.destinations, 0, "target", "source"))
        tell(edges.sources, 1, "source", "target");
}

} // namespace

void demand_both_ends(MPI_Comm comm, const schedules::Edges& edges)
{
    const int size = size_of(comm);
    std::int64_t sums[] = {static_cast<std::int64_t>(schedules::imbalance(edges)),
                           schedules::all_exist(edges, size) ? 0 : 1};
    CollectiveConsensus(comm).sums(sums, 2);
    if (sums[0] == 0 && sums[1] == 0)
        return;
    if (sums[1] == 0) {
        tell_one_sided(comm, edges, size);
    } else {
        tell_missing(comm, edges.destinations, "target", edges.rank, size);
        tell_missing(comm, edges.sources, "source", edges.rank, size);
    }
    throw Refused{{MPI_ERR_TOPOLOGY}};
}

} // namespace hopscotch::shim
