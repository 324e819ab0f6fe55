// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks arrive in messages that the processes of a node share.
#include "test/catch.hpp"

#include "test/shim/exchange/carried.hpp"

using namespace hopscotch::shim;

TEST_CASE("Blocks of one size and of many arrive in messages of whole nodes")
{
    carry(Algorithm::aggregated,
          {Collective::alltoall, Collective::alltoallv, Collective::allgather, Collective::allgatherv}, 16);
}
