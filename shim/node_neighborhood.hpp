// What the processes of a node know of each other's neighbor lists, and who carries messages between nodes: learned
// when a communicator is made.
#pragma once

#include "schedules/carrying.hpp"
#include "schedules/node_plan.hpp"
#include "shim/graph.hpp"
#include "shim/process_group.hpp"

#include <memory>

namespace hopscotch::shim
{

struct NodeNeighborhood {
    /// Of one kind of blocks.
    struct Ways {
        schedules::Route route;
        schedules::Carriers theirs; // of the nodes around this one
    };

    schedules::Nodes nodes;
    schedules::NodeLists lists; // of this node
    Ways individual;
    Ways common;
    /// The largest box of any process of the graph, in blocks and messages. The same on all processes.
    int most_blocks = 0;
    int most_messages = 0;

    /// What this process does in a collective, its parallel edges matching as `edges` says. Local.
    schedules::Carrying part(const schedules::Edges& edges, schedules::Blocks blocks) const;
};

/// Collective: over the group of the graph. Throws: MpiError.
std::shared_ptr<const NodeNeighborhood> learn_node_neighborhood(const ProcessGroup& group, const Graph& graph);

} // namespace hopscotch::shim
