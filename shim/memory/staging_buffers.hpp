// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Shares the staging buffers of a node: memory in which blocks wait for the processes that carry or receive them.
#pragma once

#include "schedules/memory/room.hpp"
#include "schedules/memory/staging_layout.hpp"
#include "shim/group/process_group.hpp"
#include "shim/memory/segment.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace hopscotch::shim
{

using schedules::StagingFileLayout;
using schedules::StagingLayout;

// The stamps of the cells and of each message stand in lines of their own, at StagingLayout::head.
static_assert(sizeof(Stamp) <= schedules::line_bytes);

/// Staging buffers in pairs, used in turn, so that nobody waits for the readers of the current turn. A region has one
/// pair for each process; it is for one exchange of a communicator alone.
class StagingBuffers
{
  public:
    static constexpr int nonblocking_lanes = schedules::staging_lanes;
    static constexpr int persistent_regions = schedules::persistent_regions;
    static constexpr int regions = schedules::staging_regions;

    static int blocking_region(Collective collective) noexcept { return static_cast<int>(collective); }
    static int nonblocking_region(Collective collective, int lane) noexcept
    {
        return static_cast<int>(collective_count) * (1 + lane) + static_cast<int>(collective);
    }
    static int persistent_region(int request) noexcept { return regions - persistent_regions + request; }

    /// `most_blocks`, `most_messages`: of the largest buffer. Collective: over the graph; all pass the same. Returns
    /// null on all processes if memory cannot be shared on one of their nodes.
    static std::shared_ptr<StagingBuffers> create(const Ground& ground, int most_blocks, int most_messages);

    char* buffer(int position, int region, std::size_t which) const noexcept
    {
        return file_.base() + layout_.buffer(position, region, which);
    }

    /// The next turn of the exchange that uses a region: they go on from one exchange to the next.
    SequenceNumber take_turn(int region) noexcept { return no_turn + ++turns_[static_cast<std::size_t>(region)]; }

    /// The last turn of each buffer of the region in which a process has completed its reads from the buffers of
    /// others.
    Readings& readings(int position, int region) const noexcept
    {
        return *reinterpret_cast<Readings*>(file_.base() + layout_.readings(position, region));
    }

    /// Largest block the buffers have room for. The same on all processes.
    std::size_t largest_block() const noexcept { return layout_.largest_block(); }

    /// The largest block that fits with other contents. Units: bytes.
    std::size_t largest_block(const std::vector<schedules::StagingBuffer>& contents) const noexcept
    {
        return layout_.largest_block(contents);
    }

  private:
    StagingBuffers(MemoryFile file, const StagingFileLayout& layout) : file_(std::move(file)), layout_(layout) {}

    MemoryFile file_;
    StagingFileLayout layout_;
    std::array<SequenceNumber, regions> turns_{}; // given out so far
};

} // namespace hopscotch::shim
