// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A call with the arguments of one before gets its blocks, at its own buffer; any other has its types looked up.
#include "test/catch.hpp"

#include "shim/blocks/block_layout.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/mpi_constants.hpp"

#include <mpi.h>

using namespace hopscotch::shim;

namespace
{

MPI_Datatype every_other_int(int count)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/// The arguments of a w form, and the blocks that the communicator keeps.
struct Arguments {
    std::vector<int> counts{2, 0, 3};
    std::vector<MPI_Aint> displacements{8, 0, 100};
    std::vector<MPI_Datatype> types{MPI_CHAR, MPI_DATATYPE_NULL, MPI_INT};
    KeptBlocks kept;

    BlockLayout layout(const void* buffer)
    {
        return BlockLayout::general(buffer, counts.data(), displacements.data(), types.data(), counts.size(), &kept);
    }
};

} // namespace

TEST_CASE("Kept blocks lie in the buffer of each call")
{
    char first[200];
    char second[200];
    Arguments arguments;
    for (char* const buffer : {first, second, first}) {
        const BlockLayout layout = arguments.layout(buffer);
        CHECK(layout[0].data() == buffer + 8);
        CHECK(layout[0].bytes == 2);
        CHECK(layout[1].bytes == 0);
        CHECK(layout[2].data() == buffer + 100);
        CHECK(layout[2].bytes == 12);
        CHECK(layout.largest_bytes() == 12);
    }
    CHECK(arguments.layout(first)[2].type == arguments.layout(second)[2].type);
}

TEST_CASE("Arguments that changed in place are looked up")
{
    char buffer[200];
    Arguments arguments;
    arguments.layout(buffer);
    arguments.counts[0] = 5;
    CHECK(arguments.layout(buffer)[0].bytes == 5);
    arguments.displacements[2] = 60;
    CHECK(arguments.layout(buffer)[2].data() == buffer + 60);
    arguments.types[2] = MPI_SHORT;
    CHECK(arguments.layout(buffer)[2].bytes == 6);
    const std::vector<MPI_Count> large_counts{2, 1, 3};
    arguments.types[1] = MPI_CHAR;
    const BlockLayout large = BlockLayout::general(buffer, large_counts.data(), arguments.displacements.data(),
                                                   arguments.types.data(), large_counts.size(), &arguments.kept);
    CHECK(large[0].bytes == 2);
    CHECK(large[1].bytes == 1);
}

TEST_CASE("More calls in turn than are kept have their own blocks each")
{
    char buffer[400];
    Arguments arguments;
    for (int call = 0; call < 40; ++call) {
        arguments.counts[0] = 1 + call % 7;
        CHECK(arguments.layout(buffer)[0].bytes == static_cast<std::size_t>(1 + call % 7));
    }
}

TEST_CASE("Arguments are refused after good ones, too")
{
    char buffer[200];
    Arguments arguments;
    arguments.layout(buffer);
    arguments.counts[2] = -3;
    CHECK_THROWS_AS(arguments.layout(buffer), WrongArgument);
    CHECK_THROWS_AS(arguments.layout(buffer), WrongArgument);
    arguments.counts[2] = 3;
    arguments.types[2] = MPI_DATATYPE_NULL;
    CHECK_THROWS_AS(arguments.layout(buffer), WrongArgument);
    MPI_Type_contiguous(2, MPI_INT, &arguments.types[2]);
    CHECK_THROWS_AS(arguments.layout(buffer), WrongArgument); // not committed
    MPI_Type_commit(&arguments.types[2]);
    CHECK(arguments.layout(buffer)[2].bytes == 24);
    MPI_Type_free(&arguments.types[2]);
    CHECK_THROWS_AS(arguments.layout(buffer), WrongArgument);
#ifndef OPEN_MPI // which does not look at buffers
    Arguments at_begin;
    at_begin.displacements[0] = 0;
    at_begin.layout(buffer);
    CHECK_THROWS_AS(at_begin.layout(nullptr), WrongArgument);
#endif
}

TEST_CASE("A handle that became another type's is looked up")
{
    int buffer[40] = {};
    Arguments arguments;
    for (int length = 1; length < 6; ++length) { // the MPI library likes to give the handle just freed
        arguments.types[2] = every_other_int(length);
        CHECK(arguments.layout(buffer)[2].bytes == static_cast<std::size_t>(length) * 3 * sizeof(int));
        CHECK(arguments.layout(buffer)[2].bytes == static_cast<std::size_t>(length) * 3 * sizeof(int));
        MPI_Type_free(&arguments.types[2]);
    }
}

TEST_CASE("A kept list outlives its types, and blocks that only the MPI library can read are not kept")
{
    int buffer[40] = {};
    Arguments arguments;
    arguments.types[2] = every_other_int(2);
    const BlockLayout layout = arguments.layout(buffer);
    MPI_Type_free(&arguments.types[2]);
    CHECK(layout[2].bytes == 24);
    CHECK_FALSE(layout[2].contiguous());
    arguments.types[2] = MPI_SHORT_INT;
    CHECK(arguments.layout(buffer)[2].type != arguments.layout(buffer)[0].type);
    const BlockLayout one = arguments.layout(buffer);
    const BlockLayout other = arguments.layout(buffer);
    CHECK(one[2].type != other[2].type);
}

TEST_CASE("Kept blocks of v forms lie in the buffer of each call, and are none of w forms")
{
    char first[200];
    char second[200];
    KeptBlocks kept;
    const std::vector<MPI_Count> counts{3};
    const std::vector<MPI_Aint> displacements{2};
    const auto varying = [&](char* buffer, MPI_Datatype type) {
        BlockLayout layout = BlockLayout::varying(buffer, counts.data(), displacements.data(), type, counts.size());
        layout.keep(kept);
        return layout[0];
    };
    for (char* const buffer : {first, second, first}) {
        const MPI_Datatype types[] = {MPI_INT};
        const Block general =
            BlockLayout::general(buffer, counts.data(), displacements.data(), types, counts.size(), &kept)[0];
        CHECK(general.data() == buffer + 2);
        CHECK(varying(buffer, MPI_INT).data() == buffer + 8);
        CHECK(varying(buffer, MPI_INT).bytes == 12);
        CHECK(varying(buffer, MPI_DOUBLE).data() == buffer + 16);
        CHECK(varying(buffer, MPI_DOUBLE).bytes == 24);
    }
}

TEST_CASE("Arguments of v forms that changed in place are looked up")
{
    char buffer[400];
    KeptBlocks kept;
    const auto try_out = [&](auto counts, auto displacements) {
        const auto second = [&] {
            BlockLayout layout =
                BlockLayout::varying(buffer, counts.data(), displacements.data(), MPI_INT, counts.size());
            layout.keep(kept);
            return layout[1];
        };
        CHECK(second().bytes == 4);
        counts[1] = 3;
        CHECK(second().bytes == 12);
        displacements[1] = 7;
        CHECK(second().data() == buffer + 28);
    };
    try_out(std::vector<int>{1, 1}, std::vector<int>{0, 5});
    try_out(std::vector<MPI_Count>{1, 1}, std::vector<MPI_Aint>{0, 5});
}
