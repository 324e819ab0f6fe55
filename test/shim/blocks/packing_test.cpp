// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks are packed in the order of MPI_Pack, and unpacked without touching the bytes between them.
#include "test/catch.hpp"

#include "shim/blocks/block_layout.hpp"
#include "test/mpi_constants.hpp"
#include "test/processes.hpp"
#include "test/shim/blocks/random_types.hpp"

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

        // From a message that is too short, only the bytes that have arrived.
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
        const std::vector<char> data = from.packed();
        copy(block_at(from.address(), 0, 2, *map), block_at(to.address(), 0, 2, *map));
        CHECK(to.packed() == data);
    });
}

TEST_CASE("One block is copied onto another with other runs, and onto nothing between them")
{
    const auto vector = [](int count, int length, int stride, MPI_Datatype inner) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(count, length, stride, inner, &type);
        MPI_Type_commit(&type);
        return type;
    };
    for (const MPI_Datatype unit : {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE}) {
        std::vector<MPI_Datatype> types;
        for (const int length : {1, 2, 4})
            for (const int stride : {5, 7})
                types.push_back(vector(4 / length, length, stride, unit));
        std::vector<MPI_Datatype> columns; // elements of one run, not side by side
        for (const int width : {2, 1}) {
            columns.push_back(vector(1, width, width, unit));
            types.push_back(MPI_DATATYPE_NULL);
            MPI_Type_create_resized(columns.back(), 0, 48, &types.back());
            MPI_Type_commit(&types.back());
        }
        for (const MPI_Datatype sent : types)
            for (const MPI_Datatype received : types) {
                const auto elements = [&](MPI_Datatype type) {
                    return type == types.back() ? 8 : type == types.end()[-2] ? 4 : 2;
                };
                ElementMemory from(sent, elements(sent));
                ElementMemory to(received, elements(received));
                const std::shared_ptr<const TypeMap> source = type_map(sent);
                const std::shared_ptr<const TypeMap> target = type_map(received);
                std::fill(to.bytes().begin(), to.bytes().end(), '\x55');
                const Block place = block_at(to.address(), 0, elements(received), *target);
                const std::vector<char> data = from.packed();
                copy(block_at(from.address(), 0, elements(sent), *source), place);
                REQUIRE(to.packed() == data);
                const std::vector<char> marks(place.bytes, '\x55');
                unpack(marks.data(), marks.size(), place);
                CHECK(std::all_of(to.bytes().begin(), to.bytes().end(), [](char byte) { return byte == '\x55'; }));
            }
        types.insert(types.end(), columns.begin(), columns.end());
        for (MPI_Datatype& type : types)
            MPI_Type_free(&type);
    }
}

TEST_CASE("Types that only the MPI library can read are packed by it, at any address")
{
    MPI_Datatype gap_first = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_SHORT_INT, 0, 40, &gap_first);
    MPI_Type_commit(&gap_first);
    const ReplacedFunctions replaced;
    if (GENERATE(false, true))
        next.MPI_Pack_c = nullptr, next.MPI_Unpack_c = nullptr; // as before MPI 4
    for (const MPI_Datatype type : {MPI_SHORT_INT, gap_first}) {
        ElementMemory memory(type, 3);
        const std::shared_ptr<const TypeMap> map = type_map(type);
        REQUIRE_FALSE(map->flat);
        int size = 0;
        MPI_Type_size(map->datatype, &size);
        CHECK(map->size == static_cast<std::size_t>(size));
        const Block block = block_at(memory.address(), 0, 3, *map);
        std::vector<char> data(block.bytes + map->size, '\x55');
        pack(block, data.data());
        CHECK(std::count(data.end() - size, data.end(), '\x55') == size); // nothing behind the block
        data.resize(block.bytes);
        CHECK(data == memory.packed());
        const std::vector<char> before = memory.bytes();
        const std::vector<char> other(data.size(), '\x55');
        unpack(other.data(), other.size(), block);
        CHECK(memory.packed() == other);
        unpack(data.data(), data.size(), block);
        CHECK(memory.bytes() == before);
        ElementMemory to(type, 3);
        std::fill(to.bytes().begin(), to.bytes().end(), '\x55');
        copy(block, block_at(to.address(), 0, 3, *map));
        CHECK(to.packed() == data);
        std::vector<char> bytes;
        for (const auto& run : runs_of(block))
            bytes.insert(bytes.end(), reinterpret_cast<const char*>(run.begin), reinterpret_cast<const char*>(run.end));
        CHECK(bytes == data);

        // The same block, with its address in the type: packed from MPI_BOTTOM on.
        MPI_Aint address = 0;
        MPI_Get_address(memory.address(), &address);
        const int one = 1;
        MPI_Datatype absolute = MPI_DATATYPE_NULL;
        MPI_Type_create_hindexed(1, &one, &address, type, &absolute);
        MPI_Type_commit(&absolute);
        const std::shared_ptr<const TypeMap> absolute_map = type_map(absolute);
        std::vector<char> first(absolute_map->size);
        pack(block_at(MPI_BOTTOM, 0, 1, *absolute_map), first.data());
        CHECK(std::equal(first.begin(), first.end(), data.begin()));
        MPI_Type_free(&absolute);
    }
    MPI_Type_free(&gap_first);
}

TEST_CASE("The runs of a block are its bytes alone")
{
    int buffer[12] = {};
    MPI_Datatype even = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    const auto begin = reinterpret_cast<std::size_t>(buffer);
    const auto runs = runs_of(block_at(buffer, sizeof(int), 2, *type_map(even)));
    REQUIRE(runs.size() == 4); // of ints 1, 3, 4 and 6
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t at = begin + sizeof(int) * std::vector<std::size_t>{1, 3, 4, 6}[i];
        CHECK(runs[i].begin == at);
        CHECK(runs[i].end == at + sizeof(int));
    }
    CHECK(runs_of(Block()).empty());
    MPI_Type_free(&even);
}

TEST_CASE("A block is copied from and to memory in which its bytes lie together")
{
    MPI_Datatype even = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, MPI_INT, &even);
    MPI_Type_commit(&even);
    const std::shared_ptr<const TypeMap> apart = type_map(even);
    const std::shared_ptr<const TypeMap> together = type_map(MPI_INT);
    const int from[] = {1, 2, 3};
    int spread[] = {-1, -1, -1, -1, -1};
    int to[] = {0, 0, 0};
    copy(block_at(from, 0, 3, *together), block_at(spread, 0, 1, *apart));
    CHECK(std::vector<int>(spread, spread + 5) == std::vector<int>{1, -1, 2, -1, 3});
    copy(block_at(spread, 0, 1, *apart), block_at(to, 0, 3, *together));
    CHECK(std::vector<int>(to, to + 3) == std::vector<int>{1, 2, 3});
    const int other[] = {7, 8, 9};
    copy(block_at(other, 0, 2, *together), block_at(to, 0, 2, *together));
    CHECK(std::vector<int>(to, to + 3) == std::vector<int>{7, 8, 3});
    MPI_Type_free(&even);
}
