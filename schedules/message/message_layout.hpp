// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The places of the blocks in a message, and the header that gives them.
#pragma once

#include "schedules/message/pieces.hpp"

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// The place of a block in the payload of its message. In the header's words.
enum class Placement : unsigned char {
    in_turn, // in one run, behind the blocks before it that lie in turn
    run,     // in one run anywhere
    equal,   // in pieces of one length, a stride apart
    listed,  // in pieces of any kind
    absent   // not at all: it travels by itself, and its size is not told
};

struct PlacedBlock {
    Placement placement = Placement::in_turn;
    std::size_t bytes = 0;
    std::size_t offset = 0;      // in the payload; in turn and run
    std::size_t first_entry = 0; // in MessageLayout::pieces; equal (one entry) and listed
    std::size_t entries = 0;
};

/// A message: a header, then the payload. Bytes that several blocks have in common may be in the payload once.
struct MessageLayout {
    std::vector<PlacedBlock> blocks;
    std::vector<Pieces> pieces;
    std::size_t payload_bytes = 0;

    /// No blocks; keeps its memory.
    void clear() noexcept;

    /// One more block, behind the payload so far.
    void append(std::size_t bytes);
    void append_absent();

    /// Places a block in these pieces of the payload; pieces outside of the payload become part of it.
    /// Requires: one entry at least.
    void scatter(std::size_t block, const std::vector<Pieces>& entries);
};

/// Copies the bytes of a block, in its order, from the payload to `to`.
void gather(const MessageLayout& layout, std::size_t block, const char* payload, char* to);

/// The header of a message: a word for each block with its size and placement; then further words for blocks that do
/// not lie in turn. For a run: its offset. For equal pieces: offset, length and stride. For others: their number, then
/// for each offset, length, stride and count.
class HeaderFormat
{
  public:
    /// Words of 4 or of 8 bytes. Both ends know the number of blocks of a message.
    explicit constexpr HeaderFormat(std::size_t word_bytes) noexcept : word_bytes_(word_bytes) {}

    /// The largest block it can describe. Units: bytes.
    std::size_t largest_block() const noexcept;

    /// The largest offset it can name; a longer payload must lie in turn as a whole. Units: bytes.
    std::size_t largest_offset() const noexcept;

    /// Bytes of a header if all blocks lie in turn or are absent.
    std::size_t plain_bytes(std::size_t blocks) const noexcept { return blocks * word_bytes_; }

    /// Bytes that are added by a block in these pieces.
    std::size_t added_bytes(const std::vector<Pieces>& entries) const noexcept;

    std::size_t bytes(const MessageLayout& layout) const noexcept;

    /// Writes bytes(layout) bytes.
    void write(const MessageLayout& layout, char* to) const noexcept;

    /// Reads the header of a message from its first `available` bytes, perhaps not all. False if it is no header: cut
    /// off, or inconsistent. After success all blocks of the layout lie inside the payload; none is longer than the
    /// payload, which is no longer than its blocks together.
    bool read(const char* message, std::size_t available, std::size_t blocks, MessageLayout& layout) const;

  private:
    std::size_t mark_shift() const noexcept { return 8 * word_bytes_ - 2; }

    std::size_t word_bytes_;
};

} // namespace hopscotch::schedules
