// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The description of a datatype matches the behavior of the MPI library.
#include "test/catch.hpp"

#include "shim/blocks/block.hpp"
#include "shim/blocks/datatype.hpp"
#include "test/shim/blocks/random_types.hpp"

using namespace hopscotch::shim;

namespace
{

/// Compares the description with the library's own.
void check_map(MPI_Datatype type)
{
    const std::shared_ptr<const TypeMap> map = type_map(type);
    int size = 0;
    MPI_Aint bound = 0;
    MPI_Aint extent = 0;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &bound, &extent);
    CHECK(map->size == static_cast<std::size_t>(size));
    CHECK(map->extent == extent);
    REQUIRE(map->flat);
    ElementMemory memory(type, 1);
    std::vector<char> data(map->size);
    char* to = data.data();
    for (const hopscotch::schedules::Pieces& entry : map->pieces)
        to = gather(entry, memory.address() + map->lowest_offset, to);
    CHECK(data == memory.packed());
    if (map->contiguous) {
        CHECK(map->pieces.size() <= 1);
        CHECK(map->extent == static_cast<MPI_Aint>(map->size));
    }
    CHECK(type_map(type) == map);
}

} // namespace

TEST_CASE("The runs of a datatype are its data in the order of MPI_Pack")
{
    for_random_types(300, [](const RandomType& type, std::mt19937&) { check_map(type.get()); });
}

#if MPI_VERSION >= 4
TEST_CASE("Constructors with large counts are read as the others are")
{
    const MPI_Count lengths[] = {1, 3};
    const MPI_Count places[] = {70, 2};
    const MPI_Count sizes[] = {4, 5};
    const MPI_Count parts[] = {2, 3};
    const MPI_Count starts[] = {1, 2};
    const MPI_Datatype types[] = {MPI_SHORT, MPI_DOUBLE};
    std::vector<MPI_Datatype> made(10, MPI_DATATYPE_NULL);
    MPI_Type_contiguous_c(5, MPI_INT, &made[0]);
    MPI_Type_vector_c(3, 2, 4, MPI_INT, &made[1]);
    MPI_Type_create_hvector_c(3, 2, 21, MPI_SHORT, &made[2]);
    MPI_Type_indexed_c(2, lengths, places, MPI_INT, &made[3]);
    MPI_Type_create_hindexed_c(2, lengths, places, MPI_SHORT, &made[4]);
    MPI_Type_create_struct_c(2, lengths, places, types, &made[5]);
    MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &made[6]);
    MPI_Type_create_subarray_c(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &made[7]);
    MPI_Type_create_indexed_block_c(2, 2, places, MPI_INT, &made[8]);
    MPI_Type_create_hindexed_block_c(2, 2, places, MPI_SHORT, &made[9]);
    for (MPI_Datatype& type : made) {
        INFO("type " << &type - made.data());
        MPI_Type_commit(&type);
        check_map(type);
        MPI_Type_free(&type);
    }
}
#endif

TEST_CASE("Blocks of one length are read")
{
    const int places[] = {9, 2};
    const MPI_Aint bytes[] = {70, 2};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    for (const bool in_bytes : {false, true}) {
        if (in_bytes)
            MPI_Type_create_hindexed_block(2, 3, bytes, MPI_INT, &type);
        else
            MPI_Type_create_indexed_block(2, 3, places, MPI_INT, &type);
        MPI_Type_commit(&type);
        check_map(type);
        MPI_Type_free(&type);
    }
    const int turned[] = {1, 0}; // without a gap, but not in the order of addresses
    MPI_Type_create_indexed_block(2, 1, turned, MPI_INT, &type);
    MPI_Type_commit(&type);
    check_map(type);
    MPI_Type_free(&type);
}

TEST_CASE("A datatype that was described keeps no type inside alive")
{
    static int gone = 0;
    const auto count_it = [](MPI_Datatype, int, void*, void*) -> int { return ++gone, MPI_SUCCESS; };
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count_it, &keyval, nullptr);
    MPI_Datatype inside = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, 1, 2, MPI_INT, &inside);
    MPI_Type_set_attr(inside, keyval, &gone);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 2, inside, &type);
    MPI_Type_commit(&type);
    CHECK(type_map(type)->size == 6 * sizeof(int));
    MPI_Type_free(&inside);
    CHECK(gone == 0);
    MPI_Type_free(&type);
    CHECK(gone == 1);
    MPI_Type_contiguous(2, MPI_DOUBLE_INT, &type); // only the library can read it
    MPI_Type_set_attr(type, keyval, &gone);
    MPI_Type_commit(&type);
    std::shared_ptr<const TypeMap> map = type_map(type);
    MPI_Type_free(&type);
    CHECK(map->size > 0);
    map.reset();
    CHECK(gone == 2);
    MPI_Type_free_keyval(&keyval);
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
