// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says which members of a family are predicted to be the fastest, by the size of blocks.
#pragma once

#include "schedules/nodes/nodes.hpp"
#include "schedules/plan/cost.hpp"
#include "schedules/plan/family.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The groups of a member for blocks of up to so many bytes; none: the paper's schedule.
struct PreferredMember {
    std::size_t most_bytes;
    std::vector<Group> groups;
};

/// The fastest member by the LogGP model, by increasing size of the blocks of an alltoall, or an allgather with common
/// blocks; the last one for all larger ones. One of three: the paper's, the best that splits no dimension, and the best
/// that does. These two count if they are faster by a twentieth, for some size, than those before and direct messages.
/// The middle of the grid and its node stand for all: the share of their steps along each dimension that leave the
/// node. An allgather between nodes of several processes is not grouped without splits. Local: the same wherever the
/// arguments are. Cost: the processes of a node times the rounds, and 30 prices a member; with common blocks the tree
/// of each, or, if these have more than 2^14 leaves in all, only the paper's.
std::vector<PreferredMember> preferred_members(Blocks blocks, const std::vector<Member>& family,
                                               const Topology& topology, const Stencil& stencil, const Nodes& nodes,
                                               const Network& network);

/// The largest block for which combining by them is as fast as a message to each neighbor by the same model, copies
/// into messages and out of them included; 0 if it never is. Units: bytes. Local. Cost: as above, for the preferred
/// ones.
std::size_t members_pay_up_to(Blocks blocks, const std::vector<PreferredMember>& preferred, const Topology& topology,
                              const Stencil& stencil, const Nodes& nodes, const Network& network);

/// The largest block for which one of them splits dimensions and is faster than a message to each neighbor by the same
/// model, a power of two; 0 if none is. It has fewer messages than `most_neighbors`. Local. Cost: as above.
std::size_t splits_pay_up_to(Blocks blocks, const std::vector<PreferredMember>& preferred, int most_neighbors,
                             const Topology& topology, const Stencil& stencil, const Nodes& nodes,
                             const Network& network);

} // namespace hopscotch::schedules
