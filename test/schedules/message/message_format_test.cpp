// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A message is read as it was written, and a message of other sizes is noticed.
#include "test/catch.hpp"

#include "schedules/message/message_format.hpp"

using namespace hopscotch::schedules;

namespace
{

using Blocks = std::vector<std::vector<char>>;

/// One round that sends the blocks of so many slots and receives as many.
Schedule swap_of(std::size_t blocks, bool forwards = false)
{
    Schedule schedule;
    schedule.phases.resize(forwards ? 2 : 1);
    Round round;
    round.destination = round.source = 0;
    round.arrivals = static_cast<int>(blocks);
    for (int i = 0; i < round.arrivals; ++i) {
        round.sends.push_back({Place::send, i});
        round.deliveries.push_back({{Place::transit, i}, {Place::receive, i}});
    }
    schedule.phases[0].rounds.push_back(round);
    schedule.arrivals = round.arrivals;
    return schedule;
}

/// Blocks of these sizes, no two bytes next to each other alike.
Blocks blocks_of(const std::vector<std::size_t>& sizes)
{
    Blocks blocks;
    char byte = 0;
    for (const std::size_t size : sizes) {
        blocks.emplace_back(size);
        for (char& one : blocks.back())
            one = ++byte;
    }
    return blocks;
}

std::size_t bytes_of(const Blocks& blocks)
{
    std::size_t bytes = 0;
    for (const std::vector<char>& block : blocks)
        bytes += block.size();
    return bytes;
}

struct Written {
    std::vector<char> bytes;
    std::size_t at_once = 0;
};

Written written(MessageFormat& format, const Blocks& blocks)
{
    Written message;
    if (!format.is_bare(blocks.size())) {
        MessageLayout layout;
        for (const std::vector<char>& block : blocks)
            layout.append(block.size());
        message.bytes.resize(format.header().bytes(layout));
        CHECK(message.bytes.size() <= format.most_header_bytes(0));
        format.header().write(layout, message.bytes.data());
    }
    for (const std::vector<char>& block : blocks)
        message.bytes.insert(message.bytes.end(), block.begin(), block.end());
    message.at_once =
        format.is_bare(blocks.size()) ? message.bytes.size() : format.leaves_at_once(0, message.bytes.size());
    return message;
}

std::size_t capacity(const MessageFormat& format, const Blocks& blocks)
{
    return format.capacity(0, [&blocks](int slot) { return blocks[static_cast<std::size_t>(slot)].size(); });
}

/// True if the message that has arrived consists of these blocks.
bool brings(MessageFormat& format, const Written& message, const Blocks& blocks)
{
    Arrived arrived;
    if (!format.read(0, message.bytes.data(), message.at_once, arrived) || arrived.bytes() != message.bytes.size())
        return false;
    for (std::size_t q = 0; q < blocks.size(); ++q) {
        std::vector<char> came(blocks[q].size());
        if (arrived.layout.blocks[q].bytes != came.size())
            return false;
        gather(arrived.layout, q, message.bytes.data() + arrived.header_bytes, came.data());
        if (came != blocks[q])
            return false;
    }
    return true;
}

} // namespace

TEST_CASE("Blocks of a size that all know lie back to back, and a message of another length is none")
{
    const Schedule schedule = swap_of(3);
    const std::unique_ptr<MessageFormat> format = make_format(SizesAre::known, schedule);
    for (const std::size_t size : {20, 20, 0, 8}) {
        const Blocks blocks = blocks_of({size, size, size});
        CHECK(format->begin(size, size));
        const Written message = written(*format, blocks);
        CHECK(message.bytes.size() == 3 * size);
        CHECK(capacity(*format, blocks) == message.bytes.size());
        CHECK(brings(*format, message, blocks));
        Arrived arrived;
        CHECK_FALSE(format->read(0, message.bytes.data(), message.bytes.size() + 1, arrived));
    }
}

