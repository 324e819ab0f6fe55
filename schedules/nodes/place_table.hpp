// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The places of blocks in a message between nodes, as the message itself gives them: a damaged message is noticed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hopscotch::schedules
{

/// Table of the places of blocks, used if their sizes are not known. It stands in front of the blocks of a message and
/// of the cells. It holds the start of each block behind the table, then the end of the last one; blocks that travel
/// directly have a mark.
class PlaceTable
{
  public:
    using Field = std::uint32_t;
    static constexpr Field direct = Field{1} << 31;

    static std::size_t bytes(std::size_t blocks) noexcept { return (blocks + 1) * sizeof(Field); }

    PlaceTable(char* at, std::size_t blocks) : at_(at), blocks_(blocks) {}

    void set(std::size_t i, std::size_t start, bool is_direct) noexcept;

    /// All blocks are empty.
    void clear() noexcept;

    /// Blocks [from, from + count) of another table, as this one's from block i on. Requires: those before are there,
    /// and room behind them; before the first one the table has been cleared.
    void copy(std::size_t i, const PlaceTable& other, std::size_t from, std::size_t count) noexcept;

    char* begin() const noexcept { return at_; }
    std::size_t start(std::size_t i) const noexcept { return field(i) & ~direct; }
    bool is_direct(std::size_t i) const noexcept { return (field(i) & direct) != 0; }
    std::size_t size(std::size_t i) const noexcept { return size(i, 1); }
    std::size_t size(std::size_t i, std::size_t count) const noexcept { return start(i + count) - start(i); }
    char* data(std::size_t i) const noexcept { return at_ + bytes(blocks_) + start(i); }

    /// True if this is the table of a message of `length` bytes.
    bool sound(std::size_t length) const noexcept;

  private:
    Field field(std::size_t i) const noexcept;

    char* at_;
    std::size_t blocks_;
};

} // namespace hopscotch::schedules
