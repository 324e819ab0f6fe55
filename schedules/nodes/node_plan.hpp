// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The messages between nodes: a node is planned like one process, and its messages are spread over its processes.
#pragma once

#include "schedules/nodes/nodes.hpp"
#include "schedules/plan/schedule.hpp"

#include <limits>
#include <map>
#include <vector>

namespace hopscotch::schedules
{

/// The neighbor lists of all processes of one node, by position on the node; entries no_rank carry nothing.
struct NodeLists {
    int node = 0;
    std::vector<std::vector<int>> destinations;
    std::vector<std::vector<int>> sources;
};

/// The route of messages from node to node: straight to each neighboring node, or, with a grid, dimension by dimension
/// like combining_alltoall. A message with more blocks than `most_blocks` is cut into equal parts, carried by different
/// processes.
struct Route {
    static constexpr int whole = std::numeric_limits<int>::max(); // no message is cut

    int most_blocks = whole;
    Topology grid = {};
    std::vector<int> place = {}; // rank of each node in the grid; empty for straight messages
    Stencil stencil = {};        // between_nodes, of the kind of blocks

    bool straight() const noexcept { return place.empty(); }
};

/// A block that goes from one node to another. Both nodes list those between them in the same order: by source,
/// destination and number of the parallel edge. A common block goes to a node once, for any number of receivers there.
struct Crossing {
    int node = 0;              // the other one
    int destination = no_rank; // no_rank: a common block
    int source = no_rank;
    int order = 0; // among the parallel edges from source to destination
};

/// One process of the node that receives a block from another node.
struct Wanted {
    int incoming = 0; // index of the crossing
    int position = 0; // position of the process on the node
};

/// A message to or from another node.
struct NodeMessage {
    int phase = 0;
    int node = 0; // the other one
    int part = 0;
    int leader = 0; // position of the process of this node that sends or receives it
    /// Out: send (index: the outgoing crossing) or transit. In: transit. Transit blocks are counted on the node.
    std::vector<Slot> blocks;
};

/// The processes (ranks) of a node that send its messages to other nodes, and those that receive the messages from
/// them: for each other node one rank per part. Leaders for one kind of blocks.
struct Leaders {
    std::map<int, std::vector<int>> senders;
    std::map<int, std::vector<int>> receivers;
};

/// Packs the lists of one process into numbers, and unpacks the lists of a node from the numbers of all its processes,
/// by position.
std::vector<int> as_numbers(const Edges& edges);
NodeLists node_lists_from(int node, const std::vector<std::vector<int>>& numbers);

/// All of them as numbers, and back: both maps have the same nodes.
std::vector<int> as_numbers(const Leaders& leaders);
Leaders leaders_from(const std::vector<int>& numbers);

struct NodePlan {
    int phases = 0; // the same on all nodes
    std::vector<Crossing> outgoing;
    std::vector<Crossing> incoming;
    std::vector<Wanted> wanted;   // sorted by incoming, position
    std::vector<NodeMessage> out; // by phase
    std::vector<NodeMessage> in;  // by phase
    std::vector<int> incoming_of; // index in `incoming` of each block in transit, or no_rank if it goes on
    Leaders leaders;              // leaders of this node
};

/// The smallest Route::most_blocks with which this node has at most one message for each of its processes to send and
/// one to receive; Route::whole if it has too many even then. All nodes must use the same: the largest of any.
/// Requires: the plan is of a route that cuts none.
int balanced_part(const NodePlan& plan, int processes);

/// Collective: local to the node; all processes of all nodes must pass the same route and nodes.
/// Throws: std::invalid_argument if the route has a grid and the lists are not those of its stencil. Cost: O(b log b)
/// for the b blocks of all processes of the node.
NodePlan plan_node(const Nodes& nodes, const NodeLists& lists, Blocks blocks, const Route& route);

} // namespace hopscotch::schedules
