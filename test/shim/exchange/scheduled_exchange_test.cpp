// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks arrive by every schedule, with and without knowledge of their sizes.
#include "test/catch.hpp"

#include "test/shim/exchange/carried.hpp"

using namespace hopscotch::shim;

TEST_CASE("Blocks of one size arrive one by one, merged and combined")
{
    for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged, Algorithm::combining})
        carry(algorithm, {Collective::alltoall, Collective::allgather}, 12);
}

TEST_CASE("Blocks of many sizes arrive one by one and merged")
{
    for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged})
        carry(algorithm, {Collective::alltoallv, Collective::allgatherv}, 12);
}

TEST_CASE("Blocks of many sizes arrive combined, large ones directly")
{
    carry(Algorithm::combining, {Collective::alltoallv, Collective::allgatherv}, 16);
}

TEST_CASE("A process that expects larger blocks than are sent gets an error")
{
    for (unsigned number = 0; number < 4; ++number) {
        std::mt19937 random(seed() + number);
        CarriedJob job(random);
        INFO("seed " << seed() + number << ": " << job.description());
        for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged, Algorithm::combining}) {
            Choice choice;
            choice.algorithm = algorithm;
            if (number % 2 == 1) // the ends of an edge disagree on a block that travels directly
                choice.cutoff_bytes = 8;
            for (const Collective collective : {Collective::alltoall, Collective::alltoallv, Collective::allgatherv})
                CHECK(job.fault_of_wrong_size(collective, choice) == "");
        }
    }
}
