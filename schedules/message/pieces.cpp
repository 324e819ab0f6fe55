// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/message/pieces.hpp"

#include "schedules/memory/slot_copies.hpp"

#include <algorithm>
#include <tuple>

namespace hopscotch::schedules
{

namespace
{

/// With a length that the compiler knows, each piece is a load and a store.
template <std::size_t length>
void copy_short(char* to, std::size_t to_stride, const char* from, std::size_t from_stride, std::size_t count) noexcept
{
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(to, from, length);
        to += to_stride;
        from += from_stride;
    }
}

/// Copies the pieces to places `to_stride` bytes apart; the first piece is at `from`.
void copy_strided(char* to, std::size_t to_stride, const char* from, const Pieces& pieces) noexcept
{
    switch (pieces.length) {
    case 4:
        return copy_short<4>(to, to_stride, from, pieces.stride, pieces.count);
    case 8:
        return copy_short<8>(to, to_stride, from, pieces.stride, pieces.count);
    case 16:
        return copy_short<16>(to, to_stride, from, pieces.stride, pieces.count);
    case 32:
        return copy_short<32>(to, to_stride, from, pieces.stride, pieces.count);
    default:
        break;
    }
    for (std::size_t i = 0; i < pieces.count; ++i) {
        copy_run(to, from, pieces.length);
        to += to_stride;
        from += pieces.stride;
    }
}

} // namespace

bool Pieces::extend(std::size_t piece_offset, std::size_t piece_length) noexcept
{
    if (count == 1 && end() == piece_offset) {
        length += piece_length;
        return true;
    }
    if (length != piece_length || piece_offset < last() || (count > 1 && piece_offset - last() != stride))
        return false;
    stride = piece_offset - last();
    ++count;
    return true;
}

bool Pieces::operator==(const Pieces& other) const noexcept
{
    return std::tie(offset, length, stride, count) == std::tie(other.offset, other.length, other.stride, other.count);
}

void append(std::vector<Pieces>& entries, std::size_t offset, std::size_t length)
{
    if (entries.empty() || !entries.back().extend(offset, length))
        entries.push_back({offset, length});
}

void copy_pieces(const Pieces& pieces, const char* from, const Pieces& places, char* to) noexcept
{
    copy_strided(to + places.offset, places.stride, from + pieces.offset, pieces);
}

char* gather(const Pieces& pieces, const char* from, char* to) noexcept
{
    copy_strided(to, pieces.length, from + pieces.offset, pieces);
    return to + pieces.bytes();
}

const char* scatter(const char* from, const char* end, const Pieces& pieces, char* to) noexcept
{
    to += pieces.offset;
    if (static_cast<std::size_t>(end - from) >= pieces.bytes()) {
        copy_strided(to, pieces.stride, from, {0, pieces.length, pieces.length, pieces.count});
        return from + pieces.bytes();
    }
    while (from != end) {
        const std::size_t length = std::min(pieces.length, static_cast<std::size_t>(end - from));
        copy_run(to, from, length);
        to += pieces.stride;
        from += length;
    }
    return from;
}

} // namespace hopscotch::schedules
