// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the memory of a communicator on a node, and the largest size of the blocks that fit into it.
#pragma once

#include "schedules/plan/algorithm.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// A persistent request has a stream of its own; a communicator has so many of these at most, the bits of a word less
/// one. They are made as requests need them, four and then as many again each time.
constexpr int persistent_streams = 63;

/// The number of persistent streams with staging buffers.
constexpr int persistent_regions = 3;

/// Limits of the buffers of a stream: for each neighbor, and for all buffers on one node, for any number of processes
/// and neighbors. Units: bytes.
struct RoomLimits {
    std::size_t per_neighbor;
    std::size_t of_node;
};
constexpr RoomLimits room_of_calls{std::size_t{64} << 10, std::size_t{128} << 20};
constexpr RoomLimits room_of_global{std::size_t{64} << 10, std::size_t{32} << 20};
constexpr RoomLimits room_of_nonblocking{std::size_t{32} << 10, std::size_t{64} << 20};

/// Bytes of a buffer of shared memory for blocks to so many neighbors; `most_on_node`: the most processes that a node
/// has. The same on all processes; only the used part takes memory.
std::size_t room_for(int most_on_node, int neighbors, const RoomLimits& limits) noexcept;

/// Bytes of a buffer of each stream of a communicator's segment, by stream.
std::vector<std::size_t> rooms_of_streams(int most_on_node, int neighbors);

/// Bytes a buffer of shared memory has for each block besides those of the block.
constexpr std::size_t overhead_per_block = 32;

/// Largest block that fits into a buffer with so many others. Units: bytes.
std::size_t largest_block_in(std::size_t buffer_bytes, int blocks) noexcept;

/// Blocks of at least so many bytes are copied once between processes of a node.
struct OneCopyLimits {
    std::size_t block_bytes = 0; // bytes of one block
    std::size_t call_bytes = 0;  // bytes of all blocks that a process sends its neighbors in a call; 0: no such limit
    bool tried = false;          // CopyTrials replace the second limit
};

/// The limits of a machine with such pages and so large a second-level cache; 0: the size is not known. `tries`: true
/// if calls may find the faster way.
OneCopyLimits one_copy_limits(std::size_t page_bytes, std::size_t cache_bytes, bool tries) noexcept;

/// Regions of the staging buffers: of blocking calls of each collective, of nonblocking calls of each, in turn, and of
/// persistent requests.
constexpr int staging_lanes = 2;
constexpr int staging_regions = static_cast<int>(collective_count) * (1 + staging_lanes) + persistent_regions;

/// Bytes of blocks a staging buffer has room for; `most_blocks`: of the largest buffer. The same on all processes.
std::size_t staging_room(int most_on_node, int most_blocks) noexcept;

} // namespace hopscotch::schedules
