// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// A call that receives into its send buffer is detected; gaps do not count.
#include "test/catch.hpp"

#include "schedules/grid/topology.hpp"
#include "shim/blocks/shadow.hpp"
#include "test/mpi_constants.hpp"
#include "test/processes.hpp"

#include <mpi.h>

using namespace hopscotch::shim;
using hopscotch::schedules::no_rank;

TEST_CASE("Blocks that have bytes in common are named")
{
    int buffer[40] = {};
    const BlockLayout send = BlockLayout::regular(buffer, 4, MPI_INT);
    const BlockLayout apart = BlockLayout::regular(buffer + 12, 4, MPI_INT);
    const std::vector<int> neighbors{1, 2, 3};
    CHECK_FALSE(find_overlap(send, neighbors, apart, neighbors).has_value());
    const BlockLayout touching = BlockLayout::regular(buffer + 11, 4, MPI_INT);
    const auto found = find_overlap(send, neighbors, touching, neighbors);
    REQUIRE(found.has_value());
    CHECK(found->send == 2);
    CHECK(found->receive == 0);
}

TEST_CASE("Blocks that nobody gets or sends overlap nothing")
{
    int buffer[40] = {};
    const BlockLayout send = BlockLayout::regular(buffer, 4, MPI_INT);
    const BlockLayout receive = BlockLayout::regular(buffer + 8, 4, MPI_INT);
    CHECK(find_overlap(send, {1, 2, 3}, receive, {1, 2, 3}).has_value());
    CHECK_FALSE(find_overlap(send, {1, 2, no_rank}, receive, {1, 2, 3}).has_value());
    CHECK_FALSE(find_overlap(send, {1, 2, 3}, receive, {no_rank, 2, 3}).has_value());
}

TEST_CASE("Gaps between the data of a block belong to nobody")
{
    int buffer[40] = {};
    const CommittedType even(MPI_Type_vector, 5, 1, 2, MPI_INT);
    const BlockLayout send = BlockLayout::single(buffer, 1, even);
    CHECK_FALSE(find_overlap(send, {1}, BlockLayout::regular(buffer + 1, 1, even), {1}).has_value());
    CHECK(find_overlap(send, {1}, BlockLayout::regular(buffer + 2, 1, even), {1}).has_value());
}

TEST_CASE("Gaps of a type that only the MPI library can read belong to nobody")
{
    // A short, a gap of two bytes, an int.
    char buffer[64] = {};
    const BlockLayout send = BlockLayout::single(buffer, 2, MPI_SHORT_INT);
    const auto received_at = [&](int byte) { return BlockLayout::single(buffer + byte, 2, MPI_CHAR); };
    CHECK(find_overlap(send, {1}, received_at(1), {1}).has_value());
    CHECK_FALSE(find_overlap(send, {1}, received_at(2), {1}).has_value());
    CHECK(find_overlap(send, {1}, received_at(3), {1}).has_value());
    CHECK_FALSE(find_overlap(send, {1}, received_at(10), {1}).has_value());
    CHECK(find_overlap(send, {1}, received_at(14), {1}).has_value());
    CHECK_FALSE(find_overlap(send, {1}, received_at(16), {1}).has_value());

    const MPI_Aint begin = 24;
    const CommittedType behind(MPI_Type_create_hindexed_block, 1, 1, &begin, MPI_SHORT_INT);
    const BlockLayout far = BlockLayout::single(buffer, 1, behind);
    CHECK(find_overlap(far, {1}, received_at(23), {1}).has_value());
    CHECK_FALSE(find_overlap(far, {1}, received_at(26), {1}).has_value());
    CHECK(find_overlap(far, {1}, received_at(27), {1}).has_value());
}
