// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Says where everything lies in the staging buffers of a node.
#pragma once

#include "schedules/aggregation_part.hpp"
#include "schedules/segment_layout.hpp"

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

    /// What a process writes.
    Range own(int position) const noexcept { return {readings(position, 0), readings(1, 0)}; }

    /// Largest block the buffers have room for.
    std::size_t largest_block() const noexcept { return largest_block_; }

  private:
    std::size_t largest_block_;
    std::size_t buffer_bytes_;
};

/// Where blocks lie in a buffer, behind a line for its cells and one for each message, which say what has come. With
/// `sizes_known` all blocks have one size and lie side by side; else the cells follow a table, and a message starts
/// with the places of its blocks.
class StagingLayout
{
  public:
    StagingLayout(const StagingBuffer& buffer, bool sizes_known, std::size_t largest_block);

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

} // namespace hopscotch::schedules
