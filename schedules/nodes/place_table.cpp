// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/nodes/place_table.hpp"

#include <cstring>

namespace hopscotch::schedules
{

void PlaceTable::set(std::size_t i, std::size_t start, bool is_direct) noexcept
{
    const Field value = static_cast<Field>(start) | (is_direct ? direct : 0);
    std::memcpy(at_ + i * sizeof value, &value, sizeof value);
}

void PlaceTable::clear() noexcept
{
    std::memset(at_, 0, bytes(blocks_));
}

void PlaceTable::copy(std::size_t i, const PlaceTable& other, std::size_t from, std::size_t count) noexcept
{
    const std::size_t begin = start(i);
    for (std::size_t k = 0; k < count; ++k)
        set(i + k, begin + other.size(from, k), other.is_direct(from + k));
    set(i + count, begin + other.size(from, count), false);
    std::memcpy(data(i), other.data(from), other.size(from, count));
}

PlaceTable::Field PlaceTable::field(std::size_t i) const noexcept
{
    Field value;
    std::memcpy(&value, at_ + i * sizeof value, sizeof value);
    return value;
}

bool PlaceTable::sound(std::size_t length) const noexcept
{
    if (length < bytes(blocks_) || start(0) != 0 || start(blocks_) != length - bytes(blocks_))
        return false;
    for (std::size_t i = 0; i < blocks_; ++i)
        if (start(i) > start(i + 1))
            return false;
    return true;
}

} // namespace hopscotch::schedules
