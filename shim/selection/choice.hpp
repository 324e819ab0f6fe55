// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says what is chosen: an algorithm for blocks of some sizes, and what is known of a collective without looking at a
// call.
#pragma once

#include "schedules/size_class.hpp"
#include "shim/base/settings.hpp"
#include "shim/graph/graph.hpp"

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace hopscotch::shim
{

using schedules::every_size;
using schedules::side_of;
using schedules::size_class;
using schedules::SizeClass;

/// Whether every destination gets the same block.
bool is_allgather(Collective collective) noexcept;

/// Whether all blocks have one size that all processes know.
[[gnu::hot]] bool is_regular(Collective collective) noexcept;

/// Whether blocks rest at processes that must send them on.
bool forwards(Algorithm algorithm) noexcept;

/// Whether all processes whose blocks one of them may see under an algorithm know one size of regular blocks: only then
/// may they choose by it.
bool shares_block_size(const Graph& graph, Collective collective, Algorithm algorithm);

/// Whether all processes know the one size that all blocks of a call have.
bool knows_block_size(const Graph& graph, Collective collective);

/// Whether the MPI library's function is no measure. MPICH 4.0.2 mixes up the degrees in MPI_Neighbor_alltoallw; with
/// HOPSCOTCH_PARALLEL_EDGES=standard the library may match parallel edges in another order than we are to.
bool library_differs(const Graph& graph, const Settings& settings, Collective collective) noexcept;

/// Blocks above it are better sent from where they lie than copied into memory of ours, perhaps. Unit: bytes.
constexpr std::size_t most_copied_bytes = 2047;

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

    const Choice& operator()(std::size_t block_bytes) const noexcept
    {
        if (block_bytes <= cutoff_bytes)
            return small;
        return block_bytes <= most_bytes ? large : largest;
    }

    /// The sizes that are chosen for like this one.
    SizeClass sizes(std::size_t block_bytes) const noexcept
    {
        if (block_bytes <= cutoff_bytes || block_bytes > most_bytes)
            return side_of(block_bytes <= cutoff_bytes ? cutoff_bytes : most_bytes, block_bytes);
        return {cutoff_bytes + 1, most_bytes};
    }
};

/// What can be done on a communicator besides sending messages of one phase.
struct Abilities {
    bool may_forward = true;          // other processes may have to wait until this one makes progress
    bool left_alone = false;          // the program may compute without MPI while the call is in flight
    std::size_t shared_bytes = 0;     // largest block for the memory shared on a node; 0 where there is none
    bool one_node = false;            // all processes share it
    std::size_t aggregated_bytes = 0; // largest block that can share messages with those of the node; 0: none can
    bool native_is_right = true;      // the MPI library's function delivers what ours does
    bool crowded = false;             // more processes than cores: the MPI library's function spins where ours yields
};

} // namespace hopscotch::shim
