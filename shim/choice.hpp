// Which algorithm carries a collective on a graph: decided from values all its processes share.
#pragma once

#include "shim/graph.hpp"
#include "shim/settings.hpp"

#include <cstddef>
#include <limits>
#include <string>

namespace hopscotch::shim
{

/// Whether every destination gets the same block.
bool is_allgather(Collective collective) noexcept;

/// Whether all blocks have one size that all processes know.
bool is_regular(Collective collective) noexcept;

/// An algorithm, and for `native` why it is not another one.
struct Choice {
    Algorithm algorithm = Algorithm::native;
    std::string reason;
    /// Blocks above it travel directly even so; of the collectives with varying block sizes.
    std::size_t cutoff_bytes = std::numeric_limits<std::size_t>::max();
};

/// What carries blocks of up to `cutoff_bytes`, larger ones of up to `most_bytes`, and even larger ones.
struct Choices {
    Choice small;
    Choice large;
    std::size_t cutoff_bytes = 0;
    Choice largest = {};
    std::size_t most_bytes = std::numeric_limits<std::size_t>::max();
};

/// What can be done on a communicator besides sending messages of one phase.
struct Abilities {
    bool may_forward = true;          // other processes may have to wait until this one makes progress
    std::size_t shared_bytes = 0;     // largest block for the memory shared on a node; 0 where there is none
    bool one_node = false;            // all processes share it
    bool crowded = false;             // and there are more of them than cores
    std::size_t aggregated_bytes = 0; // largest block that can share messages with those of the node; 0: none can
};

/// What would be combined is merged where blocks may not be forwarded, what would be shared where memory is not.
/// Local; every process of the graph gets the same. Cost: O(t d), once per communicator and collective.
Choices choose(const Graph& graph, const Settings& settings, Collective collective, const Abilities& abilities);

} // namespace hopscotch::shim
