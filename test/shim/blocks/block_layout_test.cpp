// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The blocks of a call's buffers lie at the places given by the forms of its arguments.
#include "test/catch.hpp"

#include "shim/blocks/block_layout.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/mpi_constants.hpp"
#include "test/processes.hpp"

#include <mpi.h>

using namespace hopscotch::shim;

namespace
{

/// Two ints of five.
struct Pairs {
    MPI_Datatype type = MPI_DATATYPE_NULL;

    Pairs()
    {
        MPI_Datatype pair = MPI_DATATYPE_NULL;
        MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
        MPI_Type_create_resized(pair, 0, 5 * sizeof(int), &type);
        MPI_Type_free(&pair);
        MPI_Type_commit(&type);
    }
    ~Pairs() { MPI_Type_free(&type); }
};

} // namespace

TEST_CASE("Regular blocks follow one another")
{
    int buffer[20] = {};
    const BlockLayout layout = BlockLayout::regular(buffer, 3, MPI_INT);
    CHECK(layout.block_bytes() == 12);
    CHECK(layout.largest_bytes() == 12);
    CHECK(layout.contiguous());
    CHECK(layout.dense());
    CHECK(layout[4].data() == reinterpret_cast<char*>(buffer + 12));
    CHECK(layout.dense_data(4) == layout[4].data());
    CHECK(layout[4].count == 3);
    const Pairs pairs;
    const BlockLayout gaps = BlockLayout::regular(buffer, 1, pairs.type);
    CHECK_FALSE(gaps.contiguous());
    CHECK_FALSE(gaps.dense());
    CHECK(gaps[2].address == reinterpret_cast<char*>(buffer + 10));
    CHECK(gaps[2].bytes == 8);
    const hopscotch::schedules::AddressRange range = range_of(gaps[1]);
    CHECK(range.begin == reinterpret_cast<std::size_t>(buffer + 5));
    CHECK(range.end == reinterpret_cast<std::size_t>(buffer + 8));
    KeptBlocks kept;
    BlockLayout later = gaps;
    later.keep(kept); // needs nothing of the caller's
    CHECK(later[2].address == gaps[2].address);
}

TEST_CASE("A single block is that of every destination")
{
    int buffer[4] = {};
    const BlockLayout layout = BlockLayout::single(buffer, 4, MPI_INT);
    CHECK(layout[0].data() == layout[7].data());
    CHECK(layout.block_bytes() == 16);
}

TEST_CASE("Varying blocks lie at their displacements, in extents, after the arrays are gone, too")
{
    int buffer[40] = {};
    const Pairs pairs;
    KeptBlocks kept;
    BlockLayout layout;
    {
        std::vector<int> counts{2, 0, 1};
        std::vector<int> displacements{3, 100, 0};
        layout = BlockLayout::varying(buffer, counts.data(), displacements.data(), pairs.type, counts.size());
        CHECK(layout[0].address == reinterpret_cast<char*>(buffer + 15));
        layout.keep(kept);
        std::fill(counts.begin(), counts.end(), 9);
        std::fill(displacements.begin(), displacements.end(), 9);
    }
    CHECK(layout[0].address == reinterpret_cast<char*>(buffer + 15));
    CHECK(layout[0].bytes == 16);
    CHECK(layout[1].bytes == 0);
    CHECK(layout[2].address == reinterpret_cast<char*>(buffer));
    CHECK(layout.largest_bytes() == 16);
    CHECK(layout.block_bytes() == 0);
    const std::vector<MPI_Count> counts{1, 3};
    const std::vector<MPI_Aint> displacements{1, 2};
    const BlockLayout large = BlockLayout::varying(buffer, counts.data(), displacements.data(), MPI_INT, 2);
    CHECK(large[1].data() == reinterpret_cast<char*>(buffer + 2));
    CHECK(large[1].bytes == 12);
}

TEST_CASE("Blocks of types of their own lie at their bytes")
{
    int buffer[40] = {};
    const Pairs pairs;
    const int counts[] = {2, 3};
    const MPI_Aint displacements[] = {8, 100};
    const MPI_Datatype types[] = {pairs.type, MPI_CHAR};
    const BlockLayout layout = BlockLayout::general(buffer, counts, displacements, types, 2);
    CHECK(layout[0].address == reinterpret_cast<char*>(buffer + 2));
    CHECK(layout[0].bytes == 16);
    CHECK(layout[1].data() == reinterpret_cast<char*>(buffer + 25));
    CHECK(layout[1].bytes == 3);
    char elsewhere[200];
    const BlockLayout moved = layout.at({elsewhere + 40, elsewhere});
    CHECK(moved[0].address == elsewhere + 40);
    CHECK(moved[0].type == layout[0].type);
    CHECK(moved[1].data() == elsewhere);
    const BlockLayout there = BlockLayout::regular(buffer, 2, MPI_INT).at({elsewhere + 80, elsewhere});
    CHECK(there[0].data() == elsewhere + 80);
    CHECK(there[1].bytes == 8);
    const MPI_Aint at_begin[] = {0, 100};
    CHECK(BlockLayout::general(buffer, counts, at_begin, types, 2)[0].data() == reinterpret_cast<char*>(buffer));
}

