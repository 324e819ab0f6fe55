// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/memory/room.hpp"

#include "schedules/memory/segment_layout.hpp"

#include <algorithm>

namespace hopscotch::schedules
{

std::size_t room_for(int most_on_node, int neighbors, const RoomLimits& limits) noexcept
{
    constexpr std::size_t page_bytes = 4096;
    constexpr std::size_t most_room = std::size_t{16} << 20;
    const std::size_t room = static_cast<std::size_t>(std::max(neighbors, 1)) * limits.per_neighbor;
    const std::size_t buffers = static_cast<std::size_t>(most_on_node) * buffers_per_stream;
    return std::max(std::min({room, most_room, limits.of_node / buffers}) / page_bytes, std::size_t{1}) * page_bytes;
}

std::vector<std::size_t> rooms_of_streams(int most_on_node, int neighbors)
{
    std::vector<std::size_t> rooms(streams_of_calls, room_for(most_on_node, neighbors, room_of_nonblocking));
    rooms[calls_stream] = rooms[large_nonblocking_stream] = room_for(most_on_node, neighbors, room_of_calls);
    rooms[global_stream] = room_for(most_on_node, neighbors, room_of_global);
    return rooms;
}

std::size_t largest_block_in(std::size_t buffer_bytes, int blocks) noexcept
{
    const std::size_t per_block = buffer_bytes / static_cast<std::size_t>(std::max(blocks, 1));
    return per_block > overhead_per_block ? per_block - overhead_per_block : 0;
}

/// Two copies are faster than one by the system while all that a call touches is in the second-level cache. On an AMD
/// EPYC of the 9005 family, with 1 MiB of second-level cache, two copies take 0.7 times as long as one for 0.6 MB in
/// all blocks of a call, 1.5 times for 1.2 MB (2 processes), and 1.2 to 2.1 times for 0.8 MB (8 processes on two
/// cores).
OneCopyLimits one_copy_limits(std::size_t page_bytes, std::size_t cache_bytes, bool tries) noexcept
{
    // Pages of a block. Next to four pages the first and the last one, used in part, count little. Smaller ones must
    // leave in the call that begins: MPI libraries send them eagerly, and programs rely on that.
    constexpr std::size_t pages = 4;
    constexpr std::size_t usual_cache = std::size_t{1} << 20;
    return {pages * page_bytes, (cache_bytes > 0 ? cache_bytes : usual_cache) / 4 * 3, tries};
}

std::size_t staging_room(int most_on_node, int most_blocks) noexcept
{
    constexpr std::size_t room_per_block = std::size_t{64} << 10;
    constexpr std::size_t most_room = std::size_t{8} << 20;
    constexpr std::size_t most_of_node = std::size_t{512} << 20;
    const auto blocks = static_cast<std::size_t>(std::max(most_blocks, 1));
    const std::size_t regions = static_cast<std::size_t>(most_on_node) * static_cast<std::size_t>(staging_regions);
    return std::min({blocks * room_per_block, most_room, most_of_node / (regions * buffers_per_stream)});
}

} // namespace hopscotch::schedules
