// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Bytes that lie in pieces of equal length and distance, and how they are copied.
#include "schedules/pieces.hpp"

#include <algorithm>
#include <tuple>

namespace hopscotch::schedules
{

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

char* gather(const Pieces& pieces, const char* from, char* to) noexcept
{
    from += pieces.offset;
    for (std::size_t i = 0; i < pieces.count; ++i) {
        copy_run(to, from, pieces.length);
        from += pieces.stride;
        to += pieces.length;
    }
    return to;
}

const char* scatter(const char* from, const char* end, const Pieces& pieces, char* to) noexcept
{
    to += pieces.offset;
    for (std::size_t i = 0; i < pieces.count && from != end; ++i) {
        const std::size_t length = std::min(pieces.length, static_cast<std::size_t>(end - from));
        copy_run(to, from, length);
        to += pieces.stride;
        from += length;
    }
    return from;
}

} // namespace hopscotch::schedules
