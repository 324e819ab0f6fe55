// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A process grid and a stencil that explain many edges of a graph, though not all: those are combined, the others
// travel directly in the same call.
#pragma once

#include "schedules/grid/lattice.hpp"
#include "schedules/grid/stencil.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hopscotch::schedules
{

/// individual: a process has one block for each neighbor (alltoall). common: one block for all of them (allgather).
enum class Blocks : unsigned char { individual, common };

/// The same on all processes of the graph.
struct PartialGrid {
    Lattice cells;
    std::vector<int> cell_of_rank;
    std::vector<int> rank_of_cell; // no_rank: the cell is empty
    const char* found = "";
    Stencil stencil;               // sorted; each offset a shortest way; repeats are parallel edges in order
    std::vector<int> gather_order; // dimensions as an allgather travels them; alltoall: from the first to the last

    /// By Blocks: entry r * stencil.size() + b is true if the block of process r by offset b is combined. It is false
    /// if the edge is missing, or its way leads over an empty cell.
    std::array<std::vector<bool>, 2> combined;

    bool connected = false;           // chains of neighbors lead from each process to each
    std::int64_t edges = 0;           // of all processes, without edges from a process to itself
    std::int64_t combined_edges = 0;  // in an alltoall
    std::int64_t messages = 0;        // of all processes in an alltoall
    std::int64_t merged_messages = 0; // the same with each block sent directly
    std::int64_t volume = 0;          // blocks that all processes send, every hop counted

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
