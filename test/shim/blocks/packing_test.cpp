// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks are packed as MPI_Pack packs them, and unpacked without touching what is between them.
#include "test/catch.hpp"

#include "shim/blocks/block_layout.hpp"
#include "test/shim/blocks/random_types.hpp"

#include <algorithm>

using namespace hopscotch::shim;

TEST_CASE("A block is packed as MPI_Pack does and comes back to its bytes alone")
{
    for_random_types(300, [](const RandomType& type, std::mt19937& random) {
        const int elements = 1 + static_cast<int>(random() % 4);
        ElementMemory memory(type.get(), elements);
        const std::shared_ptr<const TypeMap> map = type_map(type.get());
        const Block block = block_at(memory.address(), 0, elements, *map);
        std::vector<char> data(block.bytes);
        pack(block, data.data());
        CHECK(data == memory.packed());

        // Only the block's own bytes may be restored.
        const std::vector<char> before = memory.bytes();
        std::vector<char> other(data.size());
        std::transform(data.begin(), data.end(), other.begin(), [](char byte) { return static_cast<char>(~byte); });
        unpack(other.data(), other.size(), block);
        CHECK(memory.packed() == other);
        unpack(data.data(), data.size(), block);
        CHECK(memory.bytes() == before);

        // Of a message that is too short only what has come.
        unpack(other.data(), other.size() / 2, block);
        std::vector<char> half = data;
        std::copy_n(other.begin(), other.size() / 2, half.begin());
        CHECK(memory.packed() == half);
    });
}

TEST_CASE("One block is copied onto another of the same data")
{
    for_random_types(100, [](const RandomType& type, std::mt19937&) {
        ElementMemory from(type.get(), 2);
        ElementMemory to(type.get(), 2);
        const std::shared_ptr<const TypeMap> map = type_map(type.get());
        std::fill(to.bytes().begin(), to.bytes().end(), '\x55');
        copy(block_at(from.address(), 0, 2, *map), block_at(to.address(), 0, 2, *map));
        CHECK(to.packed() == from.packed());
    });
}
