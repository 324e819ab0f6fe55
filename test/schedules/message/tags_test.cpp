// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// No two exchanges share a tag.
#include "schedules/message/tags.hpp"

#include "test/catch.hpp"

using namespace hopscotch::schedules;

TEST_CASE("Exchanges of different collectives, kinds and lanes have different tags, below those of requests")
{
    std::set<int> tags;
    for (std::size_t collective = 0; collective < collective_count; ++collective)
        for (std::size_t kind = 0; kind < exchange_kind_count; ++kind)
            for (int lane = 0; lane < lanes; ++lane)
                for (int i = 0; i < tags_per_exchange; ++i)
                    tags.insert(first_tag(static_cast<Collective>(collective), static_cast<ExchangeKind>(kind), lane) +
                                i);
    CHECK(tags.size() == static_cast<std::size_t>(first_own_tag));
    CHECK(*tags.begin() == 0);
    CHECK(*tags.rbegin() == first_own_tag - 1);
    CHECK(first_own_tag + own_tags <= first_persistent_tag);
}
