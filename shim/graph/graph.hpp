// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Holds the library's knowledge of one graph communicator's neighborhood; its duplicates share it.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/grid/partial_grid.hpp"
#include "schedules/mapping/remapping.hpp"
#include "schedules/memory/memory_plan.hpp"
#include "schedules/plan/algorithm.hpp"
#include "schedules/selection/reasons.hpp"
#include "shim/base/settings.hpp"
#include "shim/mpi/calls.hpp"
#include "shim/mpi/next.hpp"
#include "shim/mpi/threads.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hopscotch::schedules
{
struct NodeNeighborhood;
}

namespace hopscotch::shim
{

/// Families of native calls that may match parallel edges differently; parallel_edges.hpp learns the match.
enum class Matching : unsigned char { alltoall, alltoallv, alltoallw };
using schedules::Completion;
using schedules::completion_count;

/// The state of a graph. The MPI library carries the calls on a waiting graph, too, until a call asks for its set-up.
enum class GraphState : unsigned char { ready, waiting, left_to_library };

/// The plans of a graph for calls through shared memory, by collective, of blocking calls and of others: communicators
/// with the same graph need not plan again. Any thread.
class KeptPlans
{
  public:
    KeptPlans() = default;
    ~KeptPlans() = default;

    /// A copy of a graph may get other edges, so it begins without plans.
    KeptPlans(const KeptPlans& /*other*/) {}
    KeptPlans& operator=(const KeptPlans& /*other*/) { return plans_ = {}, *this; }

    /// The plan of a collective; `make()` makes it if there is none.
    template <class Make>
    schedules::MemoryPlan plan(schedules::Collective collective, Completion completion, Make&& make)
    {
        const LockAmongThreads lock(mutex_);
        auto& kept = plans_[static_cast<std::size_t>(collective)][completion == Completion::blocking];
        if (kept == nullptr)
            kept = std::make_unique<const schedules::MemoryPlan>(make());
        return *kept;
    }

  private:
    std::mutex mutex_;
    std::array<std::array<std::unique_ptr<const schedules::MemoryPlan>, 2>, schedules::collective_count> plans_;
};

/// Local are only the edges and the neighborhood's slots; everything else is the same on all processes of the graph.
struct Graph {
    Call created_by = Call::MPI_Dist_graph_create_adjacent;
    int ranks = 0;
    int out_degree_min = 0, out_degree_max = 0;
    int in_degree_min = 0, in_degree_max = 0;
    bool parallel_edges = false;
    /// HOPSCOTCH_DEVICE, if it is a number, and the MPI library takes the memory of devices on a process that has
    /// loaded a run-time library of them. Units: bytes of a block.
    std::optional<std::size_t> most_staged_bytes;
    bool unequal_degrees = false; // a process lists more sources than destinations, or fewer; MPI_PROC_NULL included

    /// This process's neighbor lists. Its source_order is that of MPI_Neighbor_alltoall.
    schedules::Edges edges;
    /// source_order for each kind of native call, by Matching; null stands for edges.source_order. Persistent calls run
    /// the schedule of nonblocking ones in MPICH and Open MPI.
    struct SourceOrders {
        std::vector<int> blocking, others;
    };
    std::shared_ptr<const std::array<SourceOrders, 3>> source_orders;
    /// The MPI library matches parallel edges to this process otherwise than MPI 4.1, section 8.6, says.
    bool nonstandard_order = false;

    /// For each receive slot the position of its block among those its sender sends (entries MPI_PROC_NULL left out),
    /// as MPI_Neighbor_alltoall matches them.
    std::vector<int> remote_positions;

    /// The processes' knowledge of each other on a node; null if blocks between nodes cannot be aggregated.
    std::shared_ptr<const schedules::NodeNeighborhood> node_neighborhood;

    /// Largest block that is predicted to gain by aggregation, by schedules::Blocks. Units: bytes.
    std::array<std::size_t, 2> aggregated_up_to = {};

    /// Edges between nodes, of the process that reports them: rank 0 of an isomorphic graph on several nodes.
    schedules::EdgeCounts edge_counts;

    /// The algorithms asked for on this communicator alone, if any.
    std::optional<Algorithms> algorithms;

    GraphState state = GraphState::ready;
    /// The reason why the MPI library carries the calls; empty if the graph is ready.
    schedules::Reason native_reason;
    /// The reason why processes of a node share no memory for it; empty if they do, or if no node has two. Refers to a
    /// permanent text.
    std::string_view memory_refusal;
    /// The reason why the graph is not an isomorphic Cartesian neighborhood; empty if it is one.
    schedules::Reason declined;
    schedules::GridOrigin found = schedules::GridOrigin::none;
    schedules::Topology topology; // that schedules go by
    std::vector<bool> periodic;   // for display: with two processes it may be unknown (periods_to_show)
    schedules::Stencil stencil;   // canonical and sorted
    /// A grid for some edges of a graph that is not isomorphic; null: there is none.
    std::shared_ptr<const schedules::PartialGrid> partial;
    std::string reorder; // result of the program's permission to reorder ranks; empty if it gave none

    /// Made by the calls on it.
    mutable KeptPlans plans;

    /// True if there may be a process without any neighbor: it knows no block size, though it may have to forward.
    bool may_have_idle_process() const noexcept { return in_degree_min == 0 && out_degree_min == 0; }

    /// True if it is of our own making, for MPI_Alltoallv and MPI_Alltoallw of the program.
    bool of_sparse_calls() const noexcept { return created_by == Call::MPI_Alltoallv; }

    bool is_ready() const noexcept { return state == GraphState::ready; }

    /// No message of the library is possible on it.
    void leave_to_library(schedules::Reason reason)
    {
        state = GraphState::left_to_library;
        native_reason = std::move(reason);
    }

    bool isomorphic() const noexcept { return declined.empty() && is_ready(); }

    /// True if all processes see the same block size in a regular call, because chains of neighbors connect them. Cost:
    /// O(t d).
    bool one_block_size() const
    {
        if (may_have_idle_process())
            return false;
        return isomorphic() ? schedules::steps_along_every_dimension(stencil, topology)
                            : partial != nullptr && partial->connected;
    }

    /// The edges as a kind of native call matches them.
    schedules::Edges edges_for(Matching matching, Completion completion) const
    {
        schedules::Edges result = edges;
        if (source_orders == nullptr)
            return result;
        const SourceOrders& orders = (*source_orders)[static_cast<std::size_t>(matching)];
        result.source_order = completion == Completion::blocking ? orders.blocking : orders.others;
        return result;
    }
};

} // namespace hopscotch::shim
