// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Headers of messages. The first byte of the input chooses the format and the number of blocks, the others are the
// message. The blocks that a header describes must lie inside the payload, also after it has been forwarded.
#include "test/fuzz/targets.hpp"

#include "schedules/message/overlap.hpp"

#include <vector>

using namespace hopscotch::schedules;
using fuzz::demand;

namespace
{

/// The blocks of a message that has come, as those of one to be sent.
std::vector<Footprint> footprints(const MessageLayout& layout)
{
    std::vector<Footprint> blocks(layout.blocks.size());
    for (std::size_t q = 0; q < blocks.size(); ++q)
        set_footprint(layout, q, nullptr, blocks[q]);
    return blocks;
}

} // namespace

bool try_message_header(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return false;
    const HeaderFormat format(data[0] % 2 == 0 ? sizeof(std::uint32_t) : sizeof(std::uint64_t));
    const std::size_t blocks = data[0] / 2 % 32;
    const std::vector<char> message(data + 1, data + size); // a separate copy, so that a read beyond its end is noticed
    MessageLayout layout;
    if (!format.read(message.data(), message.size(), blocks, layout))
        return false;
    demand(layout.blocks.size() == blocks && format.bytes(layout) <= message.size());
    constexpr std::size_t most_payload = 1 << 16; // the exchanges compare it with the length of the received message
    if (layout.payload_bytes > most_payload)
        return true;
    const std::vector<char> payload(layout.payload_bytes, 'x');
    for (std::size_t q = 0; q < blocks; ++q) {
        demand(layout.blocks[q].bytes <= layout.payload_bytes);
        std::vector<char> block(layout.blocks[q].bytes);
        gather(layout, q, payload.data(), block.data());
    }
    const MessagePlan plan = without_repeats(footprints(layout), format);
    std::vector<char> header(format.bytes(plan.layout));
    format.write(plan.layout, header.data());
    MessageLayout again;
    demand(format.read(header.data(), header.size(), blocks, again));
    demand(again.payload_bytes == plan.layout.payload_bytes);
    for (const OwnBytes& own : plan.own)
        demand(own.bytes <= plan.layout.blocks[own.block].bytes - own.block_offset &&
               own.bytes <= plan.layout.payload_bytes - own.payload_offset);
    return true;
}
