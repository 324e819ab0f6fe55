// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The neighbors of a communicator with any topology, and the grid of a Cartesian one.
#include "test/catch.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/mpi/neighbor_lists.hpp"
#include "test/processes.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("Neighbors of a Cartesian communicator are those of each dimension, down and up")
{
    MPI_Comm comm = MPI_COMM_NULL;
    const int dims[] = {world().size, 1};
    const int periods[] = {0, 1};
    check(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm));
    const schedules::Edges edges = neighbor_lists(comm, MPI_CART);
    const int below = world().rank > 0 ? world().rank - 1 : schedules::no_rank;
    const int above = world().rank + 1 < world().size ? world().rank + 1 : schedules::no_rank;
    CHECK(edges.rank == world().rank);
    CHECK(edges.sources == std::vector<int>{below, above, world().rank, world().rank});
    CHECK(edges.destinations == edges.sources);
    const auto grid = cartesian_grid(comm);
    REQUIRE(grid.has_value());
    CHECK(grid->dims() == std::vector<int>{world().size, 1});
    CHECK(grid->periods() == std::vector<bool>{false, true});
    check(MPI_Comm_free(&comm));
}

TEST_CASE("Neighbors of a graph are those of its lists; a communicator without topology has no grid")
{
    std::vector<int> index;
    std::vector<int> all;
    for (int rank = 0; rank < world().size; ++rank) { // a ring, in MPI_Graph_create's form
        all.push_back((rank + 1) % world().size);
        all.push_back((rank + world().size - 1) % world().size);
        index.push_back(static_cast<int>(all.size()));
    }
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Graph_create(MPI_COMM_WORLD, world().size, index.data(), all.data(), 0, &comm));
    const schedules::Edges edges = neighbor_lists(comm, MPI_GRAPH);
    CHECK(edges.destinations ==
          std::vector<int>{(world().rank + 1) % world().size, (world().rank + world().size - 1) % world().size});
    CHECK(edges.sources == edges.destinations);
    CHECK_FALSE(cartesian_grid(comm).has_value());
    CHECK_FALSE(cartesian_grid(MPI_COMM_NULL).has_value());
    check(MPI_Comm_free(&comm));
}
