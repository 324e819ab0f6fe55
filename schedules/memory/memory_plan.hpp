// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks that one process exchanges with its neighbors through memory that the processes of a node share.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/memory/copy_trials.hpp"
#include "schedules/memory/slot_copies.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace hopscotch::schedules
{

/// Blocks that are lent are no larger.
constexpr std::size_t most_lent_bytes = (std::size_t{1} << 30) - 1;

/// A process packs its blocks in the order of its destinations; the position of a block counts the blocks before it
/// with a destination, on any node. A block common to all has position 0.
struct MemoryPlan {
    /// A process of the node that sends to this one.
    struct Source {
        int rank = no_rank;
        int destination = -1; // the same process among the destinations
        int first_run = 0;    // index of its first run in `receiving`
        int runs = 0;
        int end_position = 0; // behind the last of them at their sender
    };

    bool one_size = false; // all blocks have one size, known at both ends

    /// Larger ones travel by themselves along their edge. Units: bytes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();

    /// Blocks of so many bytes and more are lent: their receivers copy them directly from the sender's memory. In calls
    /// in which a process sends its neighbors fewer bytes in all it lends none, unless they do not fit into its buffer.
    std::size_t lent_from_bytes = std::numeric_limits<std::size_t>::max();
    std::size_t lending_call_bytes = 0;
    std::shared_ptr<CopyTrials::Results> copy_results; // null: calls do not try one copy and two
    std::size_t buffer_bytes = std::numeric_limits<std::size_t>::max();

    Edges on_node;                  // others are no_rank
    std::vector<int> destinations;  // the other processes of the node that this one sends to, increasing
    std::vector<Source> sources;    // by increasing rank
    std::vector<SlotRun> sending;   // send slots with such a destination
    std::vector<SlotRun> receiving; // receive slots, and positions at their senders, source by source
    std::vector<SlotRun> own;       // receive slots filled from this process's own, and the send slots
    int positions = 0;
    int destinations_per_block = 1; // so often a block counts as sent

    /// Slots of the blocks that a source sends.
    SlotRuns receiving_from(const Source& source) const noexcept
    {
        const SlotRun* const first = receiving.data() + source.first_run;
        return {first, first + source.runs};
    }
};

/// `belongs`: to this node. `remote_positions`: of the receive slots' blocks at their senders.
MemoryPlan memory_plan(const Edges& edges, Blocks blocks, const std::function<bool(int rank)>& belongs,
                       const std::vector<int>& remote_positions);

} // namespace hopscotch::schedules
