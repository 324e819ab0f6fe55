// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of many sizes arrive where both ends of an edge know them.
#include "test/catch.hpp"

#include "test/shim/exchange/carried.hpp"

using namespace hopscotch::shim;

TEST_CASE("Blocks of many sizes arrive one by one and merged")
{
    for (const Algorithm algorithm : {Algorithm::trivial, Algorithm::merged})
        carry(algorithm, {Collective::alltoallv, Collective::allgatherv}, 12);
}
