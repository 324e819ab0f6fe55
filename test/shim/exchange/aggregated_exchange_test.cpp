// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks arrive in messages that the processes of a node share.
#include "test/catch.hpp"

#include "test/shim/exchange/carried.hpp"

#include <limits>

using namespace hopscotch::shim;

TEST_CASE("Blocks of one size and of many arrive in messages of whole nodes")
{
    carry(Algorithm::aggregated,
          {Collective::alltoall, Collective::alltoallv, Collective::allgather, Collective::allgatherv}, 16);
}

TEST_CASE("A process that expects larger blocks than other nodes send gets an error")
{
    for (const std::size_t cutoff_bytes : {std::numeric_limits<std::size_t>::max(), std::size_t{8}}) {
        std::mt19937 random(seed());
        CarriedJob job(random);
        if (!job.has_staging())
            return;
        Choice choice;
        choice.algorithm = Algorithm::aggregated;
        choice.cutoff_bytes = cutoff_bytes;
        for (const Collective collective : {Collective::alltoall, Collective::alltoallv, Collective::allgatherv})
            CHECK(job.fault_of_wrong_size(collective, choice) == "");
    }
}
