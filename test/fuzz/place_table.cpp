// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Tables of places. The first byte of the input is the number of blocks, the others are the message. If a table is
// accepted, the blocks of its message must lie in the message, one behind the other.
#include "test/fuzz/targets.hpp"

#include "schedules/nodes/place_table.hpp"

#include <vector>

using namespace hopscotch::schedules;
using fuzz::demand;

bool try_place_table(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return false;
    const std::size_t blocks = data[0] % 32;
    std::vector<char> message(data + 1, data + size); // a separate copy, so that a read beyond its end is noticed
    const std::size_t length = message.size();
    const PlaceTable table(message.data(), blocks);
    if (!table.sound(length))
        return false;
    const char* end = message.data() + PlaceTable::bytes(blocks);
    for (std::size_t i = 0; i < blocks; ++i) {
        demand(table.data(i) == end);
        demand(table.size(i) <= static_cast<std::size_t>(message.data() + length - end));
        end += table.size(i);
    }
    demand(end == message.data() + length);
    return true;
}
