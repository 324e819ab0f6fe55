// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks arrive through memory of the node, and by messages beyond it.
#include "test/catch.hpp"

#include "test/shim/exchange/carried.hpp"

using namespace hopscotch::shim;

TEST_CASE("Blocks of one size and of many arrive through memory")
{
    carry(Algorithm::shared,
          {Collective::alltoall, Collective::alltoallv, Collective::allgather, Collective::allgatherv}, 16);
}
