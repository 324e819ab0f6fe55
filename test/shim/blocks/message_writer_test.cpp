// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A message delivers the blocks that its writer was given, through any number of processes.
#include "test/catch.hpp"

#include "shim/blocks/message_writer.hpp"
#include "test/processes.hpp"
#include "test/shim/blocks/random_types.hpp"

#include <limits>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

/// A message and its layout.
struct Message {
    std::vector<char> bytes;
    schedules::MessageLayout layout;
    const char* payload = nullptr;

    Message(MessageWriter& writer, schedules::HeaderFormat format, std::size_t blocks) : bytes(writer.bytes())
    {
        writer.write(bytes.data());
        REQUIRE(format.read(bytes.data(), bytes.size(), blocks, layout));
        REQUIRE(format.bytes(layout) + layout.payload_bytes == bytes.size());
        payload = bytes.data() + format.bytes(layout);
    }
};

} // namespace

TEST_CASE("A writer forgets the blocks of the message before")
{
    constexpr int length = 20;
    const schedules::HeaderFormat format(4);
    std::vector<int> sent(2 * length);
    std::iota(sent.begin(), sent.end(), 0);
    const std::shared_ptr<const TypeMap> ints = type_map(MPI_INT);
    MessageWriter writer(format, 2);
    MessageWriter forwarder(format, 1);
    for (const int first : {1, 0, 2}) {
        const int starts[] = {first, first + length / 2}; // half of the ints in common
        writer.begin();
        for (const int start : starts)
            writer.add(block_at(sent.data() + start, 0, length, *ints));
        writer.plan(std::numeric_limits<std::size_t>::max());
        CHECK(writer.saved_bytes() == length / 2 * sizeof(int));
        const Message message(writer, format, 2);
        for (const std::size_t arrived : {0u, 1u}) {
            forwarder.begin();
            forwarder.add_arrived(message.payload, message.layout, arrived);
            forwarder.plan(std::numeric_limits<std::size_t>::max());
            const Message forwarded(forwarder, format, 1);
            std::vector<int> received(length);
            std::vector<char> scratch;
            unpack(forwarded.layout, 0, forwarded.payload, block_at(received.data(), 0, length, *ints), scratch);
            CHECK(std::equal(received.begin(), received.end(), sent.begin() + starts[arrived]));
        }
    }
}

TEST_CASE("Blocks come out of a message as they went in, their common bytes once")
{
    for (unsigned number = 0; number < 200; ++number) {
        INFO("seed " << seed() + number);
        std::mt19937 random(seed() + number);
        const schedules::HeaderFormat format(random() % 2 == 0 ? 4 : 8);
        const RandomType type(random);
        const std::shared_ptr<const TypeMap> map = type_map(type.get());
        ElementMemory memory(type.get(), 6);
        std::vector<Block> blocks;
        for (std::size_t i = 1 + random() % 5; i > 0; --i) { // they may overlap
            const auto first = static_cast<MPI_Aint>(random() % 4);
            blocks.push_back(block_at(memory.address(), first * map->extent, 1 + static_cast<int>(random() % 2), *map));
        }
        MessageWriter writer(format, blocks.size() + 1);
        writer.begin();
        writer.add_absent();
        std::size_t all = 0;
        for (const Block& block : blocks) {
            writer.add(block);
            all += block.bytes;
        }
        writer.plan(random() % 4 == 0 ? format.plain_bytes(blocks.size() + 1)
                                      : std::numeric_limits<std::size_t>::max());
        CHECK(writer.payload_bytes() + writer.saved_bytes() == all);
        const Message first(writer, format, blocks.size() + 1);
        CHECK(first.layout.blocks[0].placement == schedules::Placement::absent);

        MessageWriter forwarder(format, blocks.size());
        forwarder.begin();
        for (std::size_t i = blocks.size(); i > 0; --i)
            forwarder.add_arrived(first.payload, first.layout, i);
        forwarder.plan(std::numeric_limits<std::size_t>::max());
        const Message second(forwarder, format, blocks.size());

        std::vector<char> scratch;
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            ElementMemory received(type.get(), 6);
            std::fill(received.bytes().begin(), received.bytes().end(), '\0');
            const Block target = block_at(received.address(), 0, blocks[i].count, *map);
            unpack(second.layout, blocks.size() - 1 - i, second.payload, target, scratch);
            std::vector<char> sent(blocks[i].bytes);
            std::vector<char> came(blocks[i].bytes);
            pack(blocks[i], sent.data());
            pack(target, came.data());
            CHECK(sent == came);
        }
    }
}