TEST_CASE("A message is read into the layout of the one before")
{
    const Schedule schedule = swap_of(3);
    for (const SizesAre sizes : {SizesAre::known, SizesAre::sent}) {
        const std::unique_ptr<MessageFormat> format = make_format(sizes, schedule);
        Arrived arrived;
        for (const std::size_t size : {20, 8, 8}) {
            format->begin(size, size);
            const Written message = written(*format, blocks_of({size, size, size}));
            REQUIRE(format->read(0, message.bytes.data(), message.bytes.size(), arrived));
            REQUIRE(arrived.layout.blocks.size() == 3);
            CHECK(arrived.layout.blocks[2].offset == 2 * size);
        }
    }
    const std::unique_ptr<MessageFormat> bare = make_format(SizesAre::sent, swap_of(1));
    Arrived arrived;
    for (const std::size_t size : {20, 8}) {
        REQUIRE(bare->read(0, nullptr, size, arrived));
        CHECK(arrived.layout.blocks.front().bytes == size);
    }
}

TEST_CASE("Of a message that says sizes, the blocks that the process receives need room")
{
    Schedule schedule = swap_of(2);
    Round& first = schedule.phases[0].rounds[0];
    first.deliveries.pop_back(); // nobody takes its second block
    Round second = first;
    second.first_arrival = first.arrivals;
    second.deliveries = {{{Place::transit, 3}, {Place::receive, 1}}};
    schedule.phases[0].rounds.push_back(second);
    const std::unique_ptr<MessageFormat> format = make_format(SizesAre::sent, schedule);
    const std::size_t header = format->header().plain_bytes(2);
    const auto size_of = [](int slot) { return slot == 0 ? std::size_t{5} : std::size_t{9}; };
    CHECK(format->capacity(0, size_of) == header + 5);
    CHECK(format->capacity(1, size_of) == header + 9);
}

TEST_CASE("Forwarded blocks have one size")
{
    const Schedule schedule = swap_of(2, true);
    const std::unique_ptr<MessageFormat> format = make_format(SizesAre::known, schedule);
    CHECK(format->begin(4, 4));
    CHECK_FALSE(format->begin(8, 4));
    CHECK(capacity(*format, blocks_of({4, 4})) == 2 * 8); // others have those that are sent here
    const Schedule merged = swap_of(2);
    const std::unique_ptr<MessageFormat> of_merged = make_format(SizesAre::known, merged);
    CHECK(of_merged->begin(8, 4));
    CHECK(capacity(*of_merged, blocks_of({4, 4})) == 2 * 4);
    Schedule forwarder = swap_of(2, true); // it receives no block of its own
    forwarder.phases[0].rounds[0].deliveries.clear();
    CHECK(make_format(SizesAre::known, forwarder)->begin(8, 4));
}

TEST_CASE("A message of several blocks says their sizes, one of a single block is the block")
{
    for (const std::vector<std::size_t>& sizes : {std::vector<std::size_t>{12, 0, 1, 16}, {24}, {0}, {0, 0}}) {
        const Schedule schedule = swap_of(sizes.size());
        const std::unique_ptr<MessageFormat> format = make_format(SizesAre::sent, schedule);
        const Blocks blocks = blocks_of(sizes);
        const Written message = written(*format, blocks);
        CHECK(message.at_once == message.bytes.size());
        CHECK(capacity(*format, blocks) == message.bytes.size());
        CHECK((message.bytes.size() == bytes_of(blocks)) == (blocks.size() == 1));
        CHECK(brings(*format, message, blocks));
        Arrived arrived;
        if (blocks.size() > 1)
            CHECK_FALSE(format->read(0, message.bytes.data(), message.bytes.size() - 1, arrived));
    }
}

TEST_CASE("A message that describes itself comes in two parts once, and then as a whole")
{
    const Schedule schedule = swap_of(2);
    const std::unique_ptr<MessageFormat> sender = make_format(SizesAre::described, schedule);
    const std::unique_ptr<MessageFormat> receiver = make_format(SizesAre::described, schedule);
    CHECK_FALSE(sender->is_bare(1));
    const Blocks small = blocks_of({12, 36});
    const Blocks large = blocks_of({1200, 800});
    std::vector<bool> whole;
    for (const Blocks& blocks : {small, large, blocks_of({1504, 1500}), small}) { // half as much again has room
        const Written message = written(*sender, blocks);
        whole.push_back(message.at_once == message.bytes.size());
        CHECK(message.at_once <= capacity(*receiver, blocks));
        CHECK(brings(*receiver, message, blocks));
    }
    CHECK(whole == std::vector<bool>{true, false, true, true});
    Arrived arrived;
    const Written message = written(*sender, large);
    CHECK_FALSE(receiver->read(0, message.bytes.data(), message.bytes.size() - 1, arrived));
}
