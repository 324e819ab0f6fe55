// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Properties of a collective and of an algorithm that do not depend on the call.
#include "schedules/plan/algorithm.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("Collectives have one size or many, one block or one for each")
{
    CHECK(is_allgather(Collective::allgather));
    CHECK(is_allgather(Collective::allgatherv));
    CHECK(is_allgather(Collective::global_allgather));
    CHECK_FALSE(is_allgather(Collective::alltoallw));
    CHECK(is_regular(Collective::alltoall));
    CHECK(is_regular(Collective::allgather));
    CHECK_FALSE(is_regular(Collective::alltoallv));
    CHECK_FALSE(is_regular(Collective::allgatherv));
    CHECK(blocks_of(Collective::allgatherv) == Blocks::common);
    CHECK(blocks_of(Collective::alltoallw) == Blocks::individual);
}

TEST_CASE("Combined and aggregated blocks rest at other processes")
{
    CHECK(forwards(Algorithm::combining));
    CHECK(forwards(Algorithm::aggregated));
    for (const Algorithm algorithm : {Algorithm::native, Algorithm::trivial, Algorithm::merged, Algorithm::shared})
        CHECK_FALSE(forwards(algorithm));
}

TEST_CASE("Combining needs a process grid, aggregating does not")
{
    CHECK(needs_grid(Algorithm::combining));
    CHECK_FALSE(needs_grid(Algorithm::aggregated));
}

TEST_CASE("Algorithms and collectives have the names that settings and reports use")
{
    CHECK(name(Algorithm::automatic) == std::string("auto"));
    CHECK(name(Algorithm::aggregated) == std::string("aggregated"));
    CHECK(name(Collective::alltoall) == std::string("alltoall"));
    CHECK(name(Collective::global_allgather) == std::string("global_allgather"));
}
