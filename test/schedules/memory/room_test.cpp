// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory of a communicator, and the size of the blocks that fit into it.
#include "test/catch.hpp"

#include "schedules/memory/room.hpp"
#include "schedules/memory/segment_layout.hpp"

using namespace hopscotch::schedules;

TEST_CASE("Buffers have room for their neighbors, within the limits of a node")
{
    constexpr std::size_t kibibyte = 1024;
    CHECK(room_for(2, 26, room_of_calls) == 26 * 64 * kibibyte);
    CHECK(room_for(2, 0, room_of_calls) == 64 * kibibyte);
    CHECK(room_for(2, 1000, room_of_calls) == 16 * kibibyte * kibibyte);
    CHECK(room_for(128, 26, room_of_calls) == 512 * kibibyte); // 128 MiB in two buffers for each process
    CHECK(room_for(1 << 20, 26, room_of_calls) == 4096);       // at least a page
    CHECK(staging_room(2, 3) == 3 * 64 * kibibyte);
    CHECK(staging_room(2, 1) == 64 * kibibyte);
    CHECK(staging_room(2, 1000) == 512 * kibibyte * kibibyte / (2 * 21 * 2));
}

TEST_CASE("The streams of a node have the room of their kinds")
{
    const std::vector<std::size_t> rooms = rooms_of_streams(200, 26);
    CHECK(rooms[calls_stream] == room_for(200, 26, room_of_calls));
    CHECK(rooms[large_nonblocking_stream] == room_for(200, 26, room_of_calls));
    CHECK(rooms[global_stream] == room_for(200, 26, room_of_global));
    CHECK(rooms[first_nonblocking_stream] == room_for(200, 26, room_of_nonblocking));
}

TEST_CASE("Blocks of four pages are copied once in calls that leave three quarters of the cache")
{
    CHECK(one_copy_limits(4096, 1 << 20, false).block_bytes == 16384);
    CHECK(one_copy_limits(4096, 1 << 20, true).tried);
    CHECK(one_copy_limits(4096, 1 << 20, false).call_bytes == 786432);
    CHECK(one_copy_limits(65536, 4 << 20, false).block_bytes == 262144);
    CHECK(one_copy_limits(65536, 4 << 20, false).call_bytes == 3 << 20);
    CHECK(one_copy_limits(4096, 0, false).call_bytes == 786432);
}

TEST_CASE("A block shares its buffer with others and with its description")
{
    CHECK(largest_block_in(65536, 1) == 65536 - overhead_per_block);
    CHECK(largest_block_in(65536, 0) == 65536 - overhead_per_block);
    CHECK(largest_block_in(65536, 4) == 16384 - overhead_per_block);
    CHECK(largest_block_in(65536, 65536) == 0);
}
