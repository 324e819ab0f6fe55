// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of one size arrive by every schedule.
#include "test/catch.hpp"

#include "test/shim/exchange/carried.hpp"

using namespace hopscotch::shim;

TEST_CASE("Blocks of one size arrive one by one, merged and combined")
{
    for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged, Algorithm::combining})
        carry(algorithm, {Collective::alltoall, Collective::allgather}, 12);
}

TEST_CASE("Who expects larger blocks than are sent is told so")
{
    std::mt19937 random(seed());
    CarriedJob job(random);
    for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged}) {
        Choice choice;
        choice.algorithm = algorithm;
        CHECK(job.fault_of_wrong_size(Collective::alltoall, choice) == "");
    }
}
