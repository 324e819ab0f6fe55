// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Roll call with some late processes.
#include "test/catch.hpp"

#include "shim/group/collective_consensus.hpp"
#include "shim/group/roll_call.hpp"
#include "test/processes.hpp"

#include <chrono>
#include <thread>

using namespace hopscotch::shim;

namespace
{

void come_late(int rank, int milliseconds)
{
    if (world().rank == rank)
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

} // namespace

TEST_CASE("All learn the largest values once all have come")
{
    const std::int64_t rank = world().rank;
    for (const int late : {-1, 0, world().size - 1}) {
        come_late(late, 100);
        const auto roll = call_the_roll(60.0, {rank, -rank, 7, INT64_MIN, late == 0 ? rank : 5 - rank});
        CHECK(roll.has_value() ==
              (library_version().find("ch4") != std::string::npos && next.MPI_Psend_init != nullptr));
        if (!roll)
            return;
        CHECK(roll->complete);
        CHECK(roll->predecessor_came);
        CHECK(roll->maxima == RollCallValues{world().size - 1, 0, 7, INT64_MIN, late == 0 ? world().size - 1 : 5});
    }
}

TEST_CASE("If one comes too late all report it, the late one, too")
{
    for (const int late : {0, world().size - 1}) {
        const bool is_late = world().rank == late;
        for (int other = 1; is_late && other < world().size; ++other) // they have ended their calls by then
            check(MPI_Recv(nullptr, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        const auto roll = call_the_roll(0.02, {});
        if (!is_late)
            check(MPI_Send(nullptr, 0, MPI_INT, late, 0, MPI_COMM_WORLD));
        if (!roll || world().size == 1)
            return;
        CHECK_FALSE(roll->complete);
        if (world().rank == (late + 1) % world().size)
            CHECK_FALSE(roll->predecessor_came);
    }
    REQUIRE(CollectiveConsensus(MPI_COMM_WORLD).all(true));
    const auto roll = call_the_roll(60.0, {});
    REQUIRE(roll);
    CHECK(roll->complete);
}

TEST_CASE("No roll is called if the library lacks one of the functions")
{
    const auto call_without = [](auto& function) {
        const ReplacedFunctions replaced;
        function = nullptr;
        CHECK_FALSE(call_the_roll(1.0, {}));
    };
    call_without(next.MPI_Psend_init);
    call_without(next.MPI_Precv_init);
    call_without(next.MPI_Pready);
}
