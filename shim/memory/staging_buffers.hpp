// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lays out the staging buffers of a node: memory in which blocks wait for the processes that carry or want them.
#pragma once

#include "schedules/aggregation_part.hpp"
#include "schedules/place_table.hpp"
#include "shim/memory/segment.hpp"
#include "shim/memory/shared_file.hpp"
#include "shim/mpi/process_group.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace hopscotch::shim
{

/// At the start of a buffer: the turn whose blocks its cells hold, and their size where all have one.
struct alignas(64) CellsHead {
    std::atomic<std::uint32_t> turn;
    std::uint64_t block_bytes;
};

/// Behind it, one for each message the buffer has room for: the turn whose message has come, whether it is as it should
/// be.
struct alignas(64) MessageHead {
    std::atomic<std::uint32_t> turn;
    std::uint32_t sound;
};

/// Staging buffers in pairs, used in turn, so that nobody waits for the readers of the current turn. A region has one
/// pair for each process; it is for one exchange of a communicator alone.
class StagingBuffers
{
  public:
    static constexpr int nonblocking_lanes = staging_lanes;
    static constexpr int persistent_regions = persistent_streams;
    static constexpr int regions = staging_regions;

    static int blocking_region(Collective collective) noexcept { return static_cast<int>(collective); }
    static int nonblocking_region(Collective collective, int lane) noexcept
    {
        return static_cast<int>(collective_count) * (1 + lane) + static_cast<int>(collective);
    }
    static int persistent_region(int request) noexcept { return regions - persistent_regions + request; }

    /// `most_blocks`, `most_messages`: of the largest buffer. Collective: over the graph; all pass the same.
    /// Returns null on all processes when memory cannot be shared on one of their nodes.
    static std::shared_ptr<StagingBuffers> create(const Ground& ground, int most_blocks, int most_messages);

    char* buffer(int position, int region, std::size_t which) const noexcept;

    /// The next turn of the exchange that uses a region: they go on from one exchange to the next.
    SequenceNumber take_turn(int region) noexcept { return no_turn + ++turns_[static_cast<std::size_t>(region)]; }

    /// The last turn of each buffer of the region in which a process has read what it wanted from the buffers of
    /// others.
    Readings& readings(int position, int region) const noexcept;

    /// Largest block the buffers have room for. The same on all processes.
    std::size_t largest_block() const noexcept { return largest_block_; }

  private:
    StagingBuffers(MemoryFile file, std::size_t buffer_bytes, std::size_t largest_block);

    MemoryFile file_;
    std::size_t buffer_bytes_;
    std::size_t largest_block_;
    std::array<SequenceNumber, regions> turns_{}; // given out so far
};

/// Where blocks lie in a buffer. With `sizes_known` all blocks have one size and lie side by side; else the cells
/// follow a table, and a message starts with the places of its blocks.
class StagingLayout
{
  public:
    StagingLayout(const schedules::StagingBuffer& buffer, bool sizes_known, std::size_t largest_block);

    /// Units: bytes from the start of the buffer. `block_bytes`: of all blocks; ignored where sizes are not known.
    static std::size_t message_head(int message) noexcept;
    std::size_t cells() const noexcept { return data_; }
    std::size_t message(int message, std::size_t block_bytes) const noexcept;

    /// Room for a message, sizes included. Of messages whose sizes are not known.
    std::size_t capacity(int message) const noexcept;

  private:
    bool sizes_known_;
    std::size_t data_;                  // behind the heads
    std::vector<std::size_t> blocks_;   // in front of each message, cells included, and of all
    std::vector<std::size_t> messages_; // where they start, when sizes are not known; and the end
};

} // namespace hopscotch::shim
