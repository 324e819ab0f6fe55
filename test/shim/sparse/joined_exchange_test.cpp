// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The exchange of a graph serves one call at a time, and is free after one that an error has ended.
#include "test/catch.hpp"

#include "shim/mpi/mpi_error.hpp"
#include "shim/sparse/joined_exchange.hpp"
#include "test/processes.hpp"
#include "test/shim/exchange/failing_exchange.hpp"
#include "test/shim/graph/detected.hpp"

#include <mpi.h>

using namespace hopscotch;
using namespace hopscotch::shim;

namespace
{

struct WaitingExchange final : Exchange {
    const BlockLayout* begun = nullptr;
    bool looked = false;

    void begin(const BlockLayout& send, const BlockLayout&) override { begun = &send; }
    bool advance() override { return looked = true, false; }
};

} // namespace

TEST_CASE("An exchange serves one call until that is complete, and is not in use after one that fails as it begins")
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
    const auto waiting = std::make_shared<WaitingExchange>();
    REQUIRE(waiting->acquire());
    JoinedExchange joined(waiting, outside, nullptr);
    joined.begin(outside->blocks().send, outside->blocks().receive);
    CHECK_FALSE((joined.advance() || waiting->looked)); // of another call
    waiting->release();
    CHECK_FALSE(joined.advance());
    static_cast<void>(JoinedExchange(waiting, outside, nullptr)); // has never been the call that uses it
    CHECK((waiting->begun == &outside->blocks().send && waiting->busy()));
}
