// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A shadow finds every byte that differs from the data that the MPI library received, and every byte written beside the
// blocks.
#include "test/catch.hpp"

#include "schedules/grid/topology.hpp"
#include "shim/blocks/shadow.hpp"
#include "test/shim/blocks/random_types.hpp"

using namespace hopscotch::shim;
using hopscotch::schedules::no_rank;

namespace
{

/// Receives the content of the user's memory in the shadow.
void receive(const BlockLayout& user, const Shadow& shadow, int blocks)
{
    for (int i = 0; i < blocks; ++i)
        copy(user[i], shadow.layout()[i]);
}

} // namespace

TEST_CASE("Blocks received as in the user's memory do not differ, one byte less does")
{
    for_random_types(100, [](const RandomType& type, std::mt19937&) {
        ElementMemory memory(type.get(), 3);
        const BlockLayout user = BlockLayout::regular(memory.address(), 1, type.get());
        const std::vector<int> sources{4, 5, 6};
        Shadow shadow(user, sources);
        receive(user, shadow, 3);
        CHECK_FALSE(shadow.difference().has_value());
        if (user[1].bytes == 0)
            return;
        std::vector<char> data(user[1].bytes);
        pack(user[1], data.data());
        ++data.back();
        unpack(data.data(), data.size(), shadow.layout()[1]);
        const auto difference = shadow.difference();
        REQUIRE(difference.has_value());
        CHECK(difference->block == 1);
        CHECK_FALSE(difference->outside);
        CHECK(difference->bytes == 1);
        CHECK(difference->got == static_cast<unsigned char>(difference->expected + 1));
        shadow.reset();
        CHECK(shadow.difference().has_value());
    });
}

TEST_CASE("A byte written between or behind the blocks is found")
{
    int buffer[30] = {};
    const int counts[] = {2, 3};
    const int displacements[] = {0, 10};
    const BlockLayout user = BlockLayout::varying(buffer, counts, displacements, MPI_INT, 2);
    const std::vector<int> sources{0, 1};
    Shadow shadow(user, sources);
    receive(user, shadow, 2);
    CHECK_FALSE(shadow.difference().has_value());
    char* const behind = shadow.layout()[1].data() + 3 * sizeof(int);
    *behind = static_cast<char>(~*behind);
    const auto difference = shadow.difference();
    REQUIRE(difference.has_value());
    CHECK(difference->outside);
    CHECK(difference->block == 1);
    CHECK(difference->offset == 3 * sizeof(int));
}

TEST_CASE("A byte outside of the blocks is named by the nearest one before it, in any order of blocks")
{
    int buffer[30] = {};
    const int counts[] = {2, 3};
    const int displacements[] = {20, 0};
    const BlockLayout user = BlockLayout::varying(buffer, counts, displacements, MPI_INT, 2);
    const std::vector<int> sources{0, 1};
    Shadow shadow(user, sources);
    receive(user, shadow, 2);
    char* const between = shadow.layout()[1].data() + 5 * sizeof(int);
    *between = static_cast<char>(~*between);
    const auto difference = shadow.difference();
    REQUIRE(difference.has_value());
    CHECK(difference->outside);
    CHECK(difference->block == 1);
    CHECK(difference->offset == 5 * sizeof(int));
}

TEST_CASE("A byte behind all blocks belongs to the last of them, perhaps the first in the list")
{
    int buffer[30] = {};
    const int counts[] = {3, 2, 1};
    const int displacements[] = {20, 0, 25};
    const BlockLayout user = BlockLayout::varying(buffer, counts, displacements, MPI_INT, 3);
    const std::vector<int> sources{0, 1, 2};
    Shadow shadow(user, sources);
    receive(user, shadow, 3);
    char* const between = shadow.layout()[0].data() + 4 * sizeof(int);
    *between = static_cast<char>(~*between);
    const auto difference = shadow.difference();
    REQUIRE(difference.has_value());
    CHECK(difference->outside);
    CHECK(difference->block == 0);
    CHECK(difference->offset == 4 * sizeof(int));
}

TEST_CASE("Blocks that nobody sends must stay as they were")
{
    int buffer[6] = {1, 2, 3, 4, 5, 6};
    const BlockLayout user = BlockLayout::regular(buffer, 3, MPI_INT);
    const std::vector<int> sources{no_rank, 1};
    Shadow shadow(user, sources);
    copy(user[1], shadow.layout()[1]);
    CHECK_FALSE(shadow.difference().has_value());
    copy(user[0], shadow.layout()[0]);
    CHECK(shadow.difference().has_value());
}
