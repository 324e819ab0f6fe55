// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The exchange of a graph is free for the next call after a call that an error has ended.
#include "test/catch.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/sparse/joined_exchange.hpp"
#include "test/processes.hpp"
#include "test/shim/exchange/failing_exchange.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

TEST_CASE("An exchange that fails as it begins is not in use afterwards")
{
    std::mt19937 random(seed());
    const JobCommunicator comm(
        shuffled_job(schedules::Topology({world().size}, {true}), schedules::Stencil(1, {-1, 1}), random));
    Communicator record(comm.get(), detect(comm.get()), Settings(), 0);
    const int none[] = {0};
    const BlockArguments nothing(VaryingBlocks{none, none, none, MPI_BYTE});
    const auto graph = std::make_shared<FailingExchange>();
    const auto outside =
        std::make_shared<const OutsideBlocks>(record, 0, std::vector<int>(), std::vector<int>(), nothing, nothing);
    {
        JoinedExchange joined(graph, outside, nullptr);
        joined.begin(outside->blocks().send, outside->blocks().receive);
        CHECK_THROWS_AS(joined.advance(), MpiError);
        CHECK(graph->busy());
    }
    CHECK_FALSE(graph->busy());
}
