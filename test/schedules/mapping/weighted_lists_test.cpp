// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists and weights are the same once they have been sent.
#include "schedules/mapping/edge_weights.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("Weighted lists are unpacked as they were packed, by hand")
{
    const WeightedLists lists{{0, 5}, {40, 50}, {6, 7, 8}, {60, 70, 80}, true};
    CHECK(packed(lists) == std::vector<int>{2, 3, 1, 0, 5, 40, 50, 6, 7, 8, 60, 70, 80});
    const WeightedLists same = unpacked(packed(lists));
    CHECK(same.sources == lists.sources);
    CHECK(same.source_weights == lists.source_weights);
    CHECK(same.destinations == lists.destinations);
    CHECK(same.destination_weights == lists.destination_weights);
    CHECK(same.weighted);
}

TEST_CASE("Empty lists without weights are sent as well")
{
    const WeightedLists same = unpacked(packed({}));
    CHECK(same.sources.empty());
    CHECK(same.destination_weights.empty());
    CHECK_FALSE(same.weighted);
}
