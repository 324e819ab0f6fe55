// Which algorithm carries a collective on a graph: decided from values all its processes share.
#pragma once

#include "shim/graph.hpp"
#include "shim/settings.hpp"

#include <cstddef>
#include <string>

namespace hopscotch::shim
{

/// An algorithm, and for `native` why it is not another one.
struct Choice {
    Algorithm algorithm = Algorithm::native;
    std::string reason;
};

/// What carries blocks of up to `cutoff_bytes`, and what carries larger ones.
struct Choices {
    Choice small;
    Choice large;
    std::size_t cutoff_bytes = 0;

    const Choice& operator()(std::size_t block_bytes) const noexcept
    {
        return block_bytes <= cutoff_bytes ? small : large;
    }
};

/// Local; every process of the graph gets the same. Cost: O(t d), once per communicator and collective.
Choices choose(const Graph& graph, const Settings& settings, Collective collective);

} // namespace hopscotch::shim
