// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// The load of others, from the shares of time that processes had no core.
#include "test/catch.hpp"

#include "shim/selection/core_time.hpp"

using namespace hopscotch::shim;

TEST_CASE("Processes agree on the part of their cores' time that others took")
{
    struct Row {
        const char* what;
        Due due;
        std::vector<double> without_core; // of each process
        double others;
    };
    const Row rows[] = {
        {"nobody else is there", {1.0, false}, {0.0, 0.0}, 0.0},
        {"one process has lost its core for a part", {1.0, false}, {0.0, 0.4, 0.1}, 0.4},
        {"one process does not know", {1.0, false}, {0.2, unknown_share}, 0.2},
        {"no process knows", {1.0, false}, {unknown_share, unknown_share}, unknown_share},
        {"processes share cores, fairly enough", {0.5, true}, {0.45, 0.55, 0.5}, 0.0},
        {"processes share cores, and others come", {0.5, true}, {0.7, 0.75, 0.8}, 0.4},
        {"processes share cores, and one does not know", {0.5, true}, {0.7, unknown_share}, unknown_share}};
    for (const Row& row : rows) {
        std::vector<std::int64_t> values;
        for (const double without : row.without_core)
            values.push_back(load_value(without, row.due));
        INFO(row.what);
        CHECK(agreed_share(*std::max_element(values.begin(), values.end()), row.due) == about(row.others));
    }
}

TEST_CASE("The load of a trial is known, or no share")
{
    TrialLoad load;
    CHECK(agreed_share(load.value({1.0, false}), {1.0, false}) == unknown_share); // it has not begun
    load.begin();
    const double others = agreed_share(load.value({1.0, false}), {1.0, false});
    CHECK(others <= 1.0);
}
