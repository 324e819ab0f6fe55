// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the exchange that carries a collective by an algorithm on one communicator.
#pragma once

#include "schedules/choice.hpp"
#include "shim/exchange/operation.hpp"
#include "shim/graph/graph.hpp"
#include "shim/memory/segment.hpp"
#include "shim/memory/staging_buffers.hpp"
#include "shim/mpi/process_group.hpp"

#include <limits>
#include <memory>

namespace hopscotch::shim
{

using schedules::Choice;

/// Tags one exchange uses, from its first on: messages, their rests, direct blocks, messages to other nodes.
constexpr int tags_per_exchange = 4;

/// As which native calls the parallel edges of a collective match.
Matching matching_of(Collective collective) noexcept;

/// As shares_block_size of the facts.
bool shares_block_size(const Graph& graph, Collective collective, Algorithm algorithm);

/// The largest block that fits into the memory of a stream beside the others of a call.
std::size_t room_for_block(const Graph& graph, Collective collective, const Stream& stream) noexcept;

/// Blocks of so many bytes and more are lent between processes of a node, where others of up to `room` bytes are
/// written in memory that they share; `never` where none are.
constexpr std::size_t never = std::numeric_limits<std::size_t>::max();
std::size_t lent_from_bytes(const ProcessGroup& group, std::size_t room) noexcept;

/// What exchanges of one communicator have in common.
struct ExchangeGround {
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<ProcessGroup> group;
    std::shared_ptr<StagingBuffers> staging; // null where blocks between nodes cannot be aggregated
};

/// Memory for one exchange: of the shared and the aggregated algorithm.
struct ExchangeMemory {
    std::shared_ptr<Stream> stream;
    int region = -1; // of the staging buffers, for this exchange alone; of the aggregated algorithm
};

/// Makes the exchange for a collective whose parallel edges match as in calls of this completion.
/// Local. Requires: choice is not native; the memory its algorithm needs.
std::shared_ptr<Exchange> make_exchange(const ExchangeGround& ground, Collective collective, Completion completion,
                                        const Choice& choice, int tag, ExchangeMemory memory);

} // namespace hopscotch::shim
