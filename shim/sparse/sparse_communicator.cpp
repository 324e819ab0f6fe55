// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A communicator of the program with calls of MPI_Alltoallv: their pattern, and the graph of it.
#include "shim/sparse/sparse_communicator.hpp"

#include "schedules/selection/reasons.hpp"
#include "shim/call/attachment.hpp"
#include "shim/call/registry.hpp"
#include "shim/call/reordering.hpp"
#include "shim/group/collective_consensus.hpp"
#include "shim/mpi/comm_attribute.hpp"
#include "shim/mpi/inquiries.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "shim/mpi/runtime.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace hopscotch::shim
{

using Step = schedules::SparseCalls::Step;

namespace
{

std::atomic<std::int64_t> next_serial{1}; // serials of graphs with this process as their first

/// 0 for a handle that is no communicator. No handler of the program is called.
int size_if_any(MPI_Comm comm)
{
    const ReturnedErrors returned;
    int size = 0;
    return next.MPI_Comm_size(comm, &size) == MPI_SUCCESS ? size : 0;
}

/// A graph of these lists that returns errors; MPI_COMM_NULL if the library gives none. Collective: over comm.
MPI_Comm made_graph(MPI_Comm comm, std::int64_t serial, const std::vector<int>& sources,
                    const std::vector<int>& destinations)
{
    MPI_Comm processes = MPI_COMM_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    guarded_by([](int) {},
               [&] {
                   processes = make_private(world_ranks(comm), ~serial);
                   check(next.MPI_Comm_set_errhandler(processes, MPI_ERRORS_RETURN));
                   WeightedLists lists;
                   lists.sources = sources;
                   lists.destinations = destinations;
                   made = make_distributed_graph(processes, std::move(lists), MPI_INFO_NULL);
                   return next.MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
               });
    if (processes != MPI_COMM_NULL)
        next.MPI_Comm_free(&processes);
    if (!CollectiveConsensus(comm).all_have_done(made != MPI_COMM_NULL) && made != MPI_COMM_NULL)
        next.MPI_Comm_free(&made);
    return made;
}

} // namespace

SparseCommunicator* SparseCommunicator::find(MPI_Comm comm)
{
    using Sparse = CommAttribute<SparseCommunicator>;
    if (SparseCommunicator* const found = Sparse::find_listed(comm))
        return found;
    if (comm == MPI_COMM_NULL || size_if_any(comm) == 0)
        return nullptr;
    return &Sparse::set(comm, std::unique_ptr<SparseCommunicator>(new SparseCommunicator(comm)));
}

SparseCommunicator::SparseCommunicator(MPI_Comm comm)
{
    processes_ = size_of(comm);
    rank_ = rank_in(comm);
    if (is_between_groups(comm))
        never_ = schedules::reason::between_groups;
    else if (processes_ == 1)
        never_ = schedules::reason::single_process;
    else if (!is_within_world(comm))
        never_ = schedules::reason::not_within_world;
}

SparseCommunicator::~SparseCommunicator()
{
    drop_graph();
}

/// At the end of MPI the graph stays, as those of the program do.
void SparseCommunicator::drop_graph()
{
    record_ = nullptr;
    if (graph_ != MPI_COMM_NULL && runtime().active)
        next.MPI_Comm_free(&graph_);
    graph_ = MPI_COMM_NULL;
}

void SparseCommunicator::look(Side& side, const BlockArguments& arguments) const
{
    const std::vector<int>& ranks = side.peers.graph();
    side.outside.clear();
    side.filled = arguments.gather(ranks, side.gathered);
    for (std::size_t i = 0; i < ranks.size() && !side.peers.has_seen_graph(); ++i)
        if (side.gathered.counts[i] != 0 && arguments.has_block(ranks[i]))
            side.peers.see(ranks[i]);
    if (arguments.filled(processes_) == side.filled)
        return;
    for (int rank = 0; rank < processes_; ++rank)
        if (!side.peers.in_graph(rank) && arguments.has_block(rank)) {
            side.outside.push_back(rank);
            side.peers.see(rank);
        }
}

void SparseCommunicator::look(const BlockArguments& send, const BlockArguments& receive)
{
    if (send_.peers.is_empty()) {
        send_.peers.reset(processes_);
        receive_.peers.reset(processes_);
    }
    look(send_, send);
    look(receive_, receive);
    outside_calls_ += has_outside() ? 1 : 0;
}

/// The processes of a direction in the call that has been looked at, by rank.
std::vector<int> SparseCommunicator::peers_now(const Side& side, const BlockArguments& arguments)
{
    std::vector<int> peers = side.outside;
    std::copy_if(side.peers.graph().begin(), side.peers.graph().end(), std::back_inserter(peers),
                 [&](int rank) { return arguments.has_block(rank); });
    std::sort(peers.begin(), peers.end());
    return peers;
}

bool SparseCommunicator::agree(MPI_Comm comm, const BlockArguments& send, const BlockArguments& receive,
                               Completion completion, bool on_device)
{
    const bool persistent = completion == Completion::persistent;
    std::vector<int> to = peers_now(send_, send);
    std::vector<int> from = peers_now(receive_, receive);
    std::int64_t values[schedules::SparsePatterns::count] = {
        static_cast<std::int64_t>(std::max(to.size(), from.size())),
        std::max(send_.peers.seen(), receive_.peers.seen()),
        persistent ? (has_outside() ? 1 : 0) : outside_calls_,
        on_device ? 1 : 0,
        rank_ == 0 ? next_serial++ : 0,
    };
    CollectiveConsensus(comm).maxima(values, schedules::SparsePatterns::count);
    const schedules::SparsePatterns all{values[0], values[1], values[2], values[3], values[4]};
    const Step step = persistent ? calls_.decide_for_request(all, processes_) : calls_.decide(all, processes_);
    if (!persistent || step != Step::pass)
        outside_calls_ = 0;
    if (step == Step::go_on)
        return true;
    if (step == Step::pass && persistent)
        return false;
    if (step == Step::make_of_seen) {
        send_.peers.make_graph();
        receive_.peers.make_graph();
    } else {
        const bool passes = step == Step::pass;
        send_.peers.make_graph(passes ? std::vector<int>() : std::move(to));
        receive_.peers.make_graph(passes ? std::vector<int>() : std::move(from));
    }
    drop_graph();
    if (step != Step::pass)
        make_graph(comm, all.serial);
    if (record_ == nullptr)
        return false;
    look(send, receive);
    return true;
}

void SparseCommunicator::make_graph(MPI_Comm comm, std::int64_t serial)
try {
    graph_ = made_graph(comm, serial, receive_.peers.graph(), send_.peers.graph());
    if (graph_ != MPI_COMM_NULL) {
        attach_record(Call::MPI_Alltoallv, &graph_, comm, MPI_INFO_NULL);
        record_ = find_communicator(graph_);
        if (!CollectiveConsensus(comm).all(record_ != nullptr))
            drop_graph();
    }
    if (record_ != nullptr)
        return hand_on_handler(comm, graph_);
    calls_.lose_graph();
    send_.peers.make_graph({});
    receive_.peers.make_graph({});
} catch (const NoMemory&) {
    end_without_memory("make a graph for MPI_Alltoallv"); // the others wait for it
}

std::shared_ptr<const OutsideBlocks> SparseCommunicator::outside(const BlockArguments& send,
                                                                 const BlockArguments& receive) const
{
    return std::make_shared<OutsideBlocks>(*record_, rank_, send_.outside, receive_.outside, send, receive);
}

} // namespace hopscotch::shim
