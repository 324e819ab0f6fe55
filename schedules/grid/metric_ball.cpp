// SPDX-FileCopyrightText: 2026 The Hopscotch authors
// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/grid/metric_ball.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdlib>

namespace hopscotch::schedules
{

long long MetricBall::count() const
{
    constexpr long long too_many = static_cast<long long>(INT_MAX) + 1;
    if (metric_ == Metric::chebychev) {
        long long n = 1;
        for (std::size_t k = 0; k < dimensions_; ++k)
            n = std::min(too_many, n * (2LL * depth_ + 1));
        return n;
    }
    // ball(d, r) = ball(d-1, r) + ball(d, r-1) + ball(d-1, r-1)
    if (dimensions_ == 1)
        return 2LL * depth_ + 1;
    if (depth_ >= 1 << 15) // ball(2, r) = 2r^2 + 2r + 1
        return too_many;
    std::vector<long long> ball(static_cast<std::size_t>(depth_) + 1, 1);
    for (std::size_t k = 0; k < dimensions_; ++k) {
        long long before = ball[0];
        for (std::size_t r = 1; r < ball.size(); ++r) {
            const long long here = ball[r];
            ball[r] = std::min(too_many, here + ball[r - 1] + before);
            before = here;
        }
    }
    return ball.back();
}

void MetricBall::visit(int from, const std::function<void(const std::vector<int>&)>& visitor) const
{
    std::vector<int> offset(dimensions_, 0);
    if (metric_ == Metric::chebychev) {
        visit_cube(offset, dimensions_, std::max(from, 0), 0, visitor);
        return;
    }
    for (int distance = std::max(from, 0); distance <= depth_; ++distance)
        visit_sphere(offset, 0, distance, visitor);
}

/// The first shift varies fastest. Offsets nearer than `from` are left out.
void MetricBall::visit_cube(std::vector<int>& offset, std::size_t free, int from, int largest,
                            const std::function<void(const std::vector<int>&)>& visitor) const
{
    if (free == 0) {
        if (largest >= from)
            visitor(offset);
        return;
    }
    for (int shift = -depth_; shift <= depth_; ++shift) {
        offset[free - 1] = shift;
        visit_cube(offset, free - 1, from, std::max(largest, std::abs(shift)), visitor);
    }
}

/// Offsets with absolute shifts that add up to `left` from dimension k on, larger ones first, negative before positive.
void MetricBall::visit_sphere(std::vector<int>& offset, std::size_t k, int left,
                              const std::function<void(const std::vector<int>&)>& visitor) const
{
    if (k + 1 == dimensions_ || left == 0) {
        std::fill(offset.begin() + static_cast<std::ptrdiff_t>(k), offset.end(), 0);
        for (const int sign : {-1, 1}) {
            if (left == 0 && sign > 0)
                break;
            offset[k] = sign * left;
            visitor(offset);
        }
        return;
    }
    for (int size = left; size >= 0; --size) {
        for (const int sign : {-1, 1}) {
            if (size == 0 && sign > 0)
                break;
            offset[k] = sign * size;
            visit_sphere(offset, k + 1, left - size, visitor);
        }
    }
}

} // namespace hopscotch::schedules
