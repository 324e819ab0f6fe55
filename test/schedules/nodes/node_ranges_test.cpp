// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The nodes of processes counted node by node: by hand.
#include "schedules/nodes/node_ranges.hpp"

#include "test/catch.hpp"

#include <limits>
#include <stdexcept>

using namespace hopscotch::schedules;

TEST_CASE("node ranges: nodes of different sizes")
{
    const NodeRanges nodes({3, 1, 4});
    const std::vector<int> node{0, 0, 0, 1, 2, 2, 2, 2};
    CHECK(nodes.nodes() == 3);
    CHECK(nodes.processes() == 8);
    CHECK(nodes.mean_size() == 3);
    for (int process = 0; process < 8; ++process) {
        CHECK(nodes.node(process) == node[static_cast<std::size_t>(process)]);
        CHECK(nodes.begins_at(process) == (process == 0 || process == 3 || process == 4));
    }
    CHECK(nodes.begins_at(8));
}

TEST_CASE("node ranges: invalid nodes")
{
    CHECK_THROWS_AS(NodeRanges({}), std::invalid_argument);
    CHECK_THROWS_AS(NodeRanges({4, 0}), std::invalid_argument);
    CHECK_THROWS_AS(NodeRanges({std::numeric_limits<int>::max(), 1}), std::invalid_argument);
}
