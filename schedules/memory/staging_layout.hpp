// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Computes the layout of the staging buffers of a node.
#pragma once

#include "schedules/memory/segment_layout.hpp"
#include "schedules/nodes/aggregation_part.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The file of a node: by position on the node, then by region, a page with readings and two buffers. Units: bytes.
class StagingFileLayout
{
  public:
    /// Buffers hold `most_blocks` blocks and `most_messages` messages at most, both of the largest buffer of all nodes;
    /// `most_on_node`: processes of the largest node.
    StagingFileLayout(int most_on_node, int most_blocks, int most_messages) noexcept;

    /// From the start of the file.
    std::size_t readings(int position, int region) const noexcept;
    std::size_t buffer(int position, int region, std::size_t which) const noexcept;
    std::size_t end(int processes) const noexcept { return readings(processes, 0); }

    /// The range that a process writes.
    Range own(int position) const noexcept { return {readings(position, 0), readings(1, 0)}; }

    /// Largest block the buffers have room for.
    std::size_t largest_block() const noexcept { return largest_block_; }

    /// Largest block for which they have room with any of these contents instead; 0 if one of them does not fit.
    std::size_t largest_block(const std::vector<StagingBuffer>& contents) const noexcept;

  private:
    std::size_t largest_block_;
    std::size_t buffer_bytes_;
};

/// The layout of a buffer: one line for its cells and one line for each message announce the arrived data; then come
/// the blocks. The cells and each message begin with the places of their blocks.
class StagingLayout
{
  public:
    StagingLayout(const StagingBuffer& buffer, std::size_t largest_block);

    /// The head of a message, or of the cells (Run::cells). Units: bytes from the start of the buffer.
    static std::size_t head(int message) noexcept;
    std::size_t begin(int message) const noexcept;

    /// Room for its blocks and their places. Units: bytes.
    std::size_t capacity(int message) const noexcept;

  private:
    std::vector<std::size_t> begins_; // begins of the cells and of each message, and the end
};

} // namespace hopscotch::schedules
