// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists the facts used by the rules of the selection: plain values that all processes of a communicator share.
#pragma once

#include "schedules/grid/partial_grid.hpp"
#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"
#include "schedules/nodes/preferred_member.hpp"
#include "schedules/plan/algorithm.hpp"
#include "schedules/plan/cost.hpp"
#include "schedules/selection/reasons.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace hopscotch::schedules
{

/// Facts about one collective on one communicator. The same on all its processes. Units: bytes of a block.
struct Facts {
    Collective collective = Collective::alltoall;
    Algorithm asked_for = Algorithm::automatic; // HOPSCOTCH_ALGORITHM, or the info key
    bool asked_by_key = false;                  // it is the info key's
    std::optional<std::size_t> cutoff_bytes;    // HOPSCOTCH_CUTOFF
    std::optional<std::size_t> device_bytes;    // HOPSCOTCH_DEVICE, if the MPI library takes memory of devices

    int ranks = 0;
    int most_neighbors = 0;      // the most of any process
    Reason unusable;             // forbids messages of the library; empty if they are possible
    Reason declined;             // why no process grid explains the neighbor lists; empty if one does
    bool partly = false;         // one explains some of their entries, though
    bool idle_process = false;   // there may be a process without any neighbor, which knows no block size
    bool one_block_size = false; // neighbors connect all processes, so that all see one size of regular blocks
    int torus_messages = 0;      // a process sends for MPI_Allgather among all, dimension by dimension

    bool may_forward = true;     // other processes may have to wait until this one makes progress
    bool left_alone = false;     // the program may compute without MPI while the call is in flight
    bool native_is_right = true; // the MPI library's function delivers the same blocks
    bool baseline = false;       // it is tried even if it is hardly ever the fastest
    bool crowded = false;        // more processes than cores: the MPI library's function spins, the library yields

    bool one_node = false;            // all processes share memory
    std::size_t shared_bytes = 0;     // largest block for the memory shared on a node; 0 if there is none
    std::size_t aggregated_bytes = 0; // largest that can share messages with those of the node; 0: none can
    std::string_view memory_refusal;  // reason why processes of a node do not share memory as expected
    LinearCost message_cost = cost_of_message(assumed_network); // between nodes, if there are several
    std::size_t combining_pays_up_to = 0;   // predicted, against a message to each neighbor; of `auto`; 0: never
    std::vector<PreferredMember> members;   // by which combined blocks travel, if sizes are known; empty: the usual one
    bool only_splits = false;               // other ways to combine save no message
    std::size_t aggregating_pays_up_to = 0; // predicted; of `auto`

    bool isomorphic() const noexcept { return declined.empty() && unusable.empty(); }

    /// True if blocks to neighbors, or at least some of them, can be combined.
    bool may_combine() const noexcept { return (declined.empty() || partly) && unusable.empty(); }
};

/// Adds facts that follow from the process grid and the stencil that explain the neighbor lists. Requires: all other
/// facts. Local. Cost: O(t d); if `auto` may combine, that of combining_cutoff_bytes.
void add_grid(Facts& facts, const Topology& grid, const Stencil& stencil);

/// Adds facts that follow from a grid that explains some entries. Local. Cost: O(1).
void add_partial_grid(Facts& facts, const PartialGrid& grid);

/// True if all processes whose blocks one of them may see under an algorithm know one size of regular blocks: only then
/// may they choose by it.
bool shares_block_size(const Facts& facts, Algorithm algorithm) noexcept;

/// True if all processes know the one size that all blocks of a call have.
bool knows_block_size(const Facts& facts) noexcept;

/// True if blocks of this size are left to the MPI library, since they may lie in the memory of devices.
bool is_left_on_device(const Facts& facts, std::size_t block_bytes) noexcept;

/// True if the processes may choose a way to combine by the size of the blocks.
bool may_choose_member(const Facts& facts) noexcept;

/// Adds the members that are preferred; `auto` combines as far as these are predicted to be as fast as direct messages.
/// If only splits of dimensions save messages, it combines by these. Requires: add_grid, and may_choose_member. Local.
/// Cost: at most that of preferred_members().
void add_members(Facts& facts, std::vector<PreferredMember> members, const Topology& grid, const Stencil& stencil,
                 const Nodes& nodes, const Network& network);

/// A graph, as far as facts follow from it. A pointer is null if there is none.
struct GraphOfFacts {
    const Topology* grid = nullptr; // with the stencil it explains the neighbor lists
    const Stencil* stencil = nullptr;
    const PartialGrid* partial = nullptr; // explains some of their entries
    const Nodes* nodes = nullptr;         // of its processes; null: none of them looks for other ways to combine
    Network network = assumed_network;
};

/// The facts, with those that follow from the graph. Requires: all other facts. `members()`: those that are preferred,
/// asked for only if the processes may choose one. Local. Cost: that of the functions above.
template <class Members>
Facts with_facts_of_graph(Facts facts, const GraphOfFacts& graph, Members&& members)
{
    if (graph.grid != nullptr)
        add_grid(facts, *graph.grid, *graph.stencil);
    if (graph.partial != nullptr)
        add_partial_grid(facts, *graph.partial);
    if (graph.nodes != nullptr && may_choose_member(facts))
        add_members(facts, members(), *graph.grid, *graph.stencil, *graph.nodes, graph.network);
    return facts;
}

} // namespace hopscotch::schedules
