// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks that a process finds without asking others.
#include "shim/call/reordering.hpp"

#include "shim/group/own_world.hpp"
#include "shim/mpi/runtime.hpp"
#include "test/catch.hpp"
#include "test/processes.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("No process finds ranks without asking as long as it does not know the nodes of all")
{
    REQUIRE(nodes_of_world().empty());
    mutable_runtime().active = true;
    mutable_runtime().settings.reorder = Reorder::all;
    const auto ranks = ranks_without_asking(Call::MPI_Cart_create, MPI_COMM_WORLD, world().size,
                                            [] { return std::optional<schedules::StencilOnGrid>(); });
    mutable_runtime().settings.reorder = Settings().reorder;
    mutable_runtime().active = false;
    CHECK_FALSE(ranks);
}
