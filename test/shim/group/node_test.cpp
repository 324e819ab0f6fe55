// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Processes of one node are found together, by the MPI library or by their host.
#include "test/catch.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/group/node.hpp"
#include "shim/mpi/mpi_error.hpp"
#include "test/processes.hpp"

#include <algorithm>

using namespace hopscotch::shim;

namespace
{

int size_of(MPI_Comm comm)
{
    int size = 0;
    check(MPI_Comm_size(comm, &size));
    return size;
}

} // namespace

TEST_CASE("Nodes found by the host are those that the MPI library knows, if it knows any")
{
    MPI_Comm told = MPI_COMM_NULL;
    check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, world().rank, MPI_INFO_NULL, &told));
    MPI_Comm found = split_by_host(MPI_COMM_WORLD);
    MPI_Comm taken = split_by_node(MPI_COMM_WORLD);
    int relation = MPI_IDENT;
    check(MPI_Comm_compare(found, taken, &relation));
    CHECK(relation == MPI_CONGRUENT);
    if (CollectiveConsensus(MPI_COMM_WORLD).maximum(size_of(told)) > 1) {
        check(MPI_Comm_compare(told, taken, &relation));
        CHECK(relation == MPI_CONGRUENT);
    }
    const std::vector<int> first = first_on_node(MPI_COMM_WORLD);
    const int own = first.at(static_cast<std::size_t>(world().rank));
    CHECK(first.at(static_cast<std::size_t>(own)) == own);
    CHECK(std::count(first.begin(), first.end(), own) == size_of(taken));
    for (MPI_Comm* comm : {&told, &found, &taken})
        check(MPI_Comm_free(comm));
}
