// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A process grid and a stencil that explain many edges of a graph, though not all: those are combined, the others
// travel directly in the same call.
#pragma once

#include "schedules/grid/lattice.hpp"
#include "schedules/grid/stencil.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// individual: a process has one block for each neighbor (alltoall). common: one block for all of them (allgather).
enum class Blocks : unsigned char { individual, common };

/// A grid that explains some edges. It is the same on all processes of the graph.
struct PartialGrid {
    Lattice cells;
    std::vector<int> cell_of_rank;
    std::vector<int> rank_of_cell; // no_rank: the cell is empty
    GridOrigin found = GridOrigin::none;
    Stencil stencil;               // sorted; each offset a shortest way; repeats are parallel edges in order
    std::vector<int> gather_order; // dimensions as an allgather travels them; alltoall: from the first to the last

    /// By Blocks: entry r * stencil.size() + b is true if the block of process r by offset b is combined. It is false
    /// if the edge is missing, or its way leads over an empty cell.
    std::array<std::vector<bool>, 2> combined;

    /// A block that travels over a neighbor of both its ends, or waits at its sender: then `over` is `from`. In the
    /// first of the phases it travels to `over`, in the second one to its receiver.
    struct Detour {
        int from;
        int over;
        int to;
        int order; // among the parallel edges
        std::array<int, 2> phases;
    };
    std::array<std::vector<Detour>, 2> detours; // by Blocks; they are not combined

    bool connected = false;           // chains of neighbors lead from each process to each
    std::int64_t edges = 0;           // of all processes, without edges from a process to itself
    std::int64_t combined_edges = 0;  // in an alltoall
    std::int64_t messages = 0;        // of all processes in an alltoall
    std::int64_t merged_messages = 0; // the same with each block sent directly
    std::int64_t volume = 0;          // blocks that all processes send, every hop counted

    /// The part of one process.
    struct Load {
        int messages = 0;
        int merged_messages = 0;
        int volume = 0;
        int edges = 0;

        /// False for processes with so few neighbors that they have time to forward.
        bool has_many_neighbors() const noexcept { return merged_messages > 3; }
        bool gains_nothing() const noexcept { return has_many_neighbors() && messages >= merged_messages; }
    };
    Load most;                     // the most of any process in an alltoall, each number for itself
    std::int64_t without_gain = 0; // processes of either kind of call with many neighbors and no fewer messages

    void add_loads(Blocks blocks, const std::vector<Load>& loads)
    {
        for (const Load& load : loads) {
            without_gain += load.gains_nothing() ? 1 : 0;
            if (blocks == Blocks::common)
                continue;
            most.messages = std::max(most.messages, load.messages);
            most.merged_messages = std::max(most.merged_messages, load.merged_messages);
            most.volume = std::max(most.volume, load.volume);
            most.edges = std::max(most.edges, load.edges);
        }
    }

    bool combines(Blocks blocks, int rank, int b) const
    {
        return combined[static_cast<std::size_t>(blocks)]
                       [static_cast<std::size_t>(rank) * static_cast<std::size_t>(stencil.size()) +
                        static_cast<std::size_t>(b)];
    }

    /// The process so many steps along dimension k from another; no_rank if the cell is empty.
    int process(int rank, int k, int shift) const
    {
        return rank_of_cell[static_cast<std::size_t>(
            cells.moved(cell_of_rank[static_cast<std::size_t>(rank)], k, shift))];
    }
};

} // namespace hopscotch::schedules
