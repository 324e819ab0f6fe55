// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
// Offsets up to a distance: their number and their order.
#include "schedules/grid/metric_ball.hpp"

#include "test/catch.hpp"

#include <climits>
#include <cstdlib>

using namespace hopscotch::schedules;

namespace
{

std::vector<std::vector<int>> offsets_of(const MetricBall& ball, int from)
{
    std::vector<std::vector<int>> offsets;
    ball.visit(from, [&](const std::vector<int>& offset) { offsets.push_back(offset); });
    return offsets;
}

} // namespace

TEST_CASE("the offsets of a ball come in their order", "[metric_ball]")
{
    // Worked by hand.
    const MetricBall diamond(2, Metric::manhattan, 1);
    CHECK(offsets_of(diamond, 0) == std::vector<std::vector<int>>{{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}});
    CHECK(offsets_of(diamond, 1).size() == 4);
    const MetricBall line(1, Metric::chebychev, 1);
    CHECK(offsets_of(line, 0) == std::vector<std::vector<int>>{{-1}, {0}, {1}});
    const MetricBall square(2, Metric::chebychev, 1);
    CHECK(offsets_of(square, 0)[1] == std::vector<int>{0, -1});
    CHECK(offsets_of(square, 1).size() == 8);
}

TEST_CASE("a ball has as many offsets as it counts, each once and near enough", "[metric_ball]")
{
    for (const Metric metric : {Metric::manhattan, Metric::chebychev})
        for (int d = 1; d <= 4; ++d)
            for (int depth = 0; depth <= 3; ++depth) {
                const MetricBall ball(d, metric, depth);
                const std::vector<std::vector<int>> offsets = offsets_of(ball, 0);
                CHECK(ball.count() == static_cast<long long>(offsets.size()));
                CHECK(std::set<std::vector<int>>(offsets.begin(), offsets.end()).size() == offsets.size());
                for (const std::vector<int>& offset : offsets) {
                    int sum = 0;
                    for (const int shift : offset) {
                        CHECK(std::abs(shift) <= depth);
                        sum += std::abs(shift);
                    }
                    if (metric == Metric::manhattan)
                        CHECK(sum <= depth);
                }
            }
    CHECK(MetricBall(2, Metric::manhattan, 1 << 15).count() == static_cast<long long>(INT_MAX) + 1);
    CHECK(MetricBall(4, Metric::chebychev, 200).count() == static_cast<long long>(INT_MAX) + 1);
}
