// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stands in for a receive buffer, and compares its content with the data that the MPI library has received.
#pragma once

#include "schedules/message/stand_in.hpp"
#include "shim/blocks/block_layout.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hopscotch::shim
{

/// A byte that is not as it should be.
struct Difference {
    int block = 0;             // the one it belongs to; of a byte outside of all blocks the last one before it
    bool outside = false;      // outside the data of all blocks: it should not have been written
    std::ptrdiff_t offset = 0; // from the address of that block. Units: bytes
    unsigned char expected = 0;
    unsigned char got = 0;
    std::size_t bytes = 0; // that differ, in all
};

/// Blocks lie to each other as in the user's memory, unless they are far apart. All bytes outside of blocks, and some
/// room around, are filled with a pattern, so that a write there is found. The user's memory is only read inside its
/// blocks, for the rest of it may change at any time.
class Shadow
{
  public:
    /// `sources`: with no_rank for blocks that nobody sends. The user's layout must live as long.
    Shadow(const BlockLayout& user, const std::vector<int>& sources);

    /// The places of the received blocks.
    const BlockLayout& layout() const noexcept { return layout_; }

    /// Forgets the received data.
    void reset() noexcept { fill(memory_); }

    /// The first difference to the shadow's content if the blocks in the user's memory had been received here.
    std::optional<Difference> difference() const;

  private:
    /// Blocks start at the same place within a cache line as in the user's memory.
    struct alignas(64) Line {
        char bytes[64];
    };
    using Memory = std::vector<Line>;

    Memory allocate() const { return Memory(size_ / sizeof(Line) + 1); } // zeros
    static char* begin_of(Memory& memory) noexcept { return memory.front().bytes; }
    static const char* begin_of(const Memory& memory) noexcept { return memory.front().bytes; }
    void fill(Memory& memory) const noexcept;
    Difference describe(std::size_t at) const;
    int blocks() const noexcept { return static_cast<int>(sources_.size()); }

    const BlockLayout& user_;
    const std::vector<int>& sources_;
    std::size_t size_ = 0;
    Memory memory_;
    BlockLayout layout_;
};

/// Gaps between the data of a block belong to none. `destinations`, `sources`: of the blocks, with no_rank for those
/// that nobody gets or sends. Throws: MpiError. Cost: as packing all blocks, and more for datatypes of very many runs.
std::optional<schedules::Clash> find_overlap(const BlockLayout& send, const std::vector<int>& destinations,
                                             const BlockLayout& receive, const std::vector<int>& sources);

} // namespace hopscotch::shim
