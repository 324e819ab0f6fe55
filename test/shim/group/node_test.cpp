// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes of one node are found together, by the MPI library or by their host.
#include "test/catch.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/group/node.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

using namespace hopscotch::shim;

TEST_CASE("Nodes are those that the MPI library knows, if it knows any")
{
    const std::vector<int> first = first_on_node(MPI_COMM_WORLD);
    REQUIRE(first.size() == static_cast<std::size_t>(world().size));
    const int own = first[static_cast<std::size_t>(world().rank)];
    CHECK(first.at(static_cast<std::size_t>(own)) == own);
    std::vector<int> mates;
    std::set<int> nodes;
    for (int rank = 0; rank < world().size; ++rank) {
        nodes.insert(first[static_cast<std::size_t>(rank)]);
        if (first[static_cast<std::size_t>(rank)] == own)
            mates.push_back(rank);
    }
    CHECK(mates.front() == own);
    CHECK(count_nodes(MPI_COMM_WORLD) == static_cast<int>(nodes.size()));
    MPI_Comm told = MPI_COMM_NULL;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world().rank, MPI_INFO_NULL, &told));
    int size = 0;
    check(MPI_Comm_size(told, &size));
    if (CollectiveConsensus(MPI_COMM_WORLD).maximum(size) > 1)
        CHECK(world_ranks(told) == mates);
    check(MPI_Comm_free(&told));
}
