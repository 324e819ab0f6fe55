// From an algorithm to the exchange that carries a collective by it on one communicator.
#pragma once

#include "shim/choice.hpp"
#include "shim/graph.hpp"
#include "shim/operation.hpp"
#include "shim/process_group.hpp"
#include "shim/segment.hpp"

#include <memory>

namespace hopscotch::shim
{

/// Tags one exchange uses, from its first on: messages, their rests, direct blocks, messages to other nodes.
constexpr int tags_per_exchange = 4;

/// What exchanges of one communicator have in common.
struct ExchangeGround {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<ProcessGroup> group;
};

/// Makes the exchange for a collective whose parallel edges match as in calls of this completion.
/// `stream`: of the shared algorithm; null for the others. Local. Requires: choice is not native.
std::shared_ptr<Exchange> make_exchange(const ExchangeGround& ground, Collective collective, Completion completion,
                                        const Choice& choice, int tag, std::shared_ptr<Stream> stream);

} // namespace hopscotch::shim