TEST_CASE("Nothing needs no arrays, and no buffer")
{
    CHECK(BlockLayout::regular(nullptr, 0, MPI_INT).block_bytes() == 0);
    const int* const no_counts = nullptr;
    const MPI_Aint* const nowhere = nullptr;
    const MPI_Datatype* const no_types = nullptr;
    CHECK(BlockLayout::varying(nullptr, no_counts, no_counts, MPI_INT, 0).largest_bytes() == 0);
    CHECK(BlockLayout::general(nullptr, no_counts, nowhere, no_types, 0).largest_bytes() == 0);
    const int one = 1;
    const MPI_Aint begin = 0;
    const MPI_Datatype type = MPI_INT;
    char buffer[4];
    CHECK_THROWS_AS(BlockLayout::varying(buffer, no_counts, &one, MPI_INT, 1), WrongArgument);
    CHECK_THROWS_AS(BlockLayout::varying(buffer, &one, no_counts, MPI_INT, 1), WrongArgument);
    CHECK_THROWS_AS(BlockLayout::general(buffer, no_counts, &begin, &type, 1), WrongArgument);
    CHECK_THROWS_AS(BlockLayout::general(buffer, &one, nowhere, &type, 1), WrongArgument);
    CHECK_THROWS_AS(BlockLayout::general(buffer, &one, &begin, no_types, 1), WrongArgument);
#ifndef OPEN_MPI // which does not look at the type
    CHECK_THROWS_AS(BlockLayout::varying(nullptr, no_counts, no_counts, MPI_DATATYPE_NULL, 0), WrongArgument);
#endif
}

TEST_CASE("Arguments that the MPI library rejects give no layout")
{
    int buffer[4] = {};
    CHECK_THROWS_AS(BlockLayout::regular(buffer, -1, MPI_INT), WrongArgument);
    CHECK_THROWS_AS(BlockLayout::regular(buffer, 1, MPI_DATATYPE_NULL), WrongArgument);
    const int counts[] = {1, -1};
    const int displacements[] = {0, 0};
    CHECK_THROWS_AS(BlockLayout::varying(buffer, counts, displacements, MPI_INT, 2), WrongArgument);
    const MPI_Aint places[] = {0, 0};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    CHECK_THROWS_AS(BlockLayout::general(buffer, counts, places, types, 2), WrongArgument);
    MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    CHECK_THROWS_AS(BlockLayout::regular(buffer, 1, uncommitted), WrongArgument);
    MPI_Type_free(&uncommitted);
}

TEST_CASE("The bytes of a block are counted as pieces, and their range is known without reading the type")
{
    int buffer[40] = {};
    const Pairs pairs;
    const BlockLayout gaps = BlockLayout::regular(buffer, 2, pairs.type);
    const auto base = reinterpret_cast<std::size_t>(buffer);
    std::vector<hopscotch::schedules::Pieces> pieces;
    append_pieces(gaps[1], 0, pieces);
    REQUIRE(pieces.size() == 2);
    CHECK(pieces[0].offset == reinterpret_cast<std::size_t>(buffer + 10));
    CHECK(pieces[0].bytes() + pieces[1].bytes() == 16);
    const BlockLayout whole = BlockLayout::regular(buffer, 3, MPI_INT);
    pieces.clear();
    append_pieces(whole[1], base, pieces);
    CHECK(pieces == std::vector<hopscotch::schedules::Pieces>{{12, 12}});

    const BlockLayout unread = BlockLayout::single(buffer, 2, MPI_SHORT_INT);
    pieces.clear();
    append_pieces(unread[0], base, pieces);
    append_pieces(Block(), 0, pieces);
    CHECK(pieces.empty());
    const hopscotch::schedules::AddressRange range = range_of(unread[0]);
    CHECK(range.begin == base);
    CHECK(range.end == reinterpret_cast<std::size_t>(buffer + 4));
}

TEST_CASE("Data at address 0 is rejected unless there is none or its type has an offset")
{
    int value = 0;
    const int one = 1;
    MPI_Aint address = 0;
    MPI_Get_address(&value, &address);
    const CommittedType absolute(MPI_Type_create_hindexed, 1, &one, &address, MPI_INT);
    const BlockLayout there = BlockLayout::single(MPI_BOTTOM, 1, absolute);
    CHECK(there[0].data() == reinterpret_cast<char*>(&value));
    const int zero = 0;
    const MPI_Aint nowhere = 0;
    const MPI_Datatype type = MPI_INT;
    CHECK(BlockLayout::general(nullptr, &one, &address, &type, 1)[0].data() == reinterpret_cast<char*>(&value));
    CHECK(BlockLayout::general(nullptr, &zero, &nowhere, &type, 1)[0].bytes == 0);
    const MPI_Count second_alone[] = {0, sizeof value};
    const MPI_Aint places[] = {0, address};
    CHECK(BlockLayout::varying(nullptr, second_alone, places, MPI_CHAR, 2)[1].data() ==
          reinterpret_cast<char*>(&value));
#ifndef OPEN_MPI // which does not look at buffers
    CHECK_THROWS_AS(BlockLayout::single(nullptr, 1, MPI_INT), WrongArgument);
    CHECK_THROWS_AS(BlockLayout::varying(nullptr, &one, &zero, MPI_INT, 1), WrongArgument);
    CHECK_THROWS_AS(BlockLayout::general(nullptr, &one, &nowhere, &type, 1), WrongArgument);
#endif
}
