// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One process's part of a neighborhood: any graph as edges, an isomorphic one as blocks of a shared stencil.
#pragma once

#include "schedules/grid/partial_grid.hpp"
#include "schedules/grid/stencil.hpp"
#include "schedules/grid/topology.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace hopscotch::schedules
{

/// The neighbor lists of one process, in the order of the user's blocks.
/// Parallel edges: `destination_order[i]` counts the earlier entries of `destinations` with the same rank (0, 1, ...);
/// `source_order[j]` is the number of the parallel edge from sources[j] that ends in slot j. MPI libraries differ in
/// this number, so it is given, not computed here. Entries no_rank (MPI_PROC_NULL) have order 0 and carry nothing.
struct Edges {
    int rank = 0;
    std::vector<int> destinations;
    std::vector<int> sources;
    std::vector<int> destination_order;
    std::vector<int> source_order;
};

/// Counts for each entry the earlier entries with the same value: {5, 2, 5, 5} -> {0, 0, 1, 2}; 0 for no_rank.
/// Cost: O(t).
std::vector<int> occurrence(const std::vector<int>& ranks);

/// The number of times that a rank is in a list. Cost: O(t).
int count_of(const std::vector<int>& ranks, int rank);

/// The number of neighbors in a list: all entries but no_rank, repeated ones as often as they are there. Cost: O(t).
int degree(const std::vector<int>& ranks);

/// The order of the standard: on graphs the k-th edge to a process matches its k-th edge from it, on Cartesian
/// communicators block s lands in slot s^1. Source: MPI 4.1, 8.6.
std::vector<int> standard_order(const Edges& edges, bool cartesian);

/// The processes of a list but for oneself, each once, in the order of their ranks.
std::vector<int> distinct_others(std::vector<int> ranks, int self);

/// True if an entry other than no_rank is there twice. Cost: O(t).
bool has_repeats(const std::vector<int>& ranks);

/// True if all entries other than no_rank are ranks of so many processes. Cost: O(t).
bool all_exist(const Edges& edges, int processes);

/// The sum of these numbers over all processes is 0, modulo 2^64, if both processes of every edge name it equally
/// often. If they do not, the sum is 0 with a probability of only 1 in 2^64. Cost: O(t).
std::uint64_t imbalance(const Edges& edges);

/// Counts for each entry the earlier entries that are no no_rank: its position among the processes of the list.
std::vector<int> positions(const std::vector<int>& ranks);

/// The edges to and from processes that belong to a group; the others become no_rank.
Edges part_of(Edges edges, const std::function<bool(int rank)>& belongs);

/// A number for every source slot, such as the position of its block at the sender, for the match of parallel edges in
/// `edges`: `known` has the same edges in another match, and known_numbers[j] belongs to its source slot j. 0 if
/// `known` lacks the edge.
std::vector<int> matched_numbers(const Edges& known, const std::vector<int>& known_numbers, const Edges& edges);

/// An isomorphic neighborhood seen from one process. Block b is the block that travels by stencil.offset(b). The
/// stencil is canonical on the topology and sorted; the repeats of one offset are its parallel edges in order.
/// send_slot[b] is the index in the destination list of the block this process sends by offset b. receive_slot[b] is
/// the index in the source list for the block that arrives by offset b. Both are no_slot beyond a mesh border. On a
/// partial grid, with cells in place of the topology, no_slot also marks edges that are not combined.
struct Neighborhood {
    static constexpr int no_slot = -1;

    int rank = 0;
    Topology topology;
    Stencil stencil;
    std::vector<int> send_slot;
    std::vector<int> receive_slot;
    std::shared_ptr<const PartialGrid> partial; // null: the topology explains all edges
    Blocks blocks = Blocks::individual;         // blocks of a partial grid

    /// The process so many steps along dimension k from another; no_rank if there is none.
    int process(int from, int k, int shift) const;
};

/// Places a stencil at one process of a topology: finds the block of each neighbor slot.
/// Requires: stencil canonical and sorted; the edges are those of this stencil at edges.rank, in any order.
/// Throws: std::invalid_argument if the edges are not the stencil's. Cost: O(t d).
Neighborhood place(const Topology& topology, const Stencil& stencil, const Edges& edges);

/// All processes, itself included, as destinations and sources of process `rank`, in the order of their ranks.
Edges edges_to_everyone(int processes, int rank);

/// The edges a program gets that lists its neighbors in stencil order: destinations rank + N_i, sources rank - N_i,
/// no_rank beyond a mesh border; parallel edges match in order (MPI 4.1, 8.6).
Edges edges_of(const Topology& topology, const Stencil& stencil, int rank);

} // namespace hopscotch::schedules
