// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes that lie in pieces of equal length and distance, and functions that copy them.
#pragma once

#include <cstddef>
#include <vector>

namespace hopscotch::schedules
{

/// Addresses [begin, end).
struct AddressRange {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool empty() const noexcept { return begin == end; }
    bool contains(std::size_t address) const noexcept { return begin <= address && address < end; }
};

/// `count` pieces of `length` bytes, the first at `offset`, each `stride` bytes after the one before.
struct Pieces {
    std::size_t offset = 0;
    std::size_t length = 0;
    std::size_t stride = 0;
    std::size_t count = 1;

    std::size_t bytes() const noexcept { return length * count; }
    std::size_t last() const noexcept { return offset + (count - 1) * stride; }
    std::size_t end() const noexcept { return last() + length; }

    /// Takes in a piece that touches a single one or follows equal ones at the same distance; false: it is neither.
    bool extend(std::size_t piece_offset, std::size_t piece_length) noexcept;

    bool operator==(const Pieces& other) const noexcept;
};

/// Appends a piece: joins it to the last entry if it touches that one or continues it at the same distance, else adds
/// an entry.
void append(std::vector<Pieces>& entries, std::size_t offset, std::size_t length);

/// True if two entries hold as many pieces of one length, at any places.
inline bool alike(const Pieces& a, const Pieces& b) noexcept
{
    return a.length == b.length && a.count == b.count;
}

/// Copies pieces to alike ones; the offsets count from `from` and from `to`.
void copy_pieces(const Pieces& pieces, const char* from, const Pieces& places, char* to) noexcept;

/// Copies pieces back to back to `to`; their offsets count from `from`. Returns the end of the copy.
char* gather(const Pieces& pieces, const char* from, char* to) noexcept;

/// The reverse, as far as the bytes [from, end) reach. Returns the first of them that had no place.
const char* scatter(const char* from, const char* end, const Pieces& pieces, char* to) noexcept;

} // namespace hopscotch::schedules
