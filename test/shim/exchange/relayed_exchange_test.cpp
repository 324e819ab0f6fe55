// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks of many sizes arrive through processes that do not know them.
#include "test/catch.hpp"

#include "test/shim/exchange/carried.hpp"

using namespace hopscotch::shim;

TEST_CASE("Blocks of many sizes arrive combined, large ones directly")
{
    carry(Algorithm::combining, {Collective::alltoallv, Collective::allgatherv}, 16);
}
