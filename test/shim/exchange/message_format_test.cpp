// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// What is read from a message is what was put there, and a message of other sizes is noticed.
#include "test/catch.hpp"

#include "shim/exchange/message_format.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// One round that sends the blocks of so many slots and receives as many.
schedules::Schedule swap_of(int blocks, bool forwards = false)
{
    schedules::Schedule schedule;
    schedule.phases.resize(forwards ? 2 : 1);
    schedules::Round round;
    round.destination = round.source = 0;
    round.arrivals = blocks;
    for (int i = 0; i < blocks; ++i) {
        round.sends.push_back({schedules::Place::send, i});
        round.deliveries.push_back({{schedules::Place::transit, i}, {schedules::Place::receive, i}});
    }
    schedule.phases[0].rounds.push_back(round);
    schedule.arrivals = blocks;
    return schedule;
}

/// Blocks of a buffer that begin with its first int, one behind the other.
struct Buffer {
    std::vector<int> counts;
    std::vector<int> displacements;
    std::vector<int> ints;

    explicit Buffer(std::vector<int> of_counts) : counts(std::move(of_counts))
    {
        for (const int count : counts) {
            displacements.push_back(static_cast<int>(ints.size()));
            for (int i = 0; i < count; ++i)
                ints.push_back(static_cast<int>(100 * counts.size() + ints.size()));
        }
    }

    BlockLayout layout()
    {
        return BlockLayout::varying(ints.data(), counts.data(), displacements.data(), MPI_INT, counts.size());
    }
};

struct Written {
    std::vector<char> bytes;
    std::size_t at_once = 0;
};

Written written(MessageFormat& format, const BlockLayout& blocks, int count)
{
    Written message;
    if (format.is_bare(static_cast<std::size_t>(count))) {
        for (int i = 0; i < count; ++i)
            message.bytes.insert(message.bytes.end(), blocks[i].data(), blocks[i].data() + blocks[i].bytes);
        message.at_once = message.bytes.size();
        return message;
    }
    MessageWriter writer(format.header());
    writer.begin();
    for (int i = 0; i < count; ++i)
        writer.add(blocks[i]);
    message.at_once = format.plan(0, writer);
    message.bytes.resize(writer.bytes());
    writer.write(message.bytes.data());
    return message;
}

/// Whether the message that has come is one of these blocks.
bool brings(MessageFormat& format, const Written& message, const BlockLayout& blocks, int count)
{
    Arrived arrived;
    if (!format.read(0, message.bytes.data(), message.at_once, arrived) || arrived.bytes() != message.bytes.size())
        return false;
    std::vector<char> scratch;
    for (int i = 0; i < count; ++i) {
        const auto q = static_cast<std::size_t>(i);
        std::vector<char> came(blocks[i].bytes);
        std::vector<char> sent(blocks[i].bytes);
        if (arrived.layout.blocks[q].bytes != came.size())
            return false;
        pack(blocks[i], sent.data());
        schedules::gather(arrived.layout, q, message.bytes.data() + arrived.header_bytes, came.data());
        if (came != sent)
            return false;
    }
    return true;
}

} // namespace

TEST_CASE("Blocks of a size that all know lie back to back, and a message of another length is none")
{
    const schedules::Schedule schedule = swap_of(3);
    const std::unique_ptr<MessageFormat> format = make_format(SizesAre::known, schedule);
    for (const int count : {5, 5, 0, 2}) {
        std::vector<int> ints(20, 7);
        const BlockLayout blocks = BlockLayout::regular(ints.data(), count, MPI_INT);
        CHECK(format->begin(blocks, blocks));
        Written message = written(*format, blocks, 3);
        CHECK(message.bytes.size() == 3 * blocks.block_bytes());
        CHECK(format->capacity(0, blocks) == message.bytes.size());
        CHECK(brings(*format, message, blocks, 3));
        Arrived arrived;
        CHECK_FALSE(format->read(0, message.bytes.data(), message.bytes.size() + 1, arrived));
    }
}

TEST_CASE("Where blocks are sent on they have one size")
{
    const schedules::Schedule schedule = swap_of(2, true);
    const std::unique_ptr<MessageFormat> format = make_format(SizesAre::known, schedule);
    int ints[4] = {};
    const BlockLayout one = BlockLayout::regular(ints, 1, MPI_INT);
    const BlockLayout two = BlockLayout::regular(ints, 2, MPI_INT);
    CHECK(format->begin(one, one));
    CHECK_FALSE(format->begin(two, one));
    CHECK(format->capacity(0, one) == 2 * two.block_bytes()); // others have those that are sent here
    const schedules::Schedule merged = swap_of(2);
    CHECK(make_format(SizesAre::known, merged)->begin(two, one));
}

TEST_CASE("A message of several blocks says their sizes, one of a single block is the block")
{
    for (const std::vector<int>& counts : {std::vector<int>{3, 0, 4}, {6}, {0}, {0, 0}}) {
        const int blocks = static_cast<int>(counts.size());
        const schedules::Schedule schedule = swap_of(blocks);
        const std::unique_ptr<MessageFormat> format = make_format(SizesAre::sent, schedule);
        Buffer buffer(counts);
        const BlockLayout layout = buffer.layout();
        Written message = written(*format, layout, blocks);
        CHECK(message.at_once == message.bytes.size());
        CHECK(format->capacity(0, layout) == message.bytes.size());
        CHECK((message.bytes.size() == buffer.ints.size() * sizeof(int)) == (blocks == 1));
        CHECK(brings(*format, message, layout, blocks));
        Arrived arrived;
        if (blocks > 1)
            CHECK_FALSE(format->read(0, message.bytes.data(), message.bytes.size() - 1, arrived));
    }
}

TEST_CASE("A message that describes itself comes in two parts once, and then as a whole")
{
    const schedules::Schedule schedule = swap_of(2);
    const std::unique_ptr<MessageFormat> sender = make_format(SizesAre::described, schedule);
    const std::unique_ptr<MessageFormat> receiver = make_format(SizesAre::described, schedule);
    CHECK_FALSE(sender->is_bare(1));
    Buffer small({3, 9});
    Buffer large({300, 200});
    std::vector<bool> whole;
    for (Buffer* const buffer : {&small, &large, &large, &small}) {
        const BlockLayout layout = buffer->layout();
        const Written message = written(*sender, layout, 2);
        whole.push_back(message.at_once == message.bytes.size());
        CHECK(message.at_once <= receiver->capacity(0, layout));
        CHECK(brings(*receiver, message, layout, 2));
    }
    CHECK(whole == std::vector<bool>{true, false, true, true});
    Arrived arrived;
    const Written message = written(*sender, large.layout(), 2);
    CHECK_FALSE(receiver->read(0, message.bytes.data(), message.bytes.size() - 1, arrived));
}
