// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Agreements of processes by collectives.
#include "test/catch.hpp"

#include "shim/group/collective_consensus.hpp"
#include "test/processes.hpp"

#include <cstdint>

using namespace hopscotch::shim;

TEST_CASE("Collectives find the largest, the common and the sum")
{
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    const std::int64_t size = world().size;
    const std::int64_t rank = world().rank;
    CHECK(consensus.maximum(rank) == size - 1);
    CHECK(consensus.minimum(rank + 5) == 5);
    double doubles[] = {static_cast<double>(rank) / 2, -1.5};
    consensus.maxima(doubles, 2);
    CHECK(doubles[0] == static_cast<double>(size - 1) / 2);
    CHECK(doubles[1] == -1.5);
    CHECK(consensus.all(true));
    CHECK_FALSE(consensus.all(rank != size - 1));
    CHECK(consensus.all_equal(INT64_MIN));
    CHECK(consensus.all_equal(rank) == (size == 1));
    const std::uint64_t own = ~(std::uint64_t{1} << rank);
    CHECK(~consensus.common_bits(own) == (std::uint64_t{1} << size) - 1);
    std::int64_t sums[] = {rank, INT64_MIN};
    consensus.sums(sums, 2);
    CHECK(sums[0] == size * (size - 1) / 2);
    CHECK(sums[1] == (size % 2 == 0 ? 0 : INT64_MIN)); // modulo 2^64
}

TEST_CASE("Lists of all processes, and that of one")
{
    CollectiveConsensus consensus(MPI_COMM_WORLD);
    const auto lists = consensus.lists(std::vector<int>(static_cast<std::size_t>(world().rank), world().rank));
    REQUIRE(lists.size() == static_cast<std::size_t>(world().size));
    for (std::size_t rank = 0; rank < lists.size(); ++rank)
        CHECK(lists[rank] == std::vector<int>(rank, static_cast<int>(rank)));
    std::vector<int> list(3, world().rank);
    consensus.broadcast(list.data(), list.size() * sizeof(int), world().size - 1);
    CHECK(list == std::vector<int>(3, world().size - 1));
    std::vector<int> expected;
    for (int rank = 0; rank < (world().rank == 0 ? world().size : 0); ++rank)
        expected.insert(expected.end(), {rank, 7});
    CHECK(consensus.gathered({world().rank, 7}, 0) == expected);
}

TEST_CASE("A process that waits for the others can do other work")
{
    int looks = 0;
    CollectiveConsensus consensus(MPI_COMM_WORLD, [&looks] { ++looks; });
    CHECK(consensus.maximum(world().rank) == world().size - 1);
    CHECK(looks >= 0);
}
