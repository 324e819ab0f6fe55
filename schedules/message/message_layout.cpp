// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/message_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hopscotch::schedules
{

namespace
{

/// Far from any size in practice, so that sums of two do not wrap.
constexpr std::size_t largest_payload = std::size_t{1} << 62;

/// Words of an entry of a list.
constexpr std::size_t entry_words = 4;

bool in_pieces(const PlacedBlock& block)
{
    return block.placement == Placement::equal || block.placement == Placement::listed;
}

Placement lie_of(const std::vector<Pieces>& entries)
{
    if (entries.size() > 1)
        return Placement::listed;
    return entries.front().count == 1 ? Placement::run : Placement::equal;
}

class Writer
{
  public:
    Writer(char* at, std::size_t word_bytes) noexcept : at_(at), word_bytes_(word_bytes) {}

    void put(std::uint64_t word) noexcept
    {
        if (word_bytes_ == sizeof word) {
            std::memcpy(at_, &word, sizeof word);
        } else {
            const auto half = static_cast<std::uint32_t>(word);
            std::memcpy(at_, &half, sizeof half);
        }
        at_ += word_bytes_;
    }

  private:
    char* at_;
    std::size_t word_bytes_;
};

class LayoutReader
{
  public:
    LayoutReader(const char* at, std::size_t available, std::size_t word_bytes) noexcept
        : at_(at), words_(available / word_bytes), word_bytes_(word_bytes)
    {
    }

    bool has(std::size_t words) const noexcept { return words <= words_; }

    /// Requires: has(1).
    std::uint64_t get() noexcept
    {
        std::uint64_t word = 0;
        if (word_bytes_ == sizeof word) {
            std::memcpy(&word, at_, sizeof word);
        } else {
            std::uint32_t half = 0;
            std::memcpy(&half, at_, sizeof half);
            word = half;
        }
        at_ += word_bytes_;
        --words_;
        return word;
    }

  private:
    const char* at_;
    std::size_t words_;
    std::size_t word_bytes_;
};

/// True if the pieces are not empty and end at `limit` or before.
bool sound(const Pieces& pieces, std::size_t limit)
{
    if (pieces.count == 0 || pieces.length == 0 || pieces.offset > limit || pieces.length > limit - pieces.offset)
        return false;
    const std::size_t room = limit - pieces.offset - pieces.length;
    return pieces.count == 1 || pieces.stride <= room / (pieces.count - 1);
}

/// Reads the further words of a block that does not lie in turn. False if they are missing, lead beyond `limit`, or do
/// not make up its size.
bool read_pieces(LayoutReader& words, std::size_t limit, PlacedBlock& block, MessageLayout& layout)
{
    const bool listed = block.placement == Placement::listed;
    if (!words.has(block.placement == Placement::equal ? entry_words - 1 : 1))
        return false;
    if (block.placement == Placement::run) {
        block.offset = static_cast<std::size_t>(words.get());
        const Pieces run{block.offset, block.bytes};
        if (!sound(run, limit))
            return false;
        layout.payload_bytes = std::max(layout.payload_bytes, run.end());
        return true;
    }
    block.first_entry = layout.pieces.size();
    block.entries = listed ? static_cast<std::size_t>(words.get()) : 1;
    if (listed && (block.entries > block.bytes || !words.has(block.entries * entry_words)))
        return false;
    std::size_t left = block.bytes;
    for (std::size_t i = 0; i < block.entries; ++i) {
        Pieces entry;
        entry.offset = static_cast<std::size_t>(words.get());
        entry.length = static_cast<std::size_t>(words.get());
        entry.stride = static_cast<std::size_t>(words.get());
        if (entry.length == 0)
            return false;
        entry.count = listed ? static_cast<std::size_t>(words.get()) : block.bytes / entry.length;
        if (!sound(entry, limit) || entry.count > left / entry.length)
            return false;
        if (entry.count == 1)
            entry.stride = 0; // any number may stand there; a copy steps on by it after the last piece
        left -= entry.bytes();
        layout.pieces.push_back(entry);
        layout.payload_bytes = std::max(layout.payload_bytes, entry.end());
    }
    return left == 0;
}

} // namespace

void MessageLayout::clear() noexcept
{
    blocks.clear();
    pieces.clear();
    payload_bytes = 0;
}

void MessageLayout::append(std::size_t bytes)
{
    PlacedBlock block;
    block.bytes = bytes;
    block.offset = payload_bytes;
    blocks.push_back(block);
    payload_bytes += bytes;
}

void MessageLayout::append_absent()
{
    PlacedBlock block;
    block.placement = Placement::absent;
    blocks.push_back(block);
}

void MessageLayout::scatter(std::size_t block, const std::vector<Pieces>& entries)
{
    PlacedBlock& placed = blocks[block];
    placed.placement = lie_of(entries);
    placed.offset = entries.front().offset;
    for (const Pieces& entry : entries)
        payload_bytes = std::max(payload_bytes, entry.end());
    if (!in_pieces(placed))
        return;
    placed.first_entry = pieces.size();
    placed.entries = entries.size();
    pieces.insert(pieces.end(), entries.begin(), entries.end());
}

void gather(const MessageLayout& layout, std::size_t block, const char* payload, char* to)
{
    const PlacedBlock& placed = layout.blocks[block];
    if (!in_pieces(placed)) {
        if (placed.bytes > 0)
            std::memcpy(to, payload + placed.offset, placed.bytes);
        return;
    }
    for (std::size_t e = placed.first_entry; e < placed.first_entry + placed.entries; ++e)
        to = gather(layout.pieces[e], payload, to);
}

std::size_t HeaderFormat::largest_block() const noexcept
{
    return (std::size_t{1} << mark_shift()) - 2; // one less than the mark of an absent block
}

std::size_t HeaderFormat::largest_offset() const noexcept
{
    return word_bytes_ == sizeof(std::uint64_t) ? largest_payload : std::size_t{0xffffffffu};
}

std::size_t HeaderFormat::added_bytes(const std::vector<Pieces>& entries) const noexcept
{
    switch (lie_of(entries)) {
    case Placement::run:
        return word_bytes_;
    case Placement::equal:
        return (entry_words - 1) * word_bytes_;
    default:
        return (1 + entry_words * entries.size()) * word_bytes_;
    }
}

std::size_t HeaderFormat::bytes(const MessageLayout& layout) const noexcept
{
    std::size_t words = layout.blocks.size();
    for (const PlacedBlock& block : layout.blocks) {
        if (block.placement == Placement::run)
            ++words;
        else if (block.placement == Placement::equal)
            words += entry_words - 1;
        else if (block.placement == Placement::listed)
            words += 1 + entry_words * block.entries;
    }
    return words * word_bytes_;
}

void HeaderFormat::write(const MessageLayout& layout, char* to) const noexcept
{
    Writer words(to, word_bytes_);
    for (const PlacedBlock& block : layout.blocks)
        words.put(block.placement == Placement::absent
                      ? ~std::uint64_t{0}
                      : static_cast<std::uint64_t>(block.placement) << mark_shift() | block.bytes);
    for (const PlacedBlock& block : layout.blocks) {
        if (block.placement == Placement::run)
            words.put(block.offset);
        if (!in_pieces(block))
            continue;
        if (block.placement == Placement::listed)
            words.put(block.entries);
        for (std::size_t e = block.first_entry; e < block.first_entry + block.entries; ++e) {
            const Pieces& pieces = layout.pieces[e];
            words.put(pieces.offset);
            words.put(pieces.length);
            words.put(pieces.stride);
            if (block.placement == Placement::listed)
                words.put(pieces.count);
        }
    }
}

bool HeaderFormat::read(const char* message, std::size_t available, std::size_t blocks, MessageLayout& layout) const
{
    const std::uint64_t all_ones = ~std::uint64_t{0} >> (64 - 8 * word_bytes_);
    layout.clear();
    LayoutReader words(message, available, word_bytes_);
    if (!words.has(blocks))
        return false;
    std::size_t together = 0; // bytes of all blocks
    bool in_turn = true;
    for (std::size_t q = 0; q < blocks; ++q) {
        const std::uint64_t word = words.get();
        if (word == all_ones) {
            layout.append_absent();
            continue;
        }
        const auto bytes = static_cast<std::size_t>(word & (all_ones >> 2));
        const auto placement = static_cast<Placement>(word >> mark_shift());
        if (bytes > largest_payload - together)
            return false;
        together += bytes;
        layout.append(placement == Placement::in_turn ? bytes : 0);
        layout.blocks.back().placement = placement;
        layout.blocks.back().bytes = bytes;
        in_turn = in_turn && placement == Placement::in_turn;
    }
    for (std::size_t q = 0; q < blocks && !in_turn; ++q) {
        PlacedBlock& block = layout.blocks[q];
        if (block.placement != Placement::in_turn && block.placement != Placement::absent &&
            !read_pieces(words, together, block, layout))
            return false;
    }
    return std::all_of(layout.blocks.begin(), layout.blocks.end(),
                       [&layout](const PlacedBlock& block) { return block.bytes <= layout.payload_bytes; });
}

} // namespace hopscotch::schedules
