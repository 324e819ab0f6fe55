// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The description of a datatype matches the behavior of the MPI library.
#include "test/catch.hpp"

#include "shim/blocks/datatype.hpp"
#include "test/shim/blocks/random_types.hpp"

using namespace hopscotch::shim;

TEST_CASE("The runs of a datatype are its data in the order of MPI_Pack")
{
    for_random_types(300, [](const RandomType& type, std::mt19937&) {
        const std::shared_ptr<const TypeMap> map = type_map(type.get());
        int size = 0;
        MPI_Aint bound = 0;
        MPI_Aint extent = 0;
        MPI_Type_size(type.get(), &size);
        MPI_Type_get_extent(type.get(), &bound, &extent);
        CHECK(map->size == static_cast<std::size_t>(size));
        CHECK(map->extent == extent);
        REQUIRE(map->flat);
        ElementMemory memory(type.get(), 1);
        std::vector<char> data(map->size);
        char* to = data.data();
        for (const hopscotch::schedules::Pieces& entry : map->pieces)
            to = gather(entry, memory.address() + map->lowest_offset, to);
        CHECK(data == memory.packed());
        if (map->contiguous)
            CHECK(map->pieces.size() <= 1);
        CHECK(type_map(type.get()) == map);
    });
}

TEST_CASE("The description of a datatype is kept while others are used")
{
    std::vector<MPI_Datatype> types(40);
    std::vector<std::shared_ptr<const TypeMap>> maps;
    for (std::size_t i = 0; i < types.size(); ++i) {
        MPI_Type_vector(2, 1, static_cast<int>(i) + 2, MPI_INT, &types[i]);
        MPI_Type_commit(&types[i]);
        maps.push_back(type_map(types[i]));
    }
    const std::uint64_t gone = types_gone();
    for (std::size_t i = 0; i < types.size(); ++i)
        CHECK(type_map(types[i]) == maps[i]);
    CHECK(types_gone() == gone);
    for (MPI_Datatype& type : types)
        MPI_Type_free(&type);
}

TEST_CASE("A datatype that is freed is not taken for the next one with its handle")
{
    for (int elements = 1; elements < 50; ++elements) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(2, elements, 2 * elements, MPI_INT, &type);
        MPI_Type_commit(&type);
        CHECK(type_map(type)->size == 2 * static_cast<std::size_t>(elements) * sizeof(int));
        CHECK(type_map(type)->pieces.front().count == 2);
        MPI_Type_free(&type);
    }
}
