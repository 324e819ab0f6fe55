// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Stable sorting by keys: against the standard library, for keys close together and far apart.
#include "schedules/grid/ordering.hpp"

#include "test/catch.hpp"

#include <limits>

using namespace hopscotch::schedules;

TEST_CASE("identity counts from zero", "[ordering]")
{
    CHECK(identity(0).empty());
    CHECK(identity(3) == std::vector<int>{0, 1, 2});
}

TEST_CASE("sort_by is a stable sort", "[ordering]")
{
    std::mt19937 random(7);
    const int least = std::numeric_limits<int>::min();
    const int most = std::numeric_limits<int>::max();
    for (const auto& [from, to] : {std::pair(-2, 2), std::pair(0, 0), std::pair(-900, 900), std::pair(least, most)}) {
        std::uniform_int_distribution<int> key(from, to);
        for (int n = 0; n < 60; ++n) {
            std::vector<int> keys(static_cast<std::size_t>(n));
            std::generate(keys.begin(), keys.end(), [&] { return key(random); });
            std::vector<int> indices = identity(n);
            std::shuffle(indices.begin(), indices.end(), random);
            indices.resize(indices.size() - indices.size() / 4); // not every key takes part
            std::vector<int> expected = indices;
            std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return keys[a] < keys[b]; });
            sort_by(indices, keys);
            CHECK(indices == expected);
        }
    }
}
