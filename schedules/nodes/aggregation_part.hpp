// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// One process's part in a node plan if the node's blocks lie in memory that its processes share: no message within the
// node brings a block. The neighbor lists of the node give it.
#pragma once

#include "schedules/grid/neighborhood.hpp"
#include "schedules/nodes/node_plan.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// Every process of a node has a buffer of its own in the memory: first the cells with its outgoing blocks, then the
/// messages from other nodes it receives, each a number of blocks.
struct StagingBuffer {
    int cells = 0;
    std::vector<int> message_blocks;

    /// Blocks in the buffer, cells and messages.
    int blocks() const noexcept;
};

/// Blocks next to each other in the buffer of a process.
struct Run {
    static constexpr int cells = -1;

    int owner = 0;       // position on the node
    int message = cells; // message in the owner's buffer, or its cells
    int first = 0;       // cell, or block of the message
    int count = 0;
};

/// A message to another node: the blocks of the runs in order.
struct LeaderMessage {
    int phase = 0;      // phase of the plan
    int peer = no_rank; // rank
    int blocks = 0;
    std::vector<Run> runs; // empty in a message that is received
};

/// A block of a message in some buffer of the node that is for this process.
struct Delivery {
    int owner = 0;
    int message = 0;
    int index = 0; // index of the block in the message
    int slot = 0;  // receive slot
};

/// The deliveries [first, last) come with one message.
struct DeliveryBatch {
    int owner = 0;
    int message = 0;
    int phase = 0; // phase in which the message comes
    std::size_t first = 0;
    std::size_t last = 0;
};

struct AggregationPart {
    int phases = 0;                     // phases in which messages go between nodes
    std::vector<StagingBuffer> buffers; // by position on the node
    int own_position = 0;
    std::vector<int> cell_slots;      // send slots of this process's cells
    std::vector<LeaderMessage> out;   // by phase
    std::vector<LeaderMessage> in;    // the messages in the own buffer
    std::vector<Delivery> deliveries; // sorted by owner and message
    std::vector<DeliveryBatch> batches;
    std::vector<int> readers; // other positions that read the own buffer, increasing
};

/// The part with the data that an exchange needs.
struct AggregationPlan {
    AggregationPart part;
    Edges edges;                   // between nodes; others are no_rank
    std::size_t cutoff_bytes = 0;  // larger blocks travel by themselves along their edge
    std::size_t largest_block = 0; // the staging buffers have room for
};

/// The part of one process of the node. `theirs`: the leaders of other nodes, those that send to this node and receive
/// from it.
/// Requires: the plan was made from lists that hold those of `edges`; edges.source_order may match parallel edges in
/// any way. Collective: local. Cost: O(b log b) for the b blocks of all processes of the node.
AggregationPart aggregation_part(const NodePlan& plan, const Nodes& nodes, const Edges& edges, Blocks blocks,
                                 const Leaders& theirs);

/// The knowledge that the processes of a node have of each other's neighbor lists.
struct NodeNeighborhood {
    /// Routes for one kind of blocks.
    struct Paths {
        Route route;
        Leaders theirs; // leaders of the nodes around this one
    };

    NodeLists lists; // lists of this node
    Paths individual;
    Paths common;
    /// The largest staging buffer of any process of the graph, in blocks and messages. The same on all processes.
    int most_blocks = 0;
    int most_messages = 0;

    /// This process's part in a collective; `edges` gives the match of its parallel edges. Local.
    AggregationPart part(const Nodes& nodes, const Edges& edges, Blocks blocks) const;

  private:
    const Paths& paths(Blocks blocks) const;
};

} // namespace hopscotch::schedules
