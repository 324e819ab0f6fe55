// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A communicator of the program with calls of MPI_Alltoallv: their pattern, and the graph of it.
#pragma once

#include "schedules/selection/reasons.hpp"
#include "schedules/selection/seen_peers.hpp"
#include "schedules/selection/sparse_calls.hpp"
#include "shim/call/communicator.hpp"
#include "shim/call/registry.hpp"
#include "shim/sparse/block_arguments.hpp"
#include "shim/sparse/outside_blocks.hpp"

#include <memory>
#include <vector>

namespace hopscotch::shim
{

class SparseCommunicator
{
  public:
    /// The one of this communicator, made at the first request; null if it is none of MPI. Local.
    [[gnu::hot]] static SparseCommunicator* find(MPI_Comm comm);

    ~SparseCommunicator();
    SparseCommunicator(const SparseCommunicator&) = delete;
    SparseCommunicator& operator=(const SparseCommunicator&) = delete;

    /// The reason why no call on it is ever carried, or none.
    schedules::reason::Row never() const noexcept { return never_; }
    int processes() const noexcept { return processes_; }
    int rank() const noexcept { return rank_; }

    /// The record of the graph of its blocks; null if there is none. The same on all processes.
    Communicator* graph() const noexcept { return record_; }
    MPI_Comm graph_handle() const noexcept { return graph_; }

    /// The counters of calls that are passed on for this reason. Local.
    SelectionEntry& passed(Call call, schedules::reason::Row reason)
    {
        if (passed_ == nullptr || passed_->call != call || passed_for_ != reason) {
            passed_ = &passed_entry(call, reason);
            passed_for_ = reason;
        }
        return *passed_;
    }

    /// Counts a blocking call; true if the processes agree in it. Local.
    bool is_due() noexcept { return calls_.is_due(); }

    /// Notes the blocks of a call by the graph, and those outside of it. To be called before the next functions. Local.
    /// Throws: WrongArgument.
    [[gnu::hot]] void look(const BlockArguments& send, const BlockArguments& receive);

    /// The blocks of the graph, and true if the call has others. They refer to the arguments and to this object.
    Layouts blocks(const BlockArguments& send, const BlockArguments& receive, KeptBlocks& kept) const
    {
        return {send.layout(send_.gathered, send_.filled, &kept),
                receive.layout(receive_.gathered, receive_.filled, &kept)};
    }
    bool has_outside() const noexcept { return !send_.outside.empty() || !receive_.outside.empty(); }

    /// Agrees on the pattern of an agreed call, or of a persistent request; a graph may be made, or given back. False:
    /// the call is not sparse. `on_device`: a buffer is in the memory of a device. Collective: over comm, the
    /// communicator of the program. Throws: MpiError.
    bool agree(MPI_Comm comm, const BlockArguments& send, const BlockArguments& receive, Completion completion,
               bool on_device);

    /// The blocks of the call outside of the graph. Local. Requires: there are some. Throws: WrongArgument.
    std::shared_ptr<const OutsideBlocks> outside(const BlockArguments& send, const BlockArguments& receive) const;

  private:
    /// One direction.
    struct Side {
        schedules::SeenPeers peers;
        GatheredArguments gathered; // by the graph
        std::vector<int> outside;   // processes outside of the graph with blocks in this call
        int filled = 0;             // blocks of the graph with a count
    };

    explicit SparseCommunicator(MPI_Comm comm);
    [[gnu::hot]] void look(Side& side, const BlockArguments& arguments) const;
    static std::vector<int> peers_now(const Side& side, const BlockArguments& arguments);
    void make_graph(MPI_Comm comm, std::int64_t serial);
    void drop_graph();

    int processes_ = 0;
    int rank_ = 0;
    schedules::reason::Row never_ = schedules::reason::none;
    schedules::SparseCalls calls_;
    Side send_, receive_;
    std::int64_t outside_calls_ = 0; // since the last agreement
    MPI_Comm graph_ = MPI_COMM_NULL;
    Communicator* record_ = nullptr;
    SelectionEntry* passed_ = nullptr; // the last entry of passed(), for the reason
    schedules::reason::Row passed_for_ = schedules::reason::none;
};

} // namespace hopscotch::shim
